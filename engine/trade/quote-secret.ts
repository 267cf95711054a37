/**
 * The secret that seals quotes, which engines on one log server share: each builds the swaps of
 * quotes that another gave, or that it gave itself before a restart. It stands in a stream of its
 * own beside the logs, written by whoever finds none.
 */
import { randomBytes } from "node:crypto"
import { Effect, Option, type Scope } from "effect"
import {
  type FollowedStream,
  followedState,
  followOn,
  type StreamReading
} from "../../src/platform/follow-stream.ts"
import { JetStream, misplaced } from "../../src/platform/jetstream.ts"
import type { NatsError } from "../../src/platform/nats.ts"

const QUOTES = {
  name: "QUOTES",
  subject: "quotes",
  description: "swaptape: the secret that seals quotes"
} as const

const SECRET_BYTES = 32

/** The newest secret; null where there is none that can be read, and after which message. */
const newest = (jetStream: JetStream["Service"]) =>
  Effect.gen(function* () {
    const { lastSeq } = yield* jetStream.ensureStream(QUOTES)
    const message = lastSeq === 0 ? Option.none() : yield* jetStream.message(QUOTES.name, lastSeq)
    const data = Option.isSome(message) ? message.value.data : null
    return { lastSeq, secret: data?.length === SECRET_BYTES ? data : null }
  })

/** The secret that stands there, or now does; null where another engine's came first. */
const readOrWrite = (jetStream: JetStream["Service"], made: Uint8Array) =>
  Effect.gen(function* () {
    const { lastSeq, secret } = yield* newest(jetStream)
    if (secret !== null) return secret
    const sent = yield* jetStream.publish({
      ...{
        subject: QUOTES.subject,
        headers: {},
        data: made,
        messageId: Buffer.from(made).toString("hex")
      },
      ...{ expectedLastSeq: lastSeq, expectedLastId: null }
    })
    return yield* Effect.as(sent, made).pipe(
      Effect.catchIf(
        error => error._tag === "NatsRefused" && misplaced(error),
        () => Effect.succeed(null)
      )
    )
  })

/** The secret that an engine seals quotes with, and how the stream is that it stands in. */
export interface SharedSecret {
  readonly secret: Uint8Array
  readonly stream: () => FollowedStream
}

/** What looks whether others still find the secret in the stream. */
const readingOf = (secret: Uint8Array): StreamReading => {
  let newestSecret: Uint8Array | null = null
  return {
    stream: QUOTES.name,
    ...{ next: 1, longest: 0 },
    take: ({ data }) =>
      Effect.sync(() => {
        if (data.length === SECRET_BYTES) newestSecret = data
      }),
    missing: words => Effect.logWarning(`the secret of quotes: ${words}`),
    anew: () => {
      newestSecret = null
    },
    remedy:
      "Engines on this server refuse swaps of each other's quotes (ROUTE_MISMATCH): restart them, so that " +
      "all have one secret again",
    agrees: () => newestSecret === null || Buffer.from(secret).equals(newestSecret)
  }
}

/**
 * The secret of the log's server, which is followed until the scope ends. Where that takes none, as
 * on a full disk, one of this engine alone: who serves waits for nothing.
 */
export const quoteSecret: Effect.Effect<SharedSecret, never, JetStream | Scope.Scope> = Effect.gen(
  function* () {
    const jetStream = yield* JetStream
    const made = Uint8Array.from(randomBytes(SECRET_BYTES))
    const alone = ({ message }: NatsError) =>
      Effect.as(
        Effect.logWarning(`quotes are good at this engine alone, until it ends: ${message}`),
        made
      )
    let secret: Uint8Array | null = null
    while (secret === null) secret = yield* Effect.catch(readOrWrite(jetStream, made), alone)
    const reading = readingOf(secret)
    yield* followOn(jetStream, "the secret of quotes", QUOTES, reading)
    return { secret, stream: () => followedState(reading) }
  }
)
