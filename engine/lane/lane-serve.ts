/** Answers the serving thread's requests from the open tables. */
import { Effect, Result } from "effect"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import type { Queries } from "../runner/queries.ts"
import type { LaneOptions, OpenLane } from "./lane-open.ts"
import { type LaneState, want } from "./lane-state.ts"

/** Connects the port's requests to the open lane; `current` is null while it is being opened. */
export const serve = <E>(
  options: LaneOptions<E>,
  state: LaneState,
  current: { open: OpenLane<E> | null },
  broken: (error: DuckDbError) => void
) =>
  Effect.sync(() => {
    const { port } = options
    const reply = <A>(
      id: number,
      run: (queries: Queries) => Effect.Effect<A, DuckDbError>,
      post: (answer: A) => void
    ): void => {
      const { open } = current
      if (open === null) {
        port.post({ type: "unanswered", id, message: `lane ${options.chain.key} is starting` })
        return
      }
      Effect.runFork(
        Effect.result(run(open.queries)).pipe(
          Effect.map(result => {
            if (Result.isSuccess(result)) return post(result.success)
            broken(result.failure)
            port.post({ type: "unanswered", id, message: result.failure.message })
          })
        )
      )
    }
    port.onMessage(message => {
      if (message.type === "want") want(state, message.channel, message.key, message.wanted)
      else if (message.type === "query") {
        const { id, request } = message
        reply(
          id,
          queries => queries.answer(request),
          answer =>
            port.post(
              { type: "answer", id, answer },
              answer.ok ? [answer.body.buffer as ArrayBuffer] : []
            )
        )
      } else if (message.type === "history") {
        const { id, request } = message
        reply(
          id,
          queries => queries.history(request),
          answer => port.post({ type: "history", id, answer })
        )
      }
    })
  })
