/**
 * How fast logs become events: `swaptape` slices bytes into columns, viem's `decodeEventLog` makes
 * objects. Both get the same generated logs with realistic skew (`generate-logs.ts`), in turns, and
 * the best round of each counts, so that other work on the machine weighs on neither.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type AbiEvent, decodeEventLog, type Hex, parseAbiItem } from "viem"
import { BatchBuilder } from "../streams/batch/builder.ts"
import { NONE } from "../streams/batch/id-table.ts"
import { evmDecoder } from "../streams/evm/decoder.ts"
import { venueKinds } from "../streams/evm/venue-kinds.ts"
import type { RawLog } from "../streams/raw-log.ts"
import { newLogRecord } from "../streams/sources/file/log-record.ts"
import { LogScanner } from "../streams/sources/file/log-scanner.ts"
import type { Bench } from "./bench.ts"
import { generateLogs } from "./generate-logs.ts"

const SWAPS = 100_000
const ROUNDS = 12
/** Events after which a batch is full: about a segment of 256 KiB. */
const BATCH_EVENTS = 2500
/** viem is slow enough for fewer logs to do. */
const VIEM_LOGS = 10_000

interface JsonLog {
  readonly address: string
  readonly topics: [Hex, ...Array<Hex>]
  readonly data: Hex
}

interface Lines {
  readonly bytes: Uint8Array
  /** where each line begins, and the end of the last */
  readonly starts: ReadonlyArray<number>
}

const generated = async (): Promise<Lines> => {
  const folder = await mkdtemp(join(tmpdir(), "swaptape-bench-"))
  try {
    const out = join(folder, "logs.jsonl")
    await generateLogs({ tokens: 5000, wallets: 50_000, swaps: SWAPS, seed: "decode", out })
    const bytes = await readFile(out)
    const starts = [0]
    for (let i = 0; i < bytes.length; i++) if (bytes[i] === 0x0a) starts.push(i + 1)
    return { bytes, starts }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const newBuilder = (): BatchBuilder => {
  const out = new BatchBuilder()
  out.openBlock(1, 1, NONE, NONE)
  return out
}

const decodeAll = (count: number, next: (index: number) => RawLog): void => {
  let out = newBuilder()
  for (let i = 0; i < count; i++) {
    if (out.count >= BATCH_EVENTS) out = newBuilder()
    const reason = evmDecoder.decode(next(i), out)
    if (reason !== null) throw new Error(`log ${i}: ${reason}`)
  }
}

/** The lines as logs in bytes, each an object of its own. */
const rawLogs = ({ bytes, starts }: Lines): ReadonlyArray<RawLog> => {
  const scanner = new LogScanner()
  const record = newLogRecord()
  return starts.slice(0, -1).map((from, i) => {
    scanner.scan(bytes, from, (starts[i + 1] as number) - 1, record)
    const { raw } = record
    return {
      ...raw,
      address: raw.address.slice(),
      topics: raw.topics.slice(),
      data: raw.data.slice(0, raw.dataLength)
    }
  })
}

/** Logs a second of one call. */
const rate = (count: number, work: () => void): number => {
  const start = performance.now()
  work()
  return (count / (performance.now() - start)) * 1000
}

export const bench: Bench = {
  name: "decode",
  run: async () => {
    const lines = await generated()
    const logs = rawLogs(lines)
    const n = logs.length
    const text = Buffer.from(lines.bytes.buffer, lines.bytes.byteOffset, lines.bytes.length)
    const json = lines.starts
      .slice(-VIEM_LOGS - 1, -1)
      .map((from, i, all) => JSON.parse(text.toString("latin1", from, all[i + 1])) as JsonLog)
    const abiOf = new Map<string, AbiEvent>(
      venueKinds.flatMap(kind => kind.events.map(e => [e.topic0, parseAbiItem(e.abi) as AbiEvent]))
    )
    const wholeAbi = [...abiOf.values()]
    const scanner = new LogScanner()
    const record = newLogRecord()
    const contenders = {
      "bytes to columns": () => decodeAll(n, i => logs[i] as RawLog),
      "NDJSON text to columns": () =>
        decodeAll(n, i => {
          const [from, next] = [lines.starts[i] as number, lines.starts[i + 1] as number]
          scanner.scan(lines.bytes, from, next - 1, record)
          return record.raw
        }),
      "viem, ABI of the log's event only": () => {
        for (const { topics, data } of json) {
          decodeEventLog({ abi: [abiOf.get(topics[0]) as AbiEvent], topics, data })
        }
      },
      "viem, ABI of all watched events": () => {
        for (const { topics, data } of json) decodeEventLog({ abi: wholeAbi, topics, data })
      }
    }
    const best = new Map<string, number>()
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, work] of Object.entries(contenders)) {
        const count = name.startsWith("viem") ? json.length : n
        best.set(name, Math.max(best.get(name) ?? 0, rate(count, work)))
      }
    }
    const value = Math.round(best.get("bytes to columns") as number)
    // viem at its quickest; given the whole ABI, as it is commonly used, it is half as fast
    const baseline = Math.round(best.get("viem, ABI of the log's event only") as number)
    for (const [name, logsPerSecond] of best) {
      const times = (value / logsPerSecond).toFixed(1)
      console.log(`${name}: ${Math.round(logsPerSecond)} logs/s (bytes to columns is ${times}x)`)
    }
    return {
      bench: "decode",
      metric: "logs decoded, best round; baseline viem decodeEventLog",
      value,
      unit: "logs/s",
      baseline,
      ratio: Number((value / baseline).toFixed(1)),
      n
    }
  }
}
