/** Answers the serving thread's requests from the open tables. */
import { Cause, Deferred, Effect, Exit, Option, Schedule } from "effect"
import { DuckDbError } from "../../src/platform/duckdb.ts"
import { type Queries, reasonOf } from "../runner/queries.ts"
import type { LaneOptions } from "./lane-open.ts"
import { want } from "./lane-state.ts"
import type { Current, Stand } from "./stand.ts"

/** What DuckDB says of a file that can no longer be trusted, not of one query. */
const isDamage = (message: string): boolean =>
  /checksum|corrupt|serializ|IO Error|FATAL|INTERNAL|invalidated/i.test(message)

const TURN_MS = 2

/**
 * Waits until the tables hold what has been told of already. A reader who asks for the past gets
 * all of it that went out before he was known of.
 */
const untilTold = <E>({ open, state }: Stand<E>, isOpen: () => boolean) => {
  const { told } = state
  const wait: Effect.Effect<void> = Effect.suspend(() =>
    !isOpen() || open.core.committed.seq >= told
      ? Effect.void
      : Effect.andThen(Effect.sleep(TURN_MS), wait)
  )
  return wait
}

/** How long answers under way are waited for at most. */
const IDLE_MS = 5_000
const LOOK_MS = 5

/** What tables are asked, and how many of their answers are being made. */
class Answering<E> {
  private readonly busy = new Map<Stand<E>, number>()

  begin(stand: Stand<E>): void {
    this.busy.set(stand, (this.busy.get(stand) ?? 0) + 1)
  }

  end(stand: Stand<E>): void {
    const left = (this.busy.get(stand) ?? 1) - 1
    if (left === 0) this.busy.delete(stand)
    else this.busy.set(stand, left)
  }

  readonly idle = (stand: Stand<E>): Effect.Effect<void> =>
    Effect.sync(() => this.busy.has(stand)).pipe(
      Effect.repeat({ while: isBusy => isBusy, schedule: Schedule.spaced(LOOK_MS) }),
      Effect.timeoutOption(IDLE_MS),
      Effect.asVoid
    )
}

/**
 * Connects the port's requests to the open tables. Gives what waits until no answer is made of
 * tables any more that readers had.
 */
export const serve = <E>(options: LaneOptions<E>, current: Current<E>) =>
  Effect.sync(() => {
    const { port, chain } = options
    const answering = new Answering<E>()
    const reply = <A>(
      id: number,
      stand: Stand<E> | null,
      run: (queries: Queries, stand: Stand<E>) => Effect.Effect<A, DuckDbError>,
      post: (answer: A) => void
    ): void => {
      if (stand === null) {
        const isMade = current.newest !== null
        const message = `lane ${chain.key} ${isMade ? "has no tables to answer from yet" : "is starting"}`
        port.post({ type: "unanswered", id, message })
        return
      }
      answering.begin(stand)
      Effect.runFork(
        Effect.exit(Effect.map(run(stand.open.queries, stand), post)).pipe(
          Effect.map(exit => {
            answering.end(stand)
            if (Exit.isSuccess(exit)) return
            const message = reasonOf(exit.cause)
            // what is thrown, as where DuckDB's thread ends, tells nothing of the file
            const isFailure = Option.isSome(Cause.findErrorOption(exit.cause))
            if (isFailure && isDamage(message)) {
              Effect.runFork(Deferred.fail(stand.broken, new DuckDbError({ message })))
            }
            port.post({ type: "unanswered", id, message })
          })
        )
      )
    }
    port.onMessage(message => {
      if (message.type === "want") {
        want(current.state, message.channel, message.key, message.wanted)
      } else if (message.type === "query") {
        const { id, request, newest } = message
        reply(
          id,
          newest === true ? current.newest : current.seen,
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
          current.seen,
          (queries, stand) =>
            Effect.andThen(
              untilTold(stand, () => current.seen === stand),
              Effect.suspend(() => queries.history(request))
            ),
          answer => port.post({ type: "history", id, answer })
        )
      }
    })
    return answering.idle
  })
