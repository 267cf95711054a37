/** What a prober saw: the records of the stream `PROBES`, each one message of JSON. */
import { Result, Schema } from "effect"

/** Probes of a chain, and those that found it well. */
const Counts = Schema.Struct({ probes: Schema.Int, ok: Schema.Int })
export type ProbeCounts = typeof Counts.Type

const ProbeRecord = Schema.Struct({
  kind: Schema.Literal("ProbesTaken"),
  /** Unix seconds of the first and the last probe: of one UTC day */
  from: Schema.Int,
  to: Schema.Int,
  /** seconds between two probes */
  every: Schema.Int,
  probes: Schema.Int,
  /** those that the service answered in time */
  answered: Schema.Int,
  /** by the key of a chain; of a probe without an answer, the chains of the answer before it */
  chains: Schema.Record(Schema.String, Counts)
})
export type ProbeRecord = typeof ProbeRecord.Type

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(ProbeRecord))
const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const encodeProbeRecord = (record: ProbeRecord): Uint8Array =>
  encoder.encode(JSON.stringify(record))

/** The record of a message; null where this version cannot read it. */
export const decodeProbeRecord = (bytes: Uint8Array): ProbeRecord | null =>
  Result.getOrNull(decode(decoder.decode(bytes)))
