/** The lane's status, told to the serving thread every second and after each change of state. */
import { Effect, Option } from "effect"
import { threadMemory } from "../../src/platform/worker.ts"
import type { LaneOptions, OpenLane } from "./lane-open.ts"
import type { LaneState } from "./lane-state.ts"
import type { LaneStatus } from "./protocol.ts"

/** Counters that projections know; asked through the query of this name. */
const COUNTERS_QUERY = "counters"

interface Counters {
  readonly events: number
  readonly swaps: number
  readonly quarantined: LaneStatus["quarantined"]
  readonly gaps: LaneStatus["gaps"]
}

const NO_COUNTERS: Counters = { events: 0, swaps: 0, quarantined: [], gaps: [] }

const decoder = new TextDecoder()

const counters = <E>(open: OpenLane<E>) =>
  open.queries.answer({ name: COUNTERS_QUERY, params: {} }).pipe(
    Effect.map(answer =>
      answer.ok ? (JSON.parse(decoder.decode(answer.body)) as Counters) : NO_COUNTERS
    ),
    Effect.orElseSucceed(() => NO_COUNTERS)
  )

const statusOf = <E>(
  options: LaneOptions<E>,
  state: LaneState,
  open: OpenLane<E> | null,
  counted: Counters
): LaneStatus => ({
  chain: options.chain.key,
  state: state.state,
  problem: state.problem,
  seq: open?.core.committed.seq ?? 0,
  logSeq: state.logSeq,
  block: open === null || open.core.committed.seq === 0 ? null : open.core.committed.block,
  blockTime: open === null || open.core.committed.seq === 0 ? null : open.core.committed.blockTime,
  ...counted,
  rollbacks: open?.core.rollbacks ?? 0,
  lastRollbackDepth: open?.core.lastRollbackDepth ?? null,
  memoryBytes: threadMemory(),
  projections: options.projections.map(({ name, version }) => ({ name, version })),
  source: null,
  warnings: state.warnings.slice()
})

const LOOK_MS = 50
const POST_MS = 1000

/** Posts the status once a second, and when the state has changed. */
export const postStatus = <E>(
  options: LaneOptions<E>,
  state: LaneState,
  current: { readonly open: OpenLane<E> | null }
) => {
  let known: {
    readonly open: OpenLane<E>
    readonly seq: number
    readonly counted: Counters
  } | null = null
  /** Nothing is counted again while nothing is committed: readers have the cores. */
  const count = (open: OpenLane<E>) =>
    Effect.suspend(() => {
      const { seq } = open.core.committed
      if (known?.open === open && known.seq === seq) return Effect.succeed(known.counted)
      return Effect.map(counters(open), counted => {
        if (counted !== NO_COUNTERS) known = { open, seq, counted }
        return counted
      })
    })
  const post = Effect.gen(function* () {
    const { open } = current
    if (open !== null) {
      const end = yield* options.log.end.pipe(Effect.timeoutOption(POST_MS), Effect.option)
      const told = Option.flatten(end)
      if (Option.isSome(told)) state.logSeq = told.value.seq
    }
    const counted = open === null ? NO_COUNTERS : yield* count(open)
    const status = statusOf(options, state, current.open, counted)
    options.port.post({ type: "status", status })
    return status.state
  })
  return Effect.gen(function* () {
    for (;;) {
      const posted = yield* post
      let waitedMs = 0
      while (waitedMs < POST_MS && state.state === posted) {
        yield* Effect.sleep(LOOK_MS)
        waitedMs += LOOK_MS
      }
    }
  })
}
