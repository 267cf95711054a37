/**
 * The secret that seals quotes, which engines on one log server share: each builds the swaps of
 * quotes that another gave, or that it gave itself before a restart. It stands in a stream of its
 * own beside the logs, written by whoever finds none.
 */
import { randomBytes } from "node:crypto"
import { Effect, Option } from "effect"
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

/**
 * The secret of the log's server. Where that takes none, as on a full disk, one of this engine
 * alone: who serves waits for nothing.
 */
export const quoteSecret: Effect.Effect<Uint8Array, never, JetStream> = Effect.gen(function* () {
  const jetStream = yield* JetStream
  const made = Uint8Array.from(randomBytes(SECRET_BYTES))
  const alone = ({ message }: NatsError) =>
    Effect.as(
      Effect.logWarning(`quotes are good at this engine alone, until it ends: ${message}`),
      made
    )
  for (;;) {
    const secret = yield* Effect.catch(readOrWrite(jetStream, made), alone)
    if (secret !== null) return secret
  }
})
