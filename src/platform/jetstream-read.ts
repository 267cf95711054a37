/**
 * Reads a stream in order by asking for its messages one by one, many at a time in flight
 * (`$JS.API.DIRECT.GET`). No consumer keeps a place on the server, so there is none to lose: what
 * does not arrive is asked for again, and a message that is not there is known by its number. A
 * consumer of headers only rings when a message has been stored; if it fails, a look at the stream
 * every second does its work.
 */
import { DeliverPolicy, type JetStreamClient } from "@nats-io/jetstream"
import { Cause, Data, Effect, Option, Stream } from "effect"
import { type MessageSource, ReadAhead, type StoredMessage } from "./jetstream-read-ahead.ts"
import type { NatsError, NatsRefused } from "./nats.ts"

/** The stream has gone past this number, but holds no such message, or cannot read it. */
export class MessageMissing extends Data.TaggedError("MessageMissing")<{
  readonly streamSeq: number
  readonly message: string
}> {}

export interface ReadRequest extends MessageSource {
  readonly client: JetStreamClient
  /** whether to go on with new messages after the end */
  readonly follow: boolean
  /** the end of the stream, as its leader knows it */
  readonly lastSeq: Effect.Effect<number, NatsError>
  readonly message: (streamSeq: number) => Effect.Effect<Option.Option<StoredMessage>, NatsError>
}

/** Rings with the number of each message as it is stored; the function it gives ends that. */
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
      // Where this fails, the server forgets the consumer by itself within five minutes.
      consumer.delete().catch(() => false)
    }
  })

/** A read has no deadline: it goes on when the server is back. */
const patiently = <A>(effect: Effect.Effect<A, NatsError>): Effect.Effect<A, NatsRefused> =>
  effect.pipe(
    Effect.catchTag("NatsUnavailable", () =>
      Effect.andThen(Effect.sleep("200 millis"), patiently(effect))
    )
  )

/**
 * Listens at the end of the stream, and looks at it where the bell is silent. `listen` gives the
 * first message that had been read and is gone, if the stream has become shorter, else null.
 */
const follower = (request: ReadRequest, ahead: ReadAhead) => {
  let stopBell: (() => void) | null = null
  /** looks that found what the bell had not told */
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

/** The copy asked does not have the message: the leader decides whether it exists. */
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

/** The messages from a number on, in order and without holes. */
export const readStream = (
  request: ReadRequest
): Stream.Stream<StoredMessage, NatsRefused | MessageMissing> =>
  Stream.scoped(Stream.fromPull(open(request)))
