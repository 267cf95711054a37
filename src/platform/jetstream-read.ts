/**
 * Reads a stream in order by one request per message (`$JS.API.DIRECT.GET`), many at a time in
 * flight. The server keeps no reading position, so none can get lost: a message that does not
 * arrive is requested again, and a missing one is reported by its stream sequence. A consumer of
 * headers only (the bell) reports each stored message; where the bell fails, the reader queries the
 * stream's end every second.
 */
import { DeliverPolicy, type JetStreamClient } from "@nats-io/jetstream"
import { Cause, Data, Effect, Option, Stream } from "effect"
import { type MessageSource, ReadAhead, type StoredMessage } from "./jetstream-read-ahead.ts"
import type { NatsError, NatsRefused } from "./nats.ts"

/** The stream ends behind this stream sequence, but holds no such message or cannot read it. */
export class MessageMissing extends Data.TaggedError("MessageMissing")<{
  readonly streamSeq: number
  readonly message: string
}> {}

export interface ReadRequest extends MessageSource {
  readonly client: JetStreamClient
  /** true: wait for new messages at the end; false: stop there */
  readonly follow: boolean
  /** reads the stream sequence of the last message from the stream's leader */
  readonly lastSeq: Effect.Effect<number, NatsError>
  readonly message: (streamSeq: number) => Effect.Effect<Option.Option<StoredMessage>, NatsError>
}

/** Calls `ring` with the stream sequence of each newly stored message; returns a stop function. */
const openBell = (
  { nats, client, stream }: ReadRequest,
  from: number,
  ring: (streamSeq: number) => void
) =>
  nats.call(`following stream ${stream}`, async () => {
    const consumer = await client.consumers.get(stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: from,
      headers_only: true
    })
    const callback = (message: { readonly seq: number }) => ring(message.seq)
    const messages = await consumer.consume({ max_messages: 256, callback })
    return () => {
      messages.stop()
      // Where this fails, the server drops the consumer by itself within five minutes.
      consumer.delete().catch(() => false)
    }
  })

/** Repeats an effect every 200 ms until the server is available: a read has no deadline. */
const patiently = <A>(effect: Effect.Effect<A, NatsError>): Effect.Effect<A, NatsRefused> =>
  effect.pipe(
    Effect.catchTag("NatsUnavailable", () =>
      Effect.andThen(Effect.sleep("200 millis"), patiently(effect))
    )
  )

/**
 * Follows the stream's end by the bell and, where the bell is silent, by querying the end. `listen`
 * returns the stream sequence of the first message that was read and is gone, where the stream has
 * become shorter; else null.
 */
const follower = (request: ReadRequest, ahead: ReadAhead) => {
  let stopBell: (() => void) | null = null
  /** queries in a row that found messages without the bell; after two, a new bell is opened */
  let missed = 0
  const close = () => {
    stopBell?.()
    stopBell = null
  }
  const ring = (streamSeq: number) => {
    missed = 0
    ahead.reached(streamSeq)
  }
  const listen = Effect.gen(function* () {
    if (stopBell !== null && !ahead.quiet) return null
    if (stopBell === null) stopBell = yield* openBell(request, ahead.last + 1, ring)
    const before = ahead.last
    const last = yield* request.lastSeq
    if (last < ahead.next - 1) return last + 1
    ahead.reached(last)
    if (ahead.last > before && ++missed > 1) close()
    return null
  })
  return { close, listen: patiently(listen) }
}

const missing = ({ stream }: ReadRequest, streamSeq: number) =>
  new MessageMissing({
    streamSeq,
    message: `message ${streamSeq} of stream ${stream} is missing or cannot be read`
  })

/** Reads a message that one copy of the stream lacks from the leader; fails where it has none. */
const confirm = Effect.fnUntraced(function* (request: ReadRequest, ahead: ReadAhead) {
  const found = yield* patiently(request.message(ahead.next))
  if (Option.isSome(found)) return ahead.put(found.value)
  return yield* missing(request, ahead.next)
})

const open = (request: ReadRequest) =>
  Effect.gen(function* () {
    const ahead = yield* Effect.acquireRelease(
      Effect.sync(() => new ReadAhead(request)),
      opened => Effect.sync(() => opened.close())
    )
    const { listen, close } = follower(request, ahead)
    yield* Effect.addFinalizer(() => Effect.sync(close))
    ahead.reached(yield* patiently(request.lastSeq))
    return Effect.gen(function* () {
      while (true) {
        const taken = ahead.take()
        if (taken === null) yield* confirm(request, ahead)
        else if (taken !== undefined) return taken
        else if (ahead.next <= ahead.last) yield* ahead.wait
        else if (!request.follow) return yield* Cause.done()
        else {
          const gone = yield* listen
          if (gone !== null) return yield* missing(request, gone)
          yield* ahead.wait
        }
      }
    })
  })

/** Streams the messages from `from` on, in order and without holes. */
export const readStream = (
  request: ReadRequest
): Stream.Stream<StoredMessage, NatsRefused | MessageMissing> =>
  Stream.scoped(Stream.fromPull(open(request)))
