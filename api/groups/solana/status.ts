/** How Solana is read, as the spec's ingest status tells it (part 2). */
import { Effect } from "effect"
import type { Lane } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import { solana } from "../../../src/domain/chains/solana.ts"
import { Seldom } from "../../../src/platform/seldom.ts"
import type { DecodeStatus } from "../../../streams/source.ts"
import { freshText, queryLane } from "../../answering.ts"
import { familyStatus } from "../boards/family-status.ts"
import type { HourCheck } from "./hour-check.ts"
import { solanaIngest } from "./ingest.query.ts"
import type { SolanaStatus } from "./solana.api.ts"

/** Ids of the venues that are read, that of number 1 first. */
const VENUES = solana.venues.map(({ id }) => id)

const NOT_COVERED =
  "proprietary AMMs, order books and venues that `venues` does not name; transfers of tokens, so that a token that came by transfer and is sold is a sell without a buy"

/** What the tables tell: the answer of `solanaIngest`. */
interface Ingest {
  readonly genesisSlot: number
  readonly slots: number
  readonly swaps: number
  readonly slotsPerMin: number | null
  readonly swapsPerMin: number | null
  readonly solUsd: number | null
  readonly block: number
  readonly at: number
  readonly liveHours: number
  readonly missing24h: number
  /** swaps of the last 24 hours that balances of their vaults contradict */
  readonly contradicted24h: number
  /** what else of venues could not be read, and whether that is more than one in 10,000 swaps */
  readonly unread24h: number
  readonly isMuchUnread: boolean
  /** whether blocks of the last 24 hours are of files */
  readonly ofFiles24h: boolean
  /** why the newest hour that is over is not recounted; null where it is */
  readonly unchecked: keyof typeof UNCHECKED | null
  readonly hourCheck: HourCheck | null
}

const UNCHECKED = {
  young: "no whole hour has been read yet",
  gap: "the newest hour that is over is not recounted: blocks of it are missing",
  files: "the newest hour that is over is not recounted: blocks of it are of files"
}

const decoder = new TextDecoder()

/** Why the tables tell nothing. */
interface Untold {
  readonly why: string
}

/** What the tables tell as of a position, or why they tell nothing. */
type Read = (Ingest & { readonly seq: number }) | Untold

/** Between two warnings that the tables cannot be asked, however many requests there are. */
const WARN_MS = 30_000

/** The lanes that it was warned of. */
const warned = new Seldom<Lane>(WARN_MS)

const warnSeldom = (lane: Lane, why: string) =>
  warned.say(lane, Effect.logWarning(`${lane.config.key}: the status lacks its figures: ${why}`))

/** What the tables tell and as of which position, or why they tell nothing. */
const readIngest = (lane: Lane) =>
  queryLane(lane, ask(solanaIngest, {})).pipe(
    Effect.map(({ seq, body }) => ({ seq, ...(JSON.parse(decoder.decode(body)) as Ingest) })),
    Effect.catch(({ code, message }) => {
      // tables that are not there yet are no failure
      if (code === "NOT_READY") return Effect.succeed({ why: "the tables cannot be asked yet" })
      const why = `the tables could not be asked: ${message}`
      return Effect.as(warnSeldom(lane, why), { why })
    })
  )

const decodeOf = (decode: DecodeStatus | null): SolanaStatus["decode"] => {
  const told = new Map(decode?.venues.map(({ number, ...counters }) => [number, counters]))
  const none = { events: 0, swaps: 0, ok: 0, bad: 0, unchecked: 0, noParent: 0, otherEvents: 0 }
  return Object.fromEntries(VENUES.map((_, i) => [String(i + 1), told.get(i + 1) ?? none] as const))
}

/** What a lane's health is to the gate. */
interface Reading {
  readonly ok: boolean
  readonly problem: string | null
}

/** Why the gate does not pass; nothing where it does. */
const reasonsOf = (
  lane: Lane,
  { ok, problem }: Reading,
  ingest: Ingest | Untold
): ReadonlyArray<string> => {
  if ("why" in ingest) return [ingest.why]
  const { missing24h, contradicted24h, ofFiles24h, unread24h, isMuchUnread } = ingest
  const { hourCheck, unchecked } = ingest
  const { hourlyDiff = 0, candleDiff = 0 } = hourCheck ?? {}
  return [
    ...(ok ? [] : [`the chain is not read well: ${problem ?? "the newest block is too old"}`]),
    ...(lane.status().state === "history"
      ? ["no source reads the chain: this is a log as it stands"]
      : []),
    ...(ofFiles24h
      ? ["blocks of the last 24 hours are of files: nothing shows which slots they lack"]
      : []),
    ...(contradicted24h > 0
      ? [`swaps of the last 24 hours that their vaults' balances contradict: ${contradicted24h}`]
      : []),
    ...(isMuchUnread
      ? [`instructions of venues of the last 24 hours that could not be read: ${unread24h}`]
      : []),
    ...(missing24h > 0 ? [`blocks of the last 24 hours that are missing: ${missing24h}`] : []),
    ...(unchecked === null ? [] : [UNCHECKED[unchecked]]),
    ...(hourlyDiff > 0 ? [`markets of the hour that differ from their swaps: ${hourlyDiff}`] : []),
    ...(candleDiff > 0 ? [`candles of the hour that differ from their prints: ${candleDiff}`] : [])
  ]
}

const gateOf = (lane: Lane, reading: Reading, told: Ingest | Untold) => {
  const reasons = reasonsOf(lane, reading, told)
  const ingest = "why" in told ? null : told
  return {
    pass: reasons.length === 0,
    at: ingest?.at ?? null,
    liveHours: ingest?.liveHours ?? 0,
    missing24h: ingest?.missing24h ?? 0,
    hourCheck: ingest?.hourCheck ?? null,
    reasons
  }
}

interface About {
  readonly isPublic: boolean
  readonly startedAtMs: number
  readonly nowSeconds: number
}

const statusOf = (
  lane: Lane,
  { isPublic, startedAtMs, nowSeconds }: About,
  read: Read
): SolanaStatus => {
  const { source } = lane.status()
  const ingest = "why" in read ? null : read
  // the status is of the position that its headers name
  const at = ingest === null ? undefined : { ...ingest, blockTime: ingest.at }
  const told = familyStatus(lane, nowSeconds, at)
  const { ok, problem } = told
  return {
    chain: "solana",
    ok,
    problem,
    simulated: lane.config.simulated === true,
    cursor: told.indexedToBlock,
    genesisSlot: ingest?.genesisSlot ?? null,
    auditCursor: source?.decode?.auditCursor ?? null,
    lagSlots: told.lagBlocks,
    blockAgeS: told.blockAgeS,
    slotsPerMin: ingest?.slotsPerMin ?? null,
    swapsPerMin: ingest?.swapsPerMin ?? null,
    startedAt: Math.floor(startedAtMs / 1000),
    solUsd: ingest?.solUsd ?? null,
    decode: decodeOf(source?.decode ?? null),
    totals: {
      slots: ingest?.slots ?? 0,
      swaps: ingest?.swaps ?? 0,
      orphaned: source?.decode?.orphaned ?? 0,
      late: source?.repairs?.filled ?? 0
    },
    venues: VENUES.map((name, i) => `${i + 1} ${name}`).join(", "),
    notCovered: NOT_COVERED,
    public: isPublic,
    gate: gateOf(lane, told, read)
  }
}

/** Whether the gate of a lane passes, as its status says. */
export const passesGate = (lane: Lane): Effect.Effect<boolean> =>
  Effect.map(readIngest(lane), read => gateOf(lane, lane.health(), read).pass)

/** The status as an answer, made at every request. */
export const statusResponse = (lane: Lane, about: About) =>
  Effect.map(readIngest(lane), read => {
    const position = { seq: "why" in read ? lane.seq() : read.seq, log: lane.log() }
    return freshText(JSON.stringify(statusOf(lane, about, read)), "application/json", position)
  })
