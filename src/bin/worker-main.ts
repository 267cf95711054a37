/** How every worker thread runs: until told to stop, then it closes its resources and ends. */
import { Cause, Effect, Exit, Fiber, type Scope } from "effect"
import { plainWords } from "../platform/plain-words.ts"
import type { ParentPort } from "../platform/worker.ts"
import { loggerLayer } from "./logging.ts"

/** How long a thread may take to end after an error that nobody caught. */
const LAST_GRACE_MS = 6000

/**
 * Runs the program in a scope; a `stop` message interrupts it. Fails the thread on any failure. An
 * error that nobody caught does so too, once everything is closed: DuckDB must not lose its thread
 * while a statement runs, or the whole process ends.
 */
export const runWorker = <To extends { readonly type: string }, From, E>(
  port: ParentPort<To, From>,
  json: boolean,
  program: Effect.Effect<unknown, E, Scope.Scope>
): void => {
  const fiber = Effect.runFork(program.pipe(Effect.scoped, Effect.provide(loggerLayer(json))))
  port.onMessage(message => {
    if (message.type === "stop") Effect.runFork(Fiber.interrupt(fiber))
  })
  let uncaught: Error | null = null
  // those after the first are of what is being closed already
  const onUncaught = (error: Error): void => {
    if (uncaught !== null) return
    uncaught = error
    setTimeout(() => {
      process.off("uncaughtException", onUncaught)
      throw error
    }, LAST_GRACE_MS).unref()
    Effect.runFork(Fiber.interrupt(fiber))
  }
  process.on("uncaughtException", onUncaught)
  fiber.addObserver(exit => {
    process.off("uncaughtException", onUncaught)
    port.close()
    if (uncaught !== null) throw uncaught
    if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) {
      throw new Error(plainWords(exit.cause))
    }
  })
}
