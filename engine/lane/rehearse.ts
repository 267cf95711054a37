/** A lane asks itself what readers will ask, so that none of them is the first. */
import { Effect } from "effect"
import { nextTurn } from "../../src/platform/turn.ts"
import type { LaneOptions, OpenLane } from "./lane-open.ts"
import type { LaneState } from "./lane-state.ts"

const LOOK = "50 millis"

/** Once the lane is live, and after each rollback: what was kept is forgotten then. */
export const rehearse = <E>(
  { chain, projections }: LaneOptions<E>,
  { core, queries }: OpenLane<E>,
  state: LaneState
): Effect.Effect<never> =>
  Effect.gen(function* () {
    let rollbacks = -1
    for (;;) {
      yield* Effect.sleep(LOOK)
      if (state.state !== "live" || rollbacks === core.rollbacks || core.pending !== null) continue
      rollbacks = core.rollbacks
      const { seq, block, blockTime } = core.committed
      const context = { chain, seq, block, blockTime, output: core.folds.output }
      for (const request of projections.flatMap(item => item.rehearsed?.(context) ?? [])) {
        yield* Effect.ignore(queries.answer(request))
        yield* nextTurn
      }
    }
  })
