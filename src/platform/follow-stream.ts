/** Reads streams of few and small messages, one after the other, past those that are lost. */
import { Effect, type Scope, Stream } from "effect"
import type { JetStream, StreamSpec } from "./jetstream.ts"
import type { StoredMessage } from "./jetstream-read-ahead.ts"
import type { NatsError, NatsRefused } from "./nats.ts"

/** Who reads a stream, and how far it has come. */
export interface StreamReading {
  readonly stream: string
  /** stream sequence of the message to read next */
  next: number
  /** stream sequence of the last message that was ever read */
  longest: number
  readonly take: (message: StoredMessage) => Effect.Effect<void>
  /** tells of a message that is missing, in these words */
  readonly missing: (words: string) => Effect.Effect<void>
  /** the stream has become shorter: all of it is read again */
  readonly anew: () => void
  /** what it means that messages are gone, and what to do about it, in words for who runs this */
  readonly remedy: string
  /** false where the messages that are there do not say any more what was read before */
  readonly agrees?: () => boolean
}

/** How a stream is that is followed. */
export interface FollowedStream {
  readonly stream: string
  /** stream sequence of the last message that was ever read */
  readonly seen: number
  /** messages that were read and are not there any more */
  readonly lost: number
  /** what that means and what to do, in words; null where nothing is lost */
  readonly problem: string | null
}

/** Says how a stream is: short of messages until it is as long again as it was read before. */
export const followedState = ({
  stream,
  next,
  longest,
  remedy,
  agrees = () => true
}: StreamReading): FollowedStream => {
  const lost = longest + 1 - next
  if (lost === 0 && agrees()) return { stream, seen: longest, lost, problem: null }
  const what =
    lost === 0
      ? "has other messages than those that this engine read or wrote"
      : `is shorter than this engine saw it: ${lost} of ${longest} messages are gone`
  const problem = `stream ${stream} of the log's server ${what}. ${remedy}`
  return { stream, seen: longest, lost, problem }
}

/**
 * Reads on, to the present end or for ever. A message that is missing is told and passed over, for
 * the sake of those behind it.
 */
export const readOn = (
  jetStream: JetStream["Service"],
  reading: StreamReading,
  follow: boolean
): Effect.Effect<void, NatsRefused> => {
  const passed = (streamSeq: number) => {
    reading.next = streamSeq + 1
    reading.longest = Math.max(reading.longest, streamSeq)
  }
  const messages = jetStream.read(reading.stream, { from: reading.next, follow })
  return Stream.runForEach(messages, message =>
    Effect.andThen(
      reading.take(message),
      Effect.sync(() => passed(message.streamSeq))
    )
  ).pipe(
    Effect.catchTag("MessageMissing", ({ streamSeq, message }) => {
      if (streamSeq === reading.next) passed(streamSeq)
      else {
        reading.next = 1
        reading.anew()
      }
      return Effect.andThen(
        reading.missing(message),
        Effect.suspend(() => readOn(jetStream, reading, follow))
      )
    })
  )
}

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

/** Follows a stream until the scope ends; one that is gone is created again, and found shorter. */
export const followOn = (
  jetStream: JetStream["Service"],
  what: string,
  spec: StreamSpec,
  reading: StreamReading
): Effect.Effect<void, never, Scope.Scope> => {
  const follow = Effect.andThen(
    jetStream.ensureStream(spec),
    Effect.suspend(() => readOn(jetStream, reading, true))
  )
  return Effect.asVoid(Effect.forkScoped(patiently(what, follow)))
}
