/**
 * The log of probes: the stream `PROBES` beside the chains' logs, one record a message, never
 * written again. A prober appends to it; every node that serves follows it.
 */
import { Effect, type Scope, Stream } from "effect"
import { JetStream, misplaced } from "../../src/platform/jetstream.ts"
import type { NatsError } from "../../src/platform/nats.ts"
import { decodeProbeRecord, encodeProbeRecord, type ProbeRecord } from "./probe-record.ts"
import { UptimeBook } from "./uptime.ts"

const PROBES = { name: "PROBES", subject: "probes" } as const

/** Days that `/v1/status` tells of. */
const DAYS = 30

/** Appends a record and waits until it is on disk. Fails where the server does not take it now. */
export const appendProbes = (record: ProbeRecord): Effect.Effect<void, NatsError, JetStream> =>
  Effect.gen(function* () {
    const jetStream = yield* JetStream
    const { lastSeq } = yield* jetStream.ensureStream(PROBES)
    const sent = yield* jetStream.publish({
      ...{ subject: PROBES.subject, headers: {}, data: encodeProbeRecord(record) },
      messageId: `${record.kind} ${record.from} ${record.to}`,
      ...{ expectedLastSeq: lastSeq, expectedLastId: null }
    })
    yield* sent
  }).pipe(
    // another prober appends beside this one
    Effect.retry({
      times: 3,
      while: error => error._tag === "NatsRefused" && misplaced(error)
    })
  )

/** Milliseconds after which the stream is read on where reading it failed. */
const PAUSE_MS = 1_000

/**
 * Follows the probes until the scope ends. A record that nobody can read, or that is missing, is
 * passed over: that time was then not measured.
 */
export const followProbes: Effect.Effect<UptimeBook, never, JetStream | Scope.Scope> = Effect.gen(
  function* () {
    const jetStream = yield* JetStream
    const book = new UptimeBook(DAYS)
    let next = 1
    const readOn = Effect.gen(function* () {
      yield* jetStream.ensureStream(PROBES)
      const messages = jetStream.read(PROBES.name, { from: next, follow: true })
      yield* Stream.runForEach(messages, ({ streamSeq, data }) =>
        Effect.sync(() => {
          const record = decodeProbeRecord(data)
          if (record !== null) book.apply(record)
          next = streamSeq + 1
        })
      )
    })
    const patiently: Effect.Effect<never> = readOn.pipe(
      Effect.catchTag("MessageMissing", ({ streamSeq, message }) => {
        next = Math.max(next, streamSeq) + 1
        return Effect.logWarning(`uptime: ${message}`)
      }),
      Effect.catch(({ message }) => Effect.logWarning(`uptime: ${message}; trying again`)),
      Effect.andThen(Effect.sleep(PAUSE_MS)),
      Effect.andThen(Effect.suspend(() => patiently))
    )
    yield* Effect.forkScoped(patiently)
    return book
  }
)
