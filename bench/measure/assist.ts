/** The other side of `assistant.ts`: answers the bench's questions until it is told to stop. */
import { Cause, Effect, Exit, Scope } from "effect"
import { loggerLayer } from "../../src/bin/logging.ts"
import type { Question, Reply } from "./assistant.ts"

/** Answers by name; what is opened stays open until the assistant ends. */
export type Answers = {
  readonly [name: string]: (input: never) => Effect.Effect<unknown, unknown, Scope.Scope>
}

const reply = (message: Reply): void => {
  process.send?.(message)
}

/** Serves the bench's questions in one scope, which closes at the end. */
export const assist = (answers: Answers): void => {
  const scope = Scope.makeUnsafe()
  const settled = (question: Question) => {
    const answer = answers[question.name]
    if (answer === undefined) return Effect.die(new Error(`no answer to ${question.name}`))
    return answer(question.input as never)
  }
  process.on("message", (question: Question) => {
    const run = settled(question).pipe(
      Scope.provide(scope),
      Effect.provide(loggerLayer(false)),
      Effect.exit,
      Effect.map(exit => {
        const { id } = question
        if (Exit.isSuccess(exit)) reply({ id, output: exit.value })
        else reply({ id, failure: Cause.pretty(exit.cause) })
      })
    )
    Effect.runFork(run)
  })
  // the process ends by itself once nothing is open: `exit` would cut off CPU profiles of threads
  const end = () => {
    Effect.runFork(
      Effect.andThen(
        Scope.close(scope, Exit.void),
        Effect.sync(() => {
          if (process.connected) process.disconnect()
        })
      )
    )
  }
  process.once("SIGTERM", end)
  process.once("disconnect", end)
}
