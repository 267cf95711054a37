/**
 * The logs by which decoding is measured kind by kind: real ones of `../shared/data` where it has
 * a few dozen of the kind, else ones made from the ABI of the kind's events.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { BatchBuilder } from "../../streams/batch/builder.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { positionManagerEvents } from "../../streams/evm/position-managers/decode.ts"
import type { RawLog } from "../../streams/evm/raw-log.ts"
import { venueKinds } from "../../streams/evm/venue-kinds.ts"
import { decodedAs } from "../../streams/pool-venue.ts"
import { newLogRecord } from "../../streams/sources/file/log-record.ts"
import { LogScanner } from "../../streams/sources/file/log-scanner.ts"
import type { EventDecoder } from "../../streams/venue.ts"
import { abiEvent } from "../../test/support/abi-logs.ts"
import { generatedLogs } from "./generated-logs.ts"
import { copyOf, topic0Of, type ViemLog, viemLog } from "./log-copies.ts"

export interface KindLogs {
  readonly kind: string
  readonly origin: "real" | "generated"
  /** as many as asked for, some of them again and again where there are fewer */
  readonly logs: ReadonlyArray<RawLog>
  /** each of them once, for viem */
  readonly texts: ReadonlyArray<ViemLog>
}

type EventLog = readonly [RawLog, EventDecoder]

interface KindEvents {
  readonly kind: string
  readonly events: ReadonlyArray<EventDecoder>
  /** those that a pool of the kind logs though another kind decodes them, the swap among them */
  readonly shared: ReadonlyArray<EventDecoder>
}

const REAL_FILES = ["blocks", "receipts-multichain", "eth-univ3-npm-2024-01-05"]
const folder = join(import.meta.dirname, "..", "..", "..", "shared", "data", "evm", "logs")
/** Fewer real logs than these tell of single pools. */
const ENOUGH = 30
const GENERATED = 500

const kinds: ReadonlyArray<KindEvents> = [
  ...venueKinds.map(({ kind, events }) => {
    const shape = decodedAs(kind)
    const shared = venueKinds.flatMap(other => (other.kind === shape ? other.events : []))
    return { kind, events, shared: shape === kind ? [] : shared }
  }),
  { kind: "position-managers", events: positionManagerEvents, shared: [] }
]

/** The event of the kind that a log is. */
const eventIn = (events: ReadonlyArray<EventDecoder>, log: RawLog): EventDecoder | undefined => {
  const topic0 = topic0Of(log)
  return events.find(event => {
    if (event.topic0 !== topic0) return false
    const out = new BatchBuilder()
    out.openBlock(1, 1, NONE, NONE)
    return event.decode(log, out) === null
  })
}

/** The real logs of each kind. */
const realLogs = (): ReadonlyMap<string, ReadonlyArray<EventLog>> => {
  const found = new Map<string, Array<EventLog>>(kinds.map(({ kind }) => [kind, []]))
  const scanner = new LogScanner()
  const record = newLogRecord()
  for (const name of REAL_FILES) {
    const path = join(folder, `${name}.jsonl.gz`)
    const bytes = existsSync(path) ? gunzipSync(readFileSync(path)) : Buffer.alloc(0)
    for (let from = 0; from < bytes.length; ) {
      const newline = bytes.indexOf(0x0a, from)
      const to = newline < 0 ? bytes.length : newline
      const isLog = scanner.scan(bytes, from, to, record) && record.raw.topicCount > 0
      for (const { kind, events } of isLog ? kinds : []) {
        const event = eventIn(events, record.raw)
        if (event !== undefined) found.get(kind)?.push([copyOf(record.raw), event])
      }
      from = to + 1
    }
  }
  return found
}

/** What a pool of the kind logs, its swap first: the kind's own, or that of its shape. */
const loggedBy = ({ events, shared }: KindEvents): ReadonlyArray<EventDecoder> => {
  const swaps = [...events, ...shared].filter(({ abi }) => /^event \w*Swap\(/.test(abi))
  return [...new Set([...swaps.slice(0, 1), ...events])]
}

/** Every kind with `count` logs of it. */
export const logsOfKinds = (count: number): ReadonlyArray<KindLogs> => {
  const real = realLogs()
  return kinds.map(one => {
    const { kind } = one
    const ofKind = real.get(kind) ?? []
    const isReal = ofKind.length >= ENOUGH
    const size = Math.min(count, GENERATED)
    const chosen = isReal ? ofKind : generatedLogs(kind, loggedBy(one), size)
    const again = <A>(list: ReadonlyArray<A>) =>
      Array.from({ length: count }, (_, i) => list[i % list.length] as A)
    return {
      kind,
      origin: isReal ? "real" : "generated",
      logs: again(chosen.map(([log]) => log)),
      texts: chosen.slice(0, size).map(([log, event]) => viemLog(log, abiEvent(event.abi)))
    }
  })
}
