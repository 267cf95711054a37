/** Runs the program of a worker thread until `stop`, then closes its resources and ends. */
import { Cause, Effect, Exit, Fiber, type Scope } from "effect"
import { plainWords } from "../platform/plain-words.ts"
import type { ParentPort } from "../platform/worker.ts"
import { loggerLayer } from "./logging.ts"

/** Milliseconds that a thread gets to end after an uncaught error. */
const LAST_GRACE_MS = 6000

/**
 * Runs the program in a scope; a `stop` message interrupts the program. A failure fails the thread.
 * An uncaught error fails the thread only once everything is closed or 6 s have passed: a thread
 * that ends while a DuckDB statement runs ends the whole process.
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
  // Later errors come from closing.
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
