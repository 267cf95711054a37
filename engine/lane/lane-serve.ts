/** Answers the serving thread's requests from the open tables. */
import { Effect, Exit } from "effect"
import { DuckDbError } from "../../src/platform/duckdb.ts"
import { type Queries, reasonOf } from "../runner/queries.ts"
import type { LaneOptions, OpenLane } from "./lane-open.ts"
import { type LaneState, want } from "./lane-state.ts"

/** What DuckDB says of a file that can no longer be trusted, not of one query. */
const isDamage = (message: string): boolean =>
  /checksum|corrupt|serializ|IO Error|FATAL|INTERNAL|invalidated/i.test(message)

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
        Effect.exit(run(open.queries)).pipe(
          Effect.map(exit => {
            if (Exit.isSuccess(exit)) return post(exit.value)
            const message = reasonOf(exit.cause)
            if (isDamage(message)) broken(new DuckDbError({ message }))
            port.post({ type: "unanswered", id, message })
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
