/** Answers the serving thread's requests from the open tables. */
import { Cause, Effect, Exit, Option } from "effect"
import { DuckDbError } from "../../src/platform/duckdb.ts"
import { type Queries, reasonOf } from "../runner/queries.ts"
import type { LaneOptions, OpenLane } from "./lane-open.ts"
import { type LaneState, want } from "./lane-state.ts"

/** What DuckDB says of a file that can no longer be trusted, not of one query. */
const isDamage = (message: string): boolean =>
  /checksum|corrupt|serializ|IO Error|FATAL|INTERNAL|invalidated/i.test(message)

const TURN_MS = 2

/**
 * Waits until the tables hold what has been told of already. A reader who asks for the past gets
 * all of it that went out before he was known of.
 */
const untilTold = <E>(open: OpenLane<E>, state: LaneState, isOpen: () => boolean) => {
  const { told } = state
  const wait: Effect.Effect<void> = Effect.suspend(() =>
    !isOpen() || open.core.committed.seq >= told
      ? Effect.void
      : Effect.andThen(Effect.sleep(TURN_MS), wait)
  )
  return wait
}

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
      run: (queries: Queries, open: OpenLane<E>) => Effect.Effect<A, DuckDbError>,
      post: (answer: A) => void
    ): void => {
      const { open } = current
      if (open === null) {
        port.post({ type: "unanswered", id, message: `lane ${options.chain.key} is starting` })
        return
      }
      Effect.runFork(
        Effect.exit(Effect.map(run(open.queries, open), post)).pipe(
          Effect.map(exit => {
            if (Exit.isSuccess(exit)) return
            const message = reasonOf(exit.cause)
            // what is thrown, as where DuckDB's thread ends, tells nothing of the file
            const isFailure = Option.isSome(Cause.findErrorOption(exit.cause))
            if (isFailure && isDamage(message)) broken(new DuckDbError({ message }))
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
          (queries, open) =>
            Effect.andThen(
              untilTold(open, state, () => current.open === open),
              Effect.suspend(() => queries.history(request))
            ),
          answer => port.post({ type: "history", id, answer })
        )
      }
    })
  })
