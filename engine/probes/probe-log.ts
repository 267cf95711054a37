/**
 * The log of probes: the stream `PROBES` beside the chains' logs, one record a message, never
 * written again. A prober appends to it; every node that serves follows it.
 */
import { Effect, type Scope } from "effect"
import {
  type FollowedStream,
  followedState,
  followOn,
  type StreamReading
} from "../../src/platform/follow-stream.ts"
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

/** What probers found, and how the stream of their records is. */
export interface FollowedProbes {
  readonly told: UptimeBook["told"]
  readonly stream: () => FollowedStream
}

/**
 * Follows the probes until the scope ends. A record that nobody can read, or that is missing, is
 * passed over: that time was then not measured.
 */
export const followProbes: Effect.Effect<FollowedProbes, never, JetStream | Scope.Scope> =
  Effect.gen(function* () {
    const jetStream = yield* JetStream
    let book = new UptimeBook(DAYS)
    const reading: StreamReading = {
      stream: PROBES.name,
      ...{ next: 1, longest: 0 },
      take: ({ data }) =>
        Effect.sync(() => {
          const record = decodeProbeRecord(data)
          if (record !== null) book.apply(record)
        }),
      missing: words => Effect.logWarning(`uptime: ${words}`),
      anew: () => {
        book = new UptimeBook(DAYS)
      },
      remedy:
        "The newest measurements of uptime are lost, and their time counts as not measured: nothing is " +
        "to be done but to find out why the server lost what it had acknowledged"
    }
    yield* followOn(jetStream, "uptime", PROBES, reading)
    return { told: () => book.told(), stream: () => followedState(reading) }
  })
