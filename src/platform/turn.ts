/** An effect that lets timers, sockets and messages run once before the caller goes on. */
import { Effect } from "effect"

export const nextTurn: Effect.Effect<void> = Effect.callback<void>(resume => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})
