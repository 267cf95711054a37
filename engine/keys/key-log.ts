/**
 * The log of API keys: the stream `KEYS` beside the chains' logs, one event a message, never
 * written again. Every node follows it, so what becomes of a key holds on all of them.
 */
import { Data, Effect, Option, type Scope } from "effect"
import {
  type FollowedStream,
  followedState,
  followOn,
  patiently,
  readOn,
  type StreamReading
} from "../../src/platform/follow-stream.ts"
import { JetStream, misplaced } from "../../src/platform/jetstream.ts"
import type { StoredMessage } from "../../src/platform/jetstream-read-ahead.ts"
import type { NatsError } from "../../src/platform/nats.ts"
import { type ApiKey, KeyBook } from "./key-book.ts"
import { type KeyCopy, openKeyCopy } from "./key-copy.ts"
import { decodeKeyEvent, encodeKeyEvent, type KeyEvent } from "./key-event.ts"

const KEYS = { name: "KEYS", subject: "keys", description: "swaptape: API keys" } as const

/** A change of the keys cannot be made as asked; the message says why. */
export class KeysRefused extends Data.TaggedError("KeysRefused")<{ readonly message: string }> {}

/** Folds a message. One that nobody can read is told: what it may have revoked counts again. */
const fold = (book: KeyBook, { streamSeq, data }: StoredMessage): Effect.Effect<void> => {
  const event = decodeKeyEvent(data)
  if (event !== null) return Effect.sync(() => book.apply(event))
  return Effect.logError(
    `message ${streamSeq} of stream ${KEYS.name} is no event of a key that this version knows, and is ` +
      "passed over: where it revoked a key, revoke that key again"
  )
}

/** What reads the keys into a book. What was revoked behind a lost message is to hold. */
const readingOf = (book: KeyBook): StreamReading => ({
  stream: KEYS.name,
  ...{ next: 1, longest: 0 },
  take: message => fold(book, message),
  missing: words => Effect.logError(`${words}: where it revoked a key, revoke that key again`),
  // events fold once more to what they came to
  anew: () => {},
  remedy:
    "The newest API keys, and the newest changes of keys, hold at this engine, and at no other one that has " +
    'not read them: compare "npm run keys -- list" with the keys that were given out; create again those ' +
    "that it lacks, and rotate or revoke again those that were rotated or revoked"
})

/** Reads the keys there are; none where nobody has made any. */
const readAll = Effect.gen(function* () {
  const jetStream = yield* JetStream
  const book = new KeyBook()
  const reading = readingOf(book)
  const stream = yield* jetStream.stream(KEYS.name)
  if (Option.isSome(stream)) yield* readOn(jetStream, reading, false)
  return { book, next: reading.next }
})

/** Reads the keys there are, revoked ones too, in the order of their making. */
export const readKeys: Effect.Effect<ReadonlyArray<ApiKey>, NatsError, JetStream> = Effect.map(
  readAll,
  ({ book }) => book.keys
)

const TRIES = 5

/** Another event stands where this one was to go. */
class Overtaken extends Data.TaggedError("Overtaken") {}

/**
 * Appends the event that `change` makes of the keys there are, and waits until it is on disk. Where
 * another event came in between, `change` is asked again.
 */
export const appendKeyEvent = <E extends KeyEvent>(
  change: (keys: ReadonlyArray<ApiKey>) => Effect.Effect<E, KeysRefused>
): Effect.Effect<E, NatsError | KeysRefused, JetStream> =>
  Effect.gen(function* () {
    const jetStream = yield* JetStream
    yield* jetStream.ensureStream(KEYS)
    const { book, next } = yield* readAll
    const event = yield* change(book.keys)
    const sent = yield* jetStream.publish({
      ...{ subject: KEYS.subject, headers: {}, data: encodeKeyEvent(event) },
      messageId: `${event.kind} ${event.id} ${event.atMs}`,
      ...{ expectedLastSeq: next - 1, expectedLastId: null }
    })
    const isOthers = Effect.map(sent, ({ duplicate }) => duplicate).pipe(
      Effect.catchIf(
        error => error._tag === "NatsRefused" && misplaced(error),
        () => Effect.succeed(true)
      )
    )
    return (yield* isOthers) ? yield* new Overtaken() : event
  }).pipe(
    Effect.retry({ times: TRIES, while: error => error._tag === "Overtaken" }),
    Effect.catchTag("Overtaken", () => {
      const message = "others change the keys at the same moment: try again"
      return Effect.fail(new KeysRefused({ message }))
    })
  )

/** The keys as they are followed, and how their stream is. */
export interface FollowedKeys {
  readonly book: KeyBook
  readonly stream: () => FollowedStream
}

/** Takes what earlier runs have read, in front of what the stream has now. */
const takeKnown = (book: KeyBook, reading: StreamReading, { known }: KeyCopy): void => {
  for (const { streamSeq, event } of known) {
    book.apply(event)
    reading.longest = Math.max(reading.longest, streamSeq)
  }
}

/**
 * Begins anew where the first message is none that was read before: another server is used, whose
 * keys have nothing to do with those of the one before.
 */
const forget = (book: KeyBook, reading: StreamReading, copy: KeyCopy): Effect.Effect<void> => {
  book.clear()
  reading.longest = 0
  const words = "is another one than this engine has read before: its keys alone hold now"
  return Effect.andThen(Effect.logWarning(`stream ${KEYS.name} ${words}`), copy.clear)
}

/**
 * Follows the keys until the scope ends. Returns once those of the present are known: whoever
 * serves before that would take every key for an unknown one. Waits for a server that is away; what
 * is known until then goes on holding, also where the server has lost it since.
 *
 * @param folder the data folder, where what was read is kept for the next run
 */
export const followKeys = (
  folder: string
): Effect.Effect<FollowedKeys, never, JetStream | Scope.Scope> =>
  Effect.gen(function* () {
    const jetStream = yield* JetStream
    const copy = yield* openKeyCopy(folder)
    const book = new KeyBook()
    let isBeginning = true
    const take = (message: StoredMessage): Effect.Effect<void> => {
      const { streamSeq, data } = message
      const isOther = isBeginning && streamSeq === 1 && copy.isOfOther(data)
      const taken = Effect.andThen(fold(book, message), copy.keep(streamSeq, data))
      return isOther ? Effect.andThen(forget(book, reading, copy), taken) : taken
    }
    const reading: StreamReading = { ...readingOf(book), take }
    takeKnown(book, reading, copy)
    const present = Effect.andThen(
      jetStream.ensureStream(KEYS),
      Effect.suspend(() => readOn(jetStream, reading, false))
    )
    yield* patiently("API keys", present)
    isBeginning = false
    yield* followOn(jetStream, "API keys", KEYS, reading)
    return { book, stream: () => followedState(reading) }
  })
