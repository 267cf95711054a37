/**
 * How fast logs become events: bytes sliced into columns, beside viem's `decodeEventLog` making
 * objects of the same logs, in turns. viem is given the one event that each log is, which is its
 * quickest way; with the ABI of all watched events, as it is commonly used, it is half as fast.
 */
import { readFile } from "node:fs/promises"
import { gunzipSync } from "node:zlib"
import { type AbiEvent, decodeEventLog, type Hex, parseAbiItem } from "viem"
import { toHex } from "../src/domain/address.ts"
import { BatchBuilder } from "../streams/batch/builder.ts"
import { NONE } from "../streams/batch/id-table.ts"
import { evmDecoder } from "../streams/evm/decoder.ts"
import { venueKinds } from "../streams/evm/venue-kinds.ts"
import type { RawLog } from "../streams/raw-log.ts"
import { logsIn, readLog } from "../streams/sources/file/log-json.ts"
import { newLogRecord } from "../streams/sources/file/log-record.ts"
import { LogScanner } from "../streams/sources/file/log-scanner.ts"
import { alone, type Bench, type BenchResult, compared } from "./bench.ts"
import { cachedLogs } from "./generate/cached-logs.ts"
import { median } from "./measure/quantile.ts"
import { countOf, optionsOf, say } from "./measure/words.ts"

const OPTIONS = `  --file FILE         logs to decode, NDJSON or gzipped NDJSON, instead of generated ones
  --swaps N           swaps to generate (100000)
  --tokens N          tokens (5000)
  --wallets N         wallets (50000)
  --rounds N          rounds, of which the median counts (15)`

/** Events after which a batch is full: about a segment of 256 KiB. */
const BATCH_EVENTS = 2500
/** viem is slow enough for fewer logs to do; they are taken evenly from all. */
const VIEM_LOGS = 10_000

const newBuilder = (): BatchBuilder => {
  const out = new BatchBuilder()
  out.openBlock(1, 1, NONE, NONE)
  return out
}

/** Decodes so many logs into batches as large as segments; every one must be an event. */
const decodeAll = (count: number, next: (index: number) => RawLog): void => {
  let out = newBuilder()
  for (let i = 0; i < count; i++) {
    if (out.count >= BATCH_EVENTS) out = newBuilder()
    const reason = evmDecoder.decode(next(i), out)
    if (reason !== null) throw new Error(`log ${i}: ${reason}`)
  }
}

/** A line that the scanner reads and that is an event, with its log in bytes of its own. */
interface Line {
  readonly from: number
  readonly to: number
  readonly log: RawLog
}

const copyOf = (raw: RawLog): RawLog => ({
  ...raw,
  address: raw.address.slice(),
  topics: raw.topics.slice(),
  data: raw.data.slice(0, raw.dataLength)
})

/** The lines that are an event of a watched kind; all others are left out of every contest. */
const eventLines = (bytes: Buffer): ReadonlyArray<Line> => {
  const scanner = new LogScanner()
  const record = newLogRecord()
  const lines: Array<Line> = []
  let out = newBuilder()
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, from)
    const to = newline < 0 ? bytes.length : newline
    if (out.count >= BATCH_EVENTS) out = newBuilder()
    if (scanner.scan(bytes, from, to, record) && evmDecoder.decode(record.raw, out) === null)
      lines.push({ from, to, log: copyOf(record.raw) })
    from = to + 1
  }
  return lines
}

const readLogs = async (file: string): Promise<Buffer> => {
  const bytes = await readFile(file)
  return file.endsWith(".gz") ? gunzipSync(bytes) : bytes
}

interface ViemLog {
  readonly own: ReadonlyArray<AbiEvent>
  readonly topics: [Hex, ...Array<Hex>]
  readonly data: Hex
}

const abiOf = new Map<string, AbiEvent>(
  venueKinds.flatMap(kind => kind.events.map(e => [e.topic0, parseAbiItem(e.abi) as AbiEvent]))
)
const wholeAbi = [...abiOf.values()]

/** The logs as viem wants them: text. */
const viemLogs = (lines: ReadonlyArray<Line>): ReadonlyArray<ViemLog> => {
  const step = Math.max(1, Math.floor(lines.length / VIEM_LOGS))
  return lines
    .filter((_, i) => i % step === 0)
    .map(({ log }) => {
      const topics = Array.from({ length: log.topicCount }, (_, i) =>
        toHex(log.topics.subarray(32 * i, 32 * i + 32))
      ) as [Hex, ...Array<Hex>]
      return { own: [abiOf.get(topics[0]) as AbiEvent], topics, data: toHex(log.data) as Hex }
    })
}

/** Median seconds of each piece of work, taken in turns. */
const inTurns = (rounds: number, works: ReadonlyArray<() => void>): ReadonlyArray<number> => {
  const seconds = works.map((): Array<number> => [])
  // the first two turns warm up
  for (let round = -2; round < rounds; round++) {
    for (const [i, work] of works.entries()) {
      const began = performance.now()
      work()
      if (round >= 0) seconds[i]?.push((performance.now() - began) / 1000)
    }
  }
  return seconds.map(median)
}

/** What JSON.parse makes of a line, as bytes: the way around the scanner. */
const parsedLog = (bytes: Buffer, { from, to }: Line, record = newLogRecord()): RawLog => {
  for (const found of logsIn(JSON.parse(bytes.toString("latin1", from, to)))) readLog(found, record)
  return record.raw
}

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    file: { type: "string" },
    swaps: { type: "string" },
    tokens: { type: "string" },
    wallets: { type: "string" },
    rounds: { type: "string" }
  })
  const size = {
    swaps: countOf("swaps", options.swaps, 100_000),
    tokens: countOf("tokens", options.tokens, 5000),
    wallets: countOf("wallets", options.wallets, 50_000),
    txs: true
  }
  const file = options.file ?? ((await cachedLogs(size)).files[0] as string)
  const bytes = await readLogs(file)
  const lines = eventLines(bytes)
  const n = lines.length
  if (n === 0) throw new Error(`no line of ${file} is an event of a watched kind`)
  const texts = viemLogs(lines)
  say(`decode: ${n} logs, ${texts.length} of them by viem`)
  const scanner = new LogScanner()
  const record = newLogRecord()
  const few = lines.slice(0, texts.length)
  const [columns, scanned, parsed, own, whole] = inTurns(countOf("rounds", options.rounds, 15), [
    () => decodeAll(n, i => (lines[i] as Line).log),
    () =>
      decodeAll(n, i => {
        const { from, to } = lines[i] as Line
        scanner.scan(bytes, from, to, record)
        return record.raw
      }),
    () => decodeAll(few.length, i => parsedLog(bytes, few[i] as Line, record)),
    () => {
      for (const { own, topics, data } of texts) decodeEventLog({ abi: own, topics, data })
    },
    () => {
      for (const { topics, data } of texts) decodeEventLog({ abi: wholeAbi, topics, data })
    }
  ]) as [number, number, number, number, number]
  const perSecond = (count: number, seconds: number) => Math.round(count / seconds)
  return {
    bench: "decode",
    ...compared("decode", "logs/s", perSecond(n, columns), perSecond(texts.length, own), n),
    also: [
      alone("viem_whole_abi", "logs/s", perSecond(texts.length, whole), texts.length),
      compared("text_to_columns", "logs/s", perSecond(n, scanned), perSecond(few.length, parsed), n)
    ]
  }
}

export const bench: Bench = {
  name: "decode",
  about: "logs to event columns, beside viem's decodeEventLog",
  options: OPTIONS,
  run
}
