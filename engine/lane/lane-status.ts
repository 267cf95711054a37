/** The lane's status, told to the serving thread every second and after each change of state. */
import { Effect, Option } from "effect"
import { exists } from "../../src/platform/files.ts"
import { threadMemory } from "../../src/platform/worker.ts"
import { gapWarnings, wordWarning } from "../late/word-runs.ts"
import { pathOf } from "../store/tables-file.ts"
import { memoryWatch } from "./lane-memory.ts"
import type { LaneOptions, OpenLane } from "./lane-open.ts"
import type { Current, Stand } from "./stand.ts"
import type { LaneStatus } from "./status.ts"

/** Counters that projections know; asked through the query of this name. */
const COUNTERS_QUERY = "counters"

interface Counters {
  readonly counted: LaneStatus["counted"]
  readonly events: number
  readonly swaps: number
  readonly quarantined: LaneStatus["quarantined"]
  readonly quarantinedLogs: LaneStatus["quarantinedLogs"]
  readonly gaps: LaneStatus["gaps"]
  readonly assurance: LaneStatus["assurance"]
  readonly words: LaneStatus["words"]
}

const NO_COUNTERS: Counters = {
  counted: { seq: 0, block: null, blockTime: null },
  ...{ events: 0, swaps: 0, quarantined: [], quarantinedLogs: [], gaps: [] },
  ...{ assurance: null, words: [] }
}

const decoder = new TextDecoder()

const counters = (open: OpenLane) =>
  open.queries.answer({ name: COUNTERS_QUERY, params: {} }).pipe(
    Effect.map(answer =>
      answer.ok ? (JSON.parse(decoder.decode(answer.body)) as Counters) : NO_COUNTERS
    ),
    Effect.orElseSucceed(() => NO_COUNTERS)
  )

/** How far tables are that are made beside those that readers have. */
const progressOf = ({ seen, newest, state }: Current): string =>
  seen === null || newest === null || newest === seen
    ? ""
    : ` (${newest.open.core.committed.seq} of ${Math.max(state.logSeq, newest.state.logSeq)})`

/**
 * Looks whether the file of the tables is still there, and warns where two looks in turn do not
 * find it. DuckDB holds the file open and never sees that somebody deleted it.
 */
const lookForFile = ({ chain, file }: LaneOptions) => {
  let missed = 0
  return ({ place, state }: Stand) =>
    Effect.gen(function* () {
      const path = pathOf(file, place)
      missed = (yield* exists(path)) ? 0 : missed + 1
      if (missed === 0) state.takeBack("no file")
      if (missed !== 2) return
      const warning =
        `the file of its tables, ${path}, was deleted: answers are right as long as this runs, ` +
        "and the next start makes the tables anew from the log"
      state.warn(warning, "no file")
      yield* Effect.logWarning(`${chain.key}: ${warning}`)
    })
}

const statusOf = (
  options: LaneOptions,
  current: Current,
  open: OpenLane | null,
  counted: Counters,
  memoryWarnings: ReturnType<typeof memoryWatch>
): LaneStatus => {
  const { state } = current
  const core = open?.core ?? null
  const memoryBytes = threadMemory()
  const at = core === null || core.told.seq === 0 ? null : core.told
  return {
    chain: options.chain.key,
    state: state.word,
    problem: state.problem === null ? null : state.problem + progressOf(current),
    seq: at?.seq ?? 0,
    logSeq: state.logSeq,
    block: at?.block ?? null,
    blockTime: at?.blockTime ?? null,
    // no store hides a day before the first
    retentionCutoffDay: core?.store.keptFrom.raw || null,
    minutesCutoffDay: core?.store.keptFrom.minutes || null,
    ...counted,
    rollbacks: core?.rollbacks ?? 0,
    lastRollbackDepth: core?.lastRollbackDepth ?? null,
    memoryBytes,
    projections: options.projections.map(({ name, version }) => ({ name, version })),
    source: null,
    warnings: [
      ...state.warnings,
      ...memoryWarnings(memoryBytes),
      ...gapWarnings(counted.gaps, options.chain),
      ...wordWarning(counted.words)
    ]
  }
}

const POST_MS = 1000
/** Commits may come faster than statuses are worth. */
const LEAST_MS = 250

/** Posts the status once a second, when the state has changed, and soon after a commit. */
export const postStatus = (options: LaneOptions, current: Current) => {
  let known: {
    readonly open: OpenLane
    readonly seq: number
    readonly counted: Counters
  } | null = null
  /** Nothing is counted again while readers are told of nothing new: they have the cores. */
  const count = (open: OpenLane) =>
    Effect.suspend(() => {
      const { seq } = open.core.told
      if (known?.open === open && known.seq === seq) return Effect.succeed(known.counted)
      return Effect.map(counters(open), counted => {
        // tables that cannot be asked now have lost no gap
        if (counted === NO_COUNTERS) return known?.counted ?? NO_COUNTERS
        known = { open, seq, counted }
        return counted
      })
    })
  const look = lookForFile(options)
  const memoryWarnings = memoryWatch(options.upkeep.memoryMb)
  let kept: OpenLane | null = null
  /** While tables are opened again as they are, they stand where they stood. */
  const standing = (): OpenLane | null => {
    const open = (current.seen ?? current.newest)?.open ?? null
    if (open !== null || current.state.word === "rebuilding") kept = open
    return kept
  }
  const post = Effect.gen(function* () {
    const stand = current.seen ?? current.newest
    if (stand !== null) {
      const end = yield* options.log.end.pipe(Effect.timeoutOption(POST_MS), Effect.option)
      const told = Option.flatten(end)
      if (Option.isSome(told)) current.state.logSeq = told.value.seq
    }
    const shown = standing()
    const then = shown === null ? NO_COUNTERS : (known?.counted ?? NO_COUNTERS)
    const counted = stand === null ? then : yield* count(stand.open)
    if (stand !== null) yield* look(stand)
    const status = statusOf(options, current, shown, counted, memoryWarnings)
    options.port.post({ type: "status", status })
    return status
  })
  return Effect.gen(function* () {
    for (;;) {
      const { state, counted } = yield* post
      const { changed } = current.state
      const other = changed.until(() => current.state.word !== state)
      const further = changed.until(() => (standing()?.core.told.seq ?? 0) > counted.seq)
      const due = Effect.andThen(Effect.sleep(LEAST_MS), further)
      yield* Effect.timeoutOption(Effect.raceFirst(other, due), POST_MS)
    }
  })
}
