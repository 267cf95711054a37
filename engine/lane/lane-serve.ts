/** Answers the serving thread's requests from the open tables. */
import { dirname } from "node:path"
import { Cause, Clock, Deferred, Effect, Exit, Option } from "effect"
import { DuckDbError } from "../../src/platform/duckdb.ts"
import { plainWords } from "../../src/platform/plain-words.ts"
import { wantOfRoom } from "../../src/platform/room.ts"
import type { Queries } from "../runner/queries.ts"
import { Signal } from "../runner/signal.ts"
import { untilStanding } from "../runner/standing.ts"
import type { LaneOptions } from "./lane-open.ts"
import type { Current, Stand } from "./stand.ts"

/** What DuckDB says where it does nothing more with a file. */
const isFatal = (message: string): boolean => /FATAL|INTERNAL|invalidated/i.test(message)

/** What it says of a file that can no longer be trusted, not of one query that wants room. */
const isDamage = (message: string): boolean =>
  isFatal(message) ||
  (/checksum|corrupt|serializ|IO Error/i.test(message) && wantOfRoom(message, "") === null)

/** What a reader is told of a read that failed, of which DuckDB tells with the whole statement. */
const unreadWords = (message: string, folder: string): string => {
  const [reason = message] = /\b[A-Za-z]+( [A-Z][a-z]+)? Error: .*/s.exec(message) ?? []
  return wantOfRoom(message, folder) ?? `the tables cannot be read: ${reason}`
}

/**
 * Waits until the tables hold what has been told of already. A reader who asks for the past gets
 * all of it that went out before he was known of.
 */
const untilTold = ({ open, state }: Stand, isOpen: () => boolean) =>
  Effect.raceFirst(
    untilStanding(open.core, state.told),
    state.changed.until(() => !isOpen())
  )

/** How long answers under way are waited for at most. */
const IDLE_MS = 5_000

/** How long a request waits at most while tables that readers had are opened again. */
const REOPENING_MS = 5_000

/**
 * The tables that a request is for; null where readers have none. Those that are opened again are
 * waited for.
 */
const whenOpen = (
  current: Current,
  pick: () => Stand | null,
  mostMs = REOPENING_MS
): Effect.Effect<Stand | null> =>
  Effect.suspend(() => {
    const stand = pick()
    // nearly every request: no timer for it
    if (stand !== null || !current.isReopening) return Effect.succeed(stand)
    return current.state.changed
      .until(() => pick() !== null || !current.isReopening)
      .pipe(Effect.timeoutOption(mostMs), Effect.map(pick))
  })

/** What tables are asked, and how many of their answers are being made. */
class Answering {
  private readonly busy = new Map<Stand, number>()
  /** rung when the last answer is made that was under way of some tables */
  private readonly ended = new Signal()

  begin(stand: Stand): void {
    this.busy.set(stand, (this.busy.get(stand) ?? 0) + 1)
  }

  end(stand: Stand): void {
    const left = (this.busy.get(stand) ?? 1) - 1
    if (left > 0) this.busy.set(stand, left)
    else {
      this.busy.delete(stand)
      this.ended.ring()
    }
  }

  readonly idle = (stand: Stand): Effect.Effect<void> =>
    this.ended.until(() => !this.busy.has(stand)).pipe(Effect.timeoutOption(IDLE_MS), Effect.asVoid)
}

/**
 * Connects the port's requests to the open tables. Gives what waits until no answer is made of
 * tables any more that readers had.
 */
export const serve = (options: LaneOptions, current: Current) =>
  Effect.sync(() => {
    const { port, chain, reopeningMs } = options
    const answering = new Answering()
    const reply = <A>(
      id: number,
      pick: () => Stand | null,
      run: (queries: Queries, stand: Stand) => Effect.Effect<A, DuckDbError>,
      post: (answer: A) => void
    ): void => {
      const unanswered = (message: string) => port.post({ type: "unanswered", id, message })
      const answer: Effect.Effect<void> = Effect.gen(function* () {
        const stand = yield* whenOpen(current, pick, reopeningMs)
        if (stand === null) {
          const isMade = current.newest !== null
          const state = isMade ? "has no tables to answer from yet" : "is starting"
          return unanswered(`lane ${chain.key} ${state}`)
        }
        stand.askedMs = yield* Clock.currentTimeMillis
        answering.begin(stand)
        const exit = yield* Effect.exit(Effect.map(run(stand.open.queries, stand), post))
        answering.end(stand)
        if (Exit.isSuccess(exit)) return
        // these tables were closed meanwhile: others are asked, or the same when they are open
        const isLost = pick() !== stand && (pick() !== null || current.isReopening)
        if (isLost) return yield* answer
        const message = plainWords(exit.cause)
        // what is thrown, as where DuckDB's thread ends, tells nothing of the file
        const isFailure = Option.isSome(Cause.findErrorOption(exit.cause))
        if (isFailure && isDamage(message)) {
          yield* Deferred.fail(stand.broken, new DuckDbError({ message }))
        }
        if (!isFailure) return unanswered(message)
        yield* Effect.logDebug(`${chain.key}: ${message}`)
        unanswered(unreadWords(message, dirname(options.file)))
      })
      Effect.runFork(answer)
    }
    port.onMessage(message => {
      if (message.type === "want") {
        current.state.want(message.channel, message.key, message.wanted)
      } else if (message.type === "query") {
        const { id, request, newest } = message
        reply(
          id,
          () => (newest === true ? current.newest : current.seen),
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
          () => current.seen,
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
