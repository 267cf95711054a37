/**
 * How fast logs become events: bytes sliced into columns, beside viem's `decodeEventLog` making
 * objects of the same logs, in turns. viem is given the one event that each log is, which is its
 * quickest way; with the ABI of all watched events, as it is commonly used, it is half as fast.
 * First a market's logs, then those of each venue kind by itself.
 */
import { readFile } from "node:fs/promises"
import { gunzipSync } from "node:zlib"
import { type AbiEvent, decodeEventLog, parseAbiItem } from "viem"
import { BatchBuilder } from "../streams/batch/builder.ts"
import { NONE } from "../streams/batch/id-table.ts"
import { evmDecoder } from "../streams/evm/decoder.ts"
import type { RawLog } from "../streams/evm/raw-log.ts"
import { venueKinds } from "../streams/evm/venue-kinds.ts"
import { logsIn, readLog } from "../streams/sources/file/log-json.ts"
import { newLogRecord } from "../streams/sources/file/log-record.ts"
import { LogScanner } from "../streams/sources/file/log-scanner.ts"
import { alone, type Bench, type BenchResult, compared, type Measure } from "./bench.ts"
import { type KindLogs, logsOfKinds } from "./decode/kind-logs.ts"
import { copyOf, topic0Of, type ViemLog, viemLog } from "./decode/log-copies.ts"
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
/** Logs of each kind. */
const KIND_LOGS = 10_000
/** Their rounds are so short that there are this many times as many. */
const KIND_ROUNDS = 3
const WARM_UP = 5

/** A builder with room for what the last one came to hold, as sources make it. */
const newBuilder = (last: BatchBuilder | null = null): BatchBuilder => {
  const out = new BatchBuilder(last?.batch)
  out.openBlock(1, 1, NONE, NONE)
  return out
}

/** Decodes so many logs into batches as large as segments; every one must be an event. */
const decodeAll = (count: number, next: (index: number) => RawLog): void => {
  let out = newBuilder()
  for (let i = 0; i < count; i++) {
    if (out.count >= BATCH_EVENTS) out = newBuilder(out)
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

const abiOf = new Map<string, AbiEvent>(
  venueKinds.flatMap(kind => kind.events.map(e => [e.topic0, parseAbiItem(e.abi) as AbiEvent]))
)
const wholeAbi = [...abiOf.values()]

/** The logs as viem wants them: text. */
const viemLogs = (lines: ReadonlyArray<Line>): ReadonlyArray<ViemLog> => {
  const step = Math.max(1, Math.floor(lines.length / VIEM_LOGS))
  return lines
    .filter((_, i) => i % step === 0)
    .map(({ log }) => viemLog(log, abiOf.get(topic0Of(log)) as AbiEvent))
}

const decodeByViem = (texts: ReadonlyArray<ViemLog>): void => {
  for (const { own, topics, data } of texts) decodeEventLog({ abi: own, topics, data })
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

const perSecond = (count: number, seconds: number): number => Math.round(count / seconds)

const decodeKind = (logs: ReadonlyArray<RawLog>): void =>
  decodeAll(logs.length, i => logs[i] as RawLog)

/** One venue kind: its logs by us and by viem. */
const measureKind = ({ kind, origin, logs, texts }: KindLogs, rounds: number): Measure => {
  say(`decode: ${kind}, ${texts.length} ${origin} logs`)
  const [columns, viem] = inTurns(rounds, [() => decodeKind(logs), () => decodeByViem(texts)]) as [
    number,
    number
  ]
  const ours = perSecond(logs.length, columns)
  const metric = `decode_${kind.replaceAll("-", "_")}`
  return compared(metric, "logs/s", ours, perSecond(texts.length, viem), logs.length)
}

/** Every kind, after all of them have been decoded for a while: a lane's decoder meets them all. */
const measureKinds = (count: number, rounds: number): ReadonlyArray<Measure> => {
  const kinds = logsOfKinds(count)
  for (let i = 0; i < WARM_UP; i++) for (const { logs } of kinds) decodeKind(logs)
  return kinds.map(kind => measureKind(kind, rounds * KIND_ROUNDS))
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
  const rounds = countOf("rounds", options.rounds, 15)
  const scanner = new LogScanner()
  const record = newLogRecord()
  const few = lines.slice(0, texts.length)
  const [columns, scanned, parsed, own, whole] = inTurns(rounds, [
    () => decodeAll(n, i => (lines[i] as Line).log),
    () =>
      decodeAll(n, i => {
        const { from, to } = lines[i] as Line
        scanner.scan(bytes, from, to, record)
        return record.raw
      }),
    () => decodeAll(few.length, i => parsedLog(bytes, few[i] as Line, record)),
    () => decodeByViem(texts),
    () => {
      for (const { topics, data } of texts) decodeEventLog({ abi: wholeAbi, topics, data })
    }
  ]) as [number, number, number, number, number]
  const kinds = measureKinds(Math.min(n, KIND_LOGS), rounds)
  return {
    bench: "decode",
    ...compared("decode", "logs/s", perSecond(n, columns), perSecond(texts.length, own), n),
    also: [
      alone("viem_whole_abi", "logs/s", perSecond(texts.length, whole), texts.length),
      compared(
        "text_to_columns",
        "logs/s",
        perSecond(n, scanned),
        perSecond(few.length, parsed),
        n
      ),
      ...kinds
    ]
  }
}

export const bench: Bench = {
  name: "decode",
  about: "logs to event columns, beside viem's decodeEventLog",
  options: OPTIONS,
  run
}
