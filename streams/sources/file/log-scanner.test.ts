import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { rounds } from "../../../test/support/rounds.ts"
import { type Random, random } from "../../../test/support/seed.ts"
import { describeWithSharedData, sharedData } from "../../../test/support/shared-data.ts"
import { logsIn, readLog } from "./log-json.ts"
import { type LogRecord, newLogRecord } from "./log-record.ts"
import { LogScanner } from "./log-scanner.ts"

const scanner = new LogScanner()

const hexOf = (bytes: Uint8Array, length = bytes.length): string =>
  Buffer.from(bytes.subarray(0, length)).toString("hex")

/** What a record holds, as text: typed arrays are slow to compare. */
const shown = ({ raw, ...record }: LogRecord): string =>
  JSON.stringify({
    ...record,
    txHash: hexOf(record.txHash),
    blockHash: record.hasBlockHash ? hexOf(record.blockHash) : null,
    from: record.hasFrom ? hexOf(record.from) : null,
    to: record.hasTo ? hexOf(record.to) : null,
    address: hexOf(raw.address),
    topics: [raw.topicCount, hexOf(raw.topics, raw.topicCount * 32)],
    data: hexOf(raw.data, raw.dataLength),
    logIndex: raw.logIndex
  })

const byScanner = (line: string): string | null => {
  // Neighbours before and behind the line must not matter.
  const bytes = Buffer.from(`9"}\n${line}\n3,"x":{`)
  const record = newLogRecord()
  const end = bytes.length - 8
  return scanner.scan(bytes, 4, end, record) ? shown(record) : null
}

const byParsing = (line: string): string => {
  const value = Result.try(() => JSON.parse(line) as unknown)
  if (Result.isFailure(value)) return "not JSON"
  const logs = logsIn(value.success)
  const first = logs[0]
  if (first === undefined || logs.length > 1) return `${logs.length} logs`
  const record = newLogRecord()
  const reason = readLog(first, record)
  return reason === null ? shown(record) : reason
}

const hex = (r: Random, bytes: number): string =>
  `0x${Array.from({ length: bytes }, () => {
    const digits = r.integer(0, 255).toString(16).padStart(2, "0")
    return r.boolean(0.1) ? digits.toUpperCase() : digits
  }).join("")}`

const number = (r: Random, max: number): number | string => {
  const value = r.integer(0, max)
  return r.boolean(0.3) ? `0x${value.toString(16)}` : value
}

const randomLog = (r: Random): { readonly [name: string]: unknown } => {
  const fields: ReadonlyArray<readonly [string, unknown]> = [
    ["address", hex(r, 20)],
    ["topics", Array.from({ length: r.integer(0, 4) }, () => hex(r, 32))],
    ["data", hex(r, r.pick([0, 1, 32, 160]))],
    ["blockNumber", number(r, 2 ** 32 - 1)],
    ["transactionHash", hex(r, 32)],
    ["transactionIndex", number(r, 400)],
    ["logIndex", number(r, 1000)]
  ]
  const more: ReadonlyArray<readonly [string, unknown]> = [
    ["blockTimestamp", number(r, 1_750_000_000)],
    ["chainId", number(r, 99999)],
    ["blockHash", hex(r, 32)],
    ["removed", r.boolean()],
    ["type", "mined"],
    ["nonce", 12],
    ["nothing", null],
    ["ünknown", "Ω"]
  ]
  return Object.fromEntries(r.shuffle([...fields, ...more.filter(() => r.boolean())]))
}

const odd: ReadonlyArray<unknown> = [
  null,
  -1,
  1.5,
  1e21,
  "",
  "0x",
  "0xzz",
  "12",
  "0x012",
  {},
  [],
  [[]],
  "a\\b",
  'q"q',
  true,
  2 ** 53,
  "0x20000000000001",
  [null],
  ["0x"],
  4294967295
]

/** A line that is nearly a log: a field lost, odd, doubled, or a byte changed. */
const mutate = (r: Random, log: { readonly [name: string]: unknown }): string => {
  const names = Object.keys(log)
  const name = r.pick(names)
  const line = JSON.stringify(log)
  switch (r.integer(0, 5)) {
    case 0:
      return JSON.stringify({ ...log, [name]: undefined })
    case 1:
      return JSON.stringify({ ...log, [name]: r.pick(odd) })
    case 2:
      return `${line.slice(0, -1)},"${name}":${JSON.stringify(r.pick([...odd, log[name]]))}}`
    case 3: {
      const at = r.integer(0, line.length - 1)
      return line.slice(0, at) + r.pick([...'{}[]":,\\ xX0aé9-.e']) + line.slice(at + 1)
    }
    case 4:
      return line.slice(0, r.integer(0, line.length))
    default:
      return JSON.stringify(log, null, r.pick([" ", "\t"])).replaceAll("\n", r.pick(["", " "]))
  }
}

describe("the log scanner", () => {
  it("reads every plain log as JSON.parse does", () => {
    const r = random("scanner plain")
    for (let run = 0; run < rounds(2000); run++) {
      const line = JSON.stringify(randomLog(r))
      const scanned = byScanner(line)
      expect(scanned, line).not.toBeNull()
      expect(scanned).toBe(byParsing(line))
    }
  })

  it("agrees with JSON.parse on every other line, or leaves it alone", () => {
    const r = random("scanner mutated")
    let read = 0
    for (let run = 0; run < rounds(20_000); run++) {
      const line = mutate(r, randomLog(r))
      const scanned = byScanner(line)
      if (scanned === null) continue
      read++
      expect(scanned, line).toBe(byParsing(line))
    }
    expect(read).toBeGreaterThan(rounds(2000))
  })

  it("leaves cut and overlong data to the slow way, which cuts it", () => {
    const log = { ...randomLog(random("long")), data: `0x${"ab".repeat(70_000)}` }
    expect(byScanner(JSON.stringify(log))).toBeNull()
    expect(JSON.parse(byParsing(JSON.stringify(log))).data).toBe("ab".repeat(65_536))
  })
})

describe("logs out of receipts and blocks", () => {
  const log = { address: `0x${"11".repeat(20)}`, topics: [], data: "0x", logIndex: 3 }
  const hash = `0x${"22".repeat(32)}`
  const from = `0x${"33".repeat(20)}`

  it("inherits what the receipt tells", () => {
    const receipt = {
      transactionHash: hash,
      transactionIndex: "0x2",
      blockNumber: 9,
      from,
      to: null
    }
    const [one] = logsIn({ ...receipt, logs: [log] })
    expect(one).toEqual({
      log: { ...log, transactionHash: hash, transactionIndex: "0x2", blockNumber: 9 },
      tx: { ...receipt, logs: [log] }
    })
    const record = newLogRecord()
    expect(readLog(one!, record)).toBeNull()
    expect({ block: record.block, from: record.from[0], hasTo: record.hasTo }).toEqual({
      block: 9,
      from: 0x33,
      hasTo: false
    })
  })

  it("inherits what the block tells, also through its receipts", () => {
    const block = { number: 9, timestamp: "0x10", hash, transactions: [{ hash, from }] }
    const own = { ...log, transactionHash: hash, transactionIndex: 0 }
    const receipt = { transactionHash: hash, transactionIndex: 0, logs: [log] }
    for (const line of [
      { ...block, logs: [own] },
      { ...block, receipts: [receipt] },
      { jsonrpc: "2.0", result: { ...block, receipts: [receipt] } }
    ]) {
      const record = newLogRecord()
      expect(readLog(logsIn(line)[0]!, record)).toBeNull()
      expect([record.block, record.time, record.hasBlockHash, record.hasFrom]).toEqual([
        9,
        16,
        true,
        true
      ])
    }
  })
})

const files = ["blocks", "receipts-multichain", "eth-univ3-usdc-weth-500-2024-01-05"].map(
  name => `evm/logs/${name}.jsonl.gz`
)
describeWithSharedData("the log scanner on real logs", files, () => {
  it.each(files)("reads %s without falling back", file => {
    const lines = gunzipSync(readFileSync(join(sharedData, file)))
      .toString()
      .trimEnd()
      .split("\n")
    for (const line of lines) expect(byScanner(line)).toBe(byParsing(line))
  })
})
