/** Gives the thread back to timers, sockets and messages once before going on. */
import { Effect } from "effect"

export const nextTurn: Effect.Effect<void> = Effect.callback<void>(resume => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})
