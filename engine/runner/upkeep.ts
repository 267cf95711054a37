/**
 * What is done to the tables beside the fold: merging them, and copying the file. One thing at a
 * time; a commit does not wait for it, a rollback does.
 */
import { Effect, Fiber, type Scope } from "effect"
import type { LaneCore, WriteError } from "./lane-core.ts"

/** Waits until the upkeep under way has ended. */
export const upkept = (core: LaneCore): Effect.Effect<void, WriteError> =>
  Effect.suspend(() => {
    const { upkeep } = core
    if (upkeep === null) return Effect.void
    return Effect.andThen(
      Fiber.join(upkeep),
      Effect.sync(() => {
        core.upkeep = null
      })
    )
  })

/** Begins upkeep beside the fold. At most one is under way; the one before must have ended. */
export const beginUpkeep = (
  core: LaneCore,
  upkeep: Effect.Effect<void, WriteError>
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.forkScoped(upkeep).pipe(
    Effect.map(fiber => {
      core.upkeep = fiber
    })
  )

/** Whether upkeep is under way. Fails where the last one failed. */
export const isKept = (core: LaneCore): Effect.Effect<boolean, WriteError> =>
  Effect.suspend(() => {
    if (core.upkeep === null) return Effect.succeed(false)
    if (core.upkeep.pollUnsafe() === undefined) return Effect.succeed(true)
    return Effect.as(upkept(core), false)
  })
