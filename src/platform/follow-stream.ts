/** Reads streams of few and small messages, one after the other, past those that are lost. */
import { Effect, Stream } from "effect"
import type { JetStream } from "./jetstream.ts"
import type { StoredMessage } from "./jetstream-read-ahead.ts"
import type { NatsError, NatsRefused } from "./nats.ts"

/** Who reads a stream, and how far it has come. */
export interface StreamReading {
  readonly stream: string
  /** stream sequence of the message to read next */
  next: number
  readonly take: (message: StoredMessage) => Effect.Effect<void>
  /** tells of a message that is missing, in these words */
  readonly missing: (words: string) => Effect.Effect<void>
  /** the stream has become shorter: all of it is read again */
  readonly anew: () => void
}

/**
 * Reads on, to the present end or for ever. A message that is missing is told and passed over, for
 * the sake of those behind it.
 */
export const readOn = (
  jetStream: JetStream["Service"],
  reading: StreamReading,
  follow: boolean
): Effect.Effect<void, NatsRefused> =>
  Stream.runForEach(jetStream.read(reading.stream, { from: reading.next, follow }), message =>
    Effect.andThen(
      reading.take(message),
      Effect.sync(() => {
        reading.next = message.streamSeq + 1
      })
    )
  ).pipe(
    Effect.catchTag("MessageMissing", ({ streamSeq, message }) => {
      const isShorter = streamSeq !== reading.next
      reading.next = isShorter ? 1 : streamSeq + 1
      if (isShorter) reading.anew()
      return Effect.andThen(
        reading.missing(message),
        Effect.suspend(() => readOn(jetStream, reading, follow))
      )
    })
  )

/** Milliseconds after which what failed is tried again. */
const PAUSE_MS = 1_000

/** Repeats what failed, for ever; `what` names it in the log. */
export const patiently = <A, R>(
  what: string,
  effect: Effect.Effect<A, NatsError, R>
): Effect.Effect<A, never, R> =>
  Effect.catch(effect, ({ message }) =>
    Effect.logWarning(`${what}: ${message}; trying again`).pipe(
      Effect.andThen(Effect.sleep(PAUSE_MS)),
      Effect.andThen(Effect.suspend(() => patiently(what, effect)))
    )
  )
