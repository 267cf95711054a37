/** How every worker thread runs: until told to stop, then it closes its resources and ends. */
import { Cause, Effect, Exit, Fiber, type Scope } from "effect"
import type { ParentPort } from "../platform/worker.ts"
import { loggerLayer } from "./logging.ts"

/** Runs the program in a scope; a `stop` message interrupts it. Fails the thread on any failure. */
export const runWorker = <To extends { readonly type: string }, From, E>(
  port: ParentPort<To, From>,
  json: boolean,
  program: Effect.Effect<unknown, E, Scope.Scope>
): void => {
  const fiber = Effect.runFork(program.pipe(Effect.scoped, Effect.provide(loggerLayer(json))))
  port.onMessage(message => {
    if (message.type === "stop") Effect.runFork(Fiber.interrupt(fiber))
  })
  fiber.addObserver(exit => {
    port.close()
    if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) {
      throw new Error(Cause.pretty(exit.cause))
    }
  })
}
