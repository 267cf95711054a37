/**
 * The log of API keys: the stream `KEYS` beside the chains' logs, one event a message, never
 * written again. Every node follows it, so what becomes of a key holds on all of them.
 */
import { Data, Effect, Option, type Scope, Stream } from "effect"
import { JetStream, misplaced } from "../../src/platform/jetstream.ts"
import type { StoredMessage } from "../../src/platform/jetstream-read-ahead.ts"
import type { NatsError, NatsRefused } from "../../src/platform/nats.ts"
import { type ApiKey, KeyBook } from "./key-book.ts"
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

/** How far the keys were read. */
interface Reading {
  readonly book: KeyBook
  /** stream sequence of the message to read next */
  next: number
}

/**
 * Reads on, to the present end or for ever. A message that is missing is told and passed over: what
 * was revoked behind it is to hold. Where the stream has become shorter, it is read from its start.
 */
const readOn = (
  jetStream: JetStream["Service"],
  reading: Reading,
  follow: boolean
): Effect.Effect<void, NatsRefused> =>
  Stream.runForEach(jetStream.read(KEYS.name, { from: reading.next, follow }), message =>
    Effect.andThen(
      fold(reading.book, message),
      Effect.sync(() => {
        reading.next = message.streamSeq + 1
      })
    )
  ).pipe(
    Effect.catchTag("MessageMissing", ({ streamSeq, message }) => {
      reading.next = streamSeq === reading.next ? streamSeq + 1 : 1
      const told = Effect.logError(`${message}: where it revoked a key, revoke that key again`)
      return Effect.andThen(
        told,
        Effect.suspend(() => readOn(jetStream, reading, follow))
      )
    })
  )

/** Reads the keys there are; none where nobody has made any. */
const readAll = Effect.gen(function* () {
  const jetStream = yield* JetStream
  const reading: Reading = { book: new KeyBook(), next: 1 }
  const found = yield* jetStream.stream(KEYS.name)
  if (Option.isSome(found)) yield* readOn(jetStream, reading, false)
  return reading
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

/** Milliseconds after which the stream is read on where reading it failed. */
const PAUSE_MS = 1_000

/** Repeats what failed, for ever. */
const patiently = <A>(what: Effect.Effect<A, NatsError>): Effect.Effect<A> =>
  Effect.catch(what, ({ message }) =>
    Effect.logWarning(`API keys: ${message}; trying again`).pipe(
      Effect.andThen(Effect.sleep(PAUSE_MS)),
      Effect.andThen(Effect.suspend(() => patiently(what)))
    )
  )

/**
 * Follows the keys until the scope ends. Returns once those of the present are known: whoever
 * serves before that would take every key for an unknown one. Waits for a server that is away; what
 * is known until then goes on holding.
 */
export const followKeys: Effect.Effect<KeyBook, never, JetStream | Scope.Scope> = Effect.gen(
  function* () {
    const jetStream = yield* JetStream
    const reading: Reading = { book: new KeyBook(), next: 1 }
    yield* patiently(jetStream.ensureStream(KEYS))
    yield* patiently(Effect.suspend(() => readOn(jetStream, reading, false)))
    yield* Effect.forkScoped(patiently(Effect.suspend(() => readOn(jetStream, reading, true))))
    return reading.book
  }
)
