/**
 * How a lane is, in one place: a pure function of what its parts have told and of how long each has
 * been silent. Status, health, metrics, log lines and the page show what it says and nothing else.
 */
import { familyOf } from "../../src/domain/chain-family.ts"
import { type NamedChain, rpcSettingOf } from "../../src/domain/shown-chain.ts"
import { blocksIn } from "../../streams/open-gaps.ts"
import type { SourceStatus } from "../../streams/source.ts"
import { type GapKind, gapKinds, unprovenOf } from "../late/gap-words.ts"
import type { LaneStatus } from "./status.ts"

/** The part of a lane that is in trouble. */
export type Part = "lane" | "tables" | "log" | "log-server" | "source" | "chain"

/** What is known of a lane; silences are milliseconds since a part was last heard of. */
export interface LaneFacts {
  readonly status: LaneStatus
  readonly chain: NamedChain
  readonly blockTimeMs: number
  readonly nowMs: number
  readonly laneSilentMs: number
  readonly tablesSilentMs: number
  readonly sourceSilentMs: number
  /** 0 also where the lane has no log server to wait for */
  readonly serverSilentMs: number
  /** why the last source died, until another has done something; null where none did */
  readonly sourceFailure: string | null
  /** for how long the source has been trying again, or has not begun */
  readonly sourceTroubleMs: number
  /** how long ago the source last tried again or was held up; and how long it has lived */
  readonly sourceCalmMs: number
  readonly sourceLivedMs: number
  /** for how long the source has been told of a head since it began */
  readonly headKnownMs: number
  /** for how long the source has known of newer blocks without reading one of them */
  readonly unreadMs: number
  /** for how long the newest block has been the newest */
  readonly blockStillMs: number
  /** for how long events have waited in the log without one of them being committed */
  readonly stuckMs: number
  /** for how long blocks that were read have been missing, as none of their answers was proven */
  readonly gapMs: number
  /** where the log is damaged on disk, and what to do; null while it is not known to be */
  readonly logProblem: string | null
}

export interface LaneHealth {
  /** the tables hold what the chain has, but for the last moments; false at the first doubt */
  readonly ok: boolean
  /** the lane's state; `stalled` where it would be live, but something it needs does not work */
  readonly state: LaneStatus["state"]
  /** why `ok` is false, in words; null where it is true */
  readonly problem: string | null
  /** what is in trouble; null where nothing is, also while a lane only begins */
  readonly part: Part | null
  /** null where the lane has no source */
  readonly sourceState: SourceStatus["state"] | null
}

/** Silence of a part that is called one: several of its pulses did not come. */
const SILENT_MS = 3000
/** Failures in a row for so long are trouble; before that they are what networks do. */
const TROUBLE_MS = 2000
/** After that a source does not recover any more: what it says of the chain is news. */
const CALM_MS = 5000
/** A source that lives for less has yet to read what came while there was none. */
const YOUNG_MS = 60_000
/** For so long, and the time between two blocks, a head may be the one from before the start. */
const FIRST_BLOCK_MS = 3000
/** Newer blocks are there for so long, and at least the time between two of them, but not read. */
const UNREAD_MS = 4000
/** So many newer blocks are there, and for so long the chain made them: more than last moments. */
const BEHIND_BLOCKS = 5
/** A question to a node for so long without an answer: those of the head are small. */
const UNANSWERED_MS = 2500
/** A question about history without an answer for so long: its pieces may take a node long. */
const HISTORY_UNANSWERED_MS = 10_000
/** Blocks that are missing for so long are: most are proven when they are read once more. */
const GAP_MS = 2500
/** What lies further back no board and no window of a price tells: the gaps of status do. */
const RECENT_MS = 86_400_000
/** Events that wait for so long at the log's end, and far behind it, where commits are large. */
const STUCK_MS = 4000
const STUCK_FAR_MS = 60_000
const FAR_EVENTS = 400_000
/** A chain is quiet for so many block times, and so long at least, before its data are stale. */
const QUIET_BLOCKS = 10
const QUIET_MS = 15_000

/** So far may this machine's clock be behind before it is said to be wrong. */
const MOST_AHEAD_MS = 60_000

/** Age of the newest block, in milliseconds, from which on a chain's data are stale. */
export const staleAfterMs = (blockTimeMs: number): number =>
  Math.max(QUIET_MS, QUIET_BLOCKS * blockTimeMs)

/** Whether the newest block is too old for the data to be called recent. */
export const isStale = (blockTime: number | null, blockTimeMs: number, nowMs: number): boolean =>
  blockTime === null || nowMs - blockTime * 1000 > staleAfterMs(blockTimeMs)

const seconds = (ms: number): string => {
  const whole = Math.round(ms / 1000)
  if (whole < 120) return `${whole} s`
  if (whole < 7200) return `${Math.round(whole / 60)} min`
  return whole < 172_800 ? `${Math.round(whole / 3600)} h` : `${Math.round(whole / 86_400)} d`
}

interface Trouble {
  readonly part: Part
  readonly problem: string
}

const laneTrouble = ({ status, ...facts }: LaneFacts): Trouble | null => {
  if (status.state === "failed") {
    return { part: "lane", problem: status.problem ?? "the lane has stopped; it is started again" }
  }
  if (facts.laneSilentMs > SILENT_MS) {
    const silence = seconds(facts.laneSilentMs)
    const problem = `the lane's thread has not been heard of for ${silence}: it hangs, or the machine is overloaded; restart swaptape if this lasts`
    return { part: "lane", problem }
  }
  if (facts.tablesSilentMs > SILENT_MS) {
    const silence = seconds(facts.tablesSilentMs)
    const problem = `the thread of the tables (DuckDB) has not answered for ${silence}; restart swaptape if this lasts`
    return { part: "tables", problem }
  }
  const waiting = status.logSeq - status.seq
  const patienceMs = waiting > FAR_EVENTS ? STUCK_FAR_MS : STUCK_MS
  if (status.state === "live" && waiting > 0 && facts.stuckMs > patienceMs) {
    const problem = `${waiting} events of the log have waited for ${seconds(facts.stuckMs)} to be put into the tables`
    return { part: "lane", problem }
  }
  return null
}

/** What nobody reads now, and nobody could read again after a restart. */
const logTrouble = ({ logProblem }: LaneFacts): Trouble | null =>
  logProblem === null ? null : { part: "log", problem: logProblem }

const serverTrouble = ({ serverSilentMs }: LaneFacts): Trouble | null =>
  serverSilentMs > SILENT_MS
    ? {
        part: "log-server",
        problem: `the server of the log (nats-server) has not answered for ${seconds(serverSilentMs)}; nothing new can be written or read until it does`
      }
    : null

/** What to look at where a chain cannot be read. */
const adviceOf = ({ chain }: LaneFacts, source: SourceStatus): string =>
  source.kind === "devchain"
    ? "the simulated chain is started again if this lasts"
    : `check ${rpcSettingOf(chain)} and that the node runs; it is asked again until it answers`

const listed = (endpoints: SourceStatus["endpoints"]): string =>
  [...new Set(endpoints.map(({ endpoint }) => endpoint))].join(", ")

const namesOf = ({ endpoints, description }: SourceStatus): string =>
  endpoints.length === 0 ? description : listed(endpoints)

/** Who is waited for: those that rest are not asked. */
const askedOf = (source: SourceStatus): string => {
  const asked = source.endpoints.filter(({ state }) => state !== "resting")
  return asked.length === 0 ? namesOf(source) : listed(asked)
}

/** What an endpoint lacks now: the one in use, or one that rests for it; others failed long ago. */
const endpointProblem = ({ endpoints }: SourceStatus): string | null => {
  const inTrouble = endpoints.filter(({ problem }) => problem !== null)
  const inUse = inTrouble.find(({ state }) => state === "in-use")
  return (inUse ?? inTrouble.find(({ state }) => state === "resting"))?.problem ?? null
}

/** Of a source that hears of blocks and cannot read them, as where its node contradicts itself. */
const unreadProblem = (facts: LaneFacts, source: SourceStatus): string => {
  const { headBlock, emittedBlock } = source
  const why = source.problem ?? source.unfit ?? endpointProblem(source)
  const reason = why === null ? "" : `: ${why}`
  const there = headBlock === null ? "a newer block" : `block ${headBlock}`
  const unread = emittedBlock === null ? "none" : `none after ${emittedBlock}`
  return `${there} is there, and ${unread} could be read for ${seconds(facts.unreadMs)}${reason}; ${adviceOf(facts, source)}`
}

/** What the source itself says of why it does not get on. */
const readingTrouble = (facts: LaneFacts, source: SourceStatus): Trouble | null => {
  const { state, problem, waitingSinceMs } = source
  if (state === "stopped" || state === "failed") {
    return { part: "source", problem: problem ?? "the source has stopped" }
  }
  if (state === "blocked" && facts.sourceTroubleMs > TROUBLE_MS) {
    return { part: "log-server", problem: problem ?? "what is read cannot be stored" }
  }
  const waitedMs = waitingSinceMs === null ? 0 : facts.nowMs - waitingSinceMs
  if (state === "retrying" && facts.sourceTroubleMs > TROUBLE_MS) {
    // what failed last may not be what fails now
    const silence = `; asked again, it has not answered for ${seconds(waitedMs)}`
    const now = waitedMs > UNANSWERED_MS ? silence : ""
    const text = `the chain cannot be read: ${problem ?? "no answer"}${now}; ${adviceOf(facts, source)}`
    return { part: "source", problem: text }
  }
  const patienceMs = state === "backfill" ? HISTORY_UNANSWERED_MS : UNANSWERED_MS
  if (state !== "ended" && waitedMs > patienceMs) {
    const text = `${askedOf(source)} has not answered for ${seconds(waitedMs)}; ${adviceOf(facts, source)}`
    return { part: "source", problem: text }
  }
  // each try again begins the patience with trying anew, and ends no silence
  const isReading = state === "live" || state === "retrying"
  if (isReading && facts.unreadMs > Math.max(UNREAD_MS, facts.blockTimeMs)) {
    return { part: "source", problem: unreadProblem(facts, source) }
  }
  return null
}

const sourceTrouble = (facts: LaneFacts): Trouble | null => {
  if (facts.sourceFailure !== null) return { part: "source", problem: facts.sourceFailure }
  const { source } = facts.status
  if (source === null) return null
  if (facts.sourceSilentMs > SILENT_MS) {
    const silence = seconds(facts.sourceSilentMs)
    const problem = `the source's thread has not been heard of for ${silence}: it hangs, or the machine is overloaded`
    return { part: "source", problem }
  }
  return readingTrouble(facts, source)
}

/** Blocks that the chain has and the tables have not. */
const behindOf = ({ source, block }: LaneStatus): number =>
  Math.max(0, (source?.headBlock ?? 0) - (block ?? 0))

/** Whether a source that has just begun may still find or read what came before it did. */
const isBeginning = ({ status, sourceLivedMs, headKnownMs, blockTimeMs }: LaneFacts): boolean =>
  sourceLivedMs < YOUNG_MS && (headKnownMs < FIRST_BLOCK_MS + blockTimeMs || behindOf(status) > 0)

const chainTrouble = (facts: LaneFacts): Trouble | null => {
  const { status, blockTimeMs, nowMs } = facts
  const { source, blockTime } = status
  // who still reads history is behind, and says so
  if (source === null || source.state === "ended" || source.state === "backfill") return null
  if (blockTime === null) return null
  const aheadMs = blockTime * 1000 - nowMs
  if (aheadMs > MOST_AHEAD_MS) {
    const tellers = `${source.endpoints.length > 1 ? "one of " : ""}${namesOf(source)}`
    const problem = `the newest block is ${seconds(aheadMs)} ahead of this machine's clock: set the clock right, or ${tellers} told a wrong time, and another endpoint in ${rpcSettingOf(facts.chain)} would show it`
    return { part: "chain", problem }
  }
  if (isBeginning(facts)) return null
  if (isStale(blockTime, blockTimeMs, nowMs)) {
    return { part: "chain", problem: staleProblem(facts, source, blockTime) }
  }
  // by a clock that is behind, the last block of a chain that stands still is recent for long
  if (facts.blockStillMs <= staleAfterMs(blockTimeMs)) return null
  const silence = `no block after ${status.block} has come for ${seconds(facts.blockStillMs)}`
  return { part: "chain", problem: `${silence}, where ${standsStill(facts, source)}` }
}

const standsStill = ({ blockTimeMs }: LaneFacts, source: SourceStatus): string =>
  `a block is expected every ${blockTimeMs / 1000} s: the chain stands still, or ${namesOf(source)} has lost it`

/**
 * What is true of a lane whose newest block is old. The chain is to blame only where a head that
 * was told when that block was old already is no newer: what was told before says nothing of now.
 */
const staleProblem = (facts: LaneFacts, source: SourceStatus, blockTime: number): string => {
  const { status, blockTimeMs, nowMs, sourceCalmMs } = facts
  const behind = behindOf(status)
  const { headBlock, headToldMs } = source
  const age = seconds(nowMs - blockTime * 1000)
  const old = `the newest block here is ${age} old`
  if (behind > 0)
    return `${old}, and ${behind} more ${behind === 1 ? "is" : "are"} there to be read`
  if (headBlock === null || headToldMs === null) return `${old}, and the chain's is being asked for`
  // nobody could be asked meanwhile, or was, so nobody is to blame
  if (sourceCalmMs < CALM_MS || !isStale(blockTime, blockTimeMs, headToldMs)) {
    return `${old}: newer ones are being asked for`
  }
  return `the newest block is ${age} old, where ${standsStill(facts, source)}`
}

/** Where as many endpoints are on another branch as on the log's, this one may be none. */
const branchTrouble = ({ status: { source } }: LaneFacts): Trouble | null =>
  source?.disputed == null ? null : { part: "source", problem: source.disputed }

/** What is true of the blocks of gaps of these kinds: they are there where they are told wrong. */
const missingOrWrong = (kinds: ReadonlyArray<GapKind>, count: number): string => {
  const is = count === 1 ? "is" : "are"
  if (kinds.every(({ lacks }) => lacks)) return `${is} missing`
  return kinds.length === 1 ? `${kinds[0]?.what}` : `${is} missing or told wrong`
}

/** Blocks of the last day that the tables do not hold, though they hold later ones. */
const gapTrouble = ({ status, blockTimeMs, chain, gapMs, nowMs }: LaneFacts): Trouble | null => {
  const { source, block } = status
  // where nobody reads, nobody can find what is missing
  if (source === null || source.state === "ended" || gapMs <= GAP_MS) return null
  const oldest = (block ?? 0) - RECENT_MS / blockTimeMs
  const recent = unprovenOf(status.gaps).filter(({ toBlock }) => toBlock > oldest)
  const [first] = recent
  if (first === undefined) return null
  const count = blocksIn(recent)
  const what = count === 1 ? `block ${first.fromBlock}` : `${count} blocks`
  const from = count === 1 ? "" : `, the first of them ${first.fromBlock}`
  const { contents, settledBy: settles } = familyOf(chain)
  const settledBy = settles(rpcSettingOf(chain))
  const state = missingOrWrong(gapKinds(recent, contents), count)
  const problem = `${what} ${state}${from}: ${whyMissing(first.reason, source, nowMs)}; ${settledBy}`
  return { part: "source", problem }
}

/** What was said of a gap when it was found, and what came of asking for blocks again. */
const whyMissing = (reason: string, { repairs }: SourceStatus, nowMs: number): string => {
  const last = repairs?.lastTry ?? null
  if (last === null) {
    return `what endpoints tell of it is not proven (${reason}); it is asked for again`
  }
  const { fromBlock, toBlock, atMs, problem } = last
  const asked = fromBlock === toBlock ? `block ${fromBlock}` : `blocks ${fromBlock}..${toBlock}`
  const result = problem ?? "proven, and what is left is asked for next"
  const ago = seconds(Math.max(0, nowMs - atMs))
  return `what endpoints told of it was not proven (${reason}); ${asked} asked for again ${ago} ago: ${result}`
}

const BEGINNING: { readonly [state: string]: string } = {
  starting: "the tables are being opened",
  rebuilding: "the tables are being built from the log",
  "catching-up": "the tables are catching up with the log",
  live: "the source of the chain is being started"
}

/** How far the tables are on the way to the head. */
const placeOf = ({ source, block }: LaneStatus): string => {
  const head = source?.headBlock ?? null
  const read = block === null ? "no block is there yet" : `block ${block}`
  if (head === null) return `${read}, and the newest is not known yet`
  // The source tells of its head once a second, when the tables may be past it.
  return block === null
    ? `${read}, and the newest is ${head}`
    : `${read} of ${Math.max(block, head)}`
}

/** What a lane in no trouble still has to do before it is well; null where nothing. */
const yetToDo = (facts: LaneFacts): string | null => {
  const { status, blockTimeMs, nowMs } = facts
  const { source, state, blockTime } = status
  const isRead = state === "live" || state === "history"
  if (isRead && status.assurance === null) return "what the tables lack is being looked up"
  // of a history nothing new is expected
  if (state === "history") return null
  if (state !== "live" || source === null || source.state === "starting") {
    return status.problem ?? BEGINNING[state] ?? `the lane is ${state}`
  }
  if (source.state === "ended") return null
  const place = placeOf(status)
  if (source.state === "backfill") return `the chain's history is being read: ${place}`
  if (blockTime === null) return "nothing of the chain has been read yet"
  const behind = behindOf(status)
  const isBehind = behind >= BEHIND_BLOCKS && behind * blockTimeMs > UNREAD_MS
  const isOld = isStale(blockTime, blockTimeMs, nowMs) && isBeginning(facts)
  if (!isBehind && !isOld) return null
  return behind > 0
    ? `the lane is catching up with the chain: ${place}`
    : `the newest block here is ${seconds(nowMs - blockTime * 1000)} old: newer ones are being asked for`
}

/** The source's state, of which its own word is the last one where it can say none. */
const sourceStateOf = (
  { status: { source }, sourceFailure }: LaneFacts,
  trouble: Trouble | null
): LaneHealth["sourceState"] => {
  if (sourceFailure !== null) return "failed"
  const isWell = source?.state === "live" || source?.state === "backfill"
  return isWell && trouble?.part === "source" ? "retrying" : (source?.state ?? null)
}

/** How a lane is. */
export const healthOf = (facts: LaneFacts): LaneHealth => {
  const { status } = facts
  const { state } = status
  const trouble =
    laneTrouble(facts) ??
    logTrouble(facts) ??
    serverTrouble(facts) ??
    sourceTrouble(facts) ??
    chainTrouble(facts) ??
    branchTrouble(facts) ??
    gapTrouble(facts)
  const sourceState = sourceStateOf(facts, trouble)
  if (trouble !== null) {
    const { part, problem } = trouble
    const shown = state === "live" ? "stalled" : state
    return { ok: false, state: shown, problem, part, sourceState }
  }
  const problem = yetToDo(facts)
  return { ok: problem === null, state, problem, part: null, sourceState }
}
