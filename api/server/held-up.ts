/**
 * Notices when the thread that serves is held up, by much work at once, a busy machine or a stopped
 * process: nobody is answered meanwhile, and no other part of the engine can tell.
 */
import { Effect } from "effect"
import { steadyMillis } from "../../src/platform/elapsed.ts"
import type { Counters } from "../counters.ts"

/** Between two looks. */
const LOOK_MS = 100
/** A look that is so late is told in the log: readers notice it. */
const TOLD_MS = 1_000

/**
 * Looks at the clock, for ever; counts by how much each look is late, and logs a warning where one
 * is late by a second.
 */
export const watchHeldUp = (counters: Counters): Effect.Effect<never> =>
  Effect.gen(function* () {
    for (;;) {
      const before = yield* steadyMillis
      yield* Effect.sleep(LOOK_MS)
      const lateMs = Math.max(0, (yield* steadyMillis) - before - LOOK_MS)
      counters.heldUpSeconds += lateMs / 1_000
      counters.longestHeldUpSeconds = Math.max(counters.longestHeldUpSeconds, lateMs / 1_000)
      if (lateMs < TOLD_MS) continue
      yield* Effect.logWarning(
        `the serving thread was held up for ${(lateMs / 1_000).toFixed(1)} s: requests and live ` +
          "frames waited; the machine is too busy, the process was stopped, or too much was asked at once"
      )
    }
  })
