import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Address, Hash } from "../../../src/domain/address.ts"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import {
  type FakeLog,
  pairCreatedLog,
  syncLog,
  transferLog
} from "../../../test/support/fake-logs.ts"
import { random } from "../../../test/support/seed.ts"
import { countKinds, drain, tailOf } from "../../../test/support/tape-input.ts"
import type { FileSourceOptions } from "./file-run.ts"
import { makeFileSource } from "./file-source.ts"

const address = (byte: number) =>
  `0x${byte.toString(16).padStart(2, "0").repeat(20)}` as Address & `0x${string}`
const hashOf = (n: number) => `0x${n.toString(16).padStart(64, "0")}` as Hash

const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48" as Address & `0x${string}`
const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2" as Address & `0x${string}`
/** The real pair of the two above: its address follows from the real factory. */
const PAIR = "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc"

const chain: ChainConfig = {
  id: 1,
  key: "ethereum",
  name: "Ethereum",
  native: { symbol: "ETH", decimals: 18 },
  nativeToken: WETH,
  anchors: [{ address: USDC, symbol: "USDC", decimals: 6, kind: "usd" }],
  venues: [
    {
      id: "uniswap_v2",
      kind: "uniswap-v2",
      factory: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f" as Address,
      initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f" as Hash,
      feeBps: 30
    }
  ],
  routers: [],
  finalityDepth: 64,
  blockTimeMs: 12_000
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "file-source-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

let names = 0
const file = (lines: ReadonlyArray<unknown>, name = `${names++}.jsonl`): string => {
  const path = join(folder, name)
  const text = lines
    .map(line => (typeof line === "string" ? line : JSON.stringify(line)))
    .join("\n")
  writeFileSync(path, name.endsWith(".gz") ? gzipSync(text) : text)
  return path
}

/** A log's line; transactions are numbered by log index unless told. */
const line = (block: number, logIndex: number, log: FakeLog, more: object = {}) => ({
  chainId: 1,
  ...log,
  blockNumber: block,
  blockTimestamp: 1000 + block,
  transactionHash: hashOf(block * 1000 + logIndex),
  transactionIndex: logIndex,
  logIndex,
  ...more
})

const sync = (n: number) => syncLog(PAIR, BigInt(n) + 1n, 2n ** 70n)

const read = (files: ReadonlyArray<string>, more: Partial<FileSourceOptions> = {}) =>
  drain(makeFileSource({ chain, files, ...more }))

const places = (events: Awaited<ReturnType<typeof read>>["events"]) =>
  events.flatMap(({ kind, block, logIndex }) =>
    kind === "ReservesSynced" ? [[block.number, logIndex]] : []
  )

describe("files of logs", () => {
  it("become sealed blocks of events", async () => {
    const rows = [
      line(7, 1, sync(1)),
      line(7, 4, transferLog(USDC, USDC, WETH, 1n)),
      line(9, 0, sync(2))
    ]
    const { events, error } = await read([file(rows, "a.jsonl.gz")])
    expect(error).toBeNull()
    expect(events.map(event => [event.kind, event.block.number, event.block.time])).toEqual([
      ["ReservesSynced", 7, 1007],
      ["BlockSealed", 7, 1007],
      ["ReservesSynced", 9, 1009],
      ["BlockSealed", 9, 1009]
    ])
    expect(events[1]).toMatchObject({ logs: 1, grade: "file" })
    expect(events[0]?.tx).toEqual({ hash: hashOf(7001), index: 1, from: null, to: null })
  })

  it("are merged in block order, whatever file a log is in", async () => {
    const r = random("merge")
    const rows = Array.from({ length: 300 }, (_, i) => line(1 + (i >> 2), i & 3, sync(i)))
    const parts: Array<Array<unknown>> = [[], [], []]
    for (const row of rows) parts[r.integer(0, 2)]?.push(row)
    const whole = await read([file(rows)])
    const merged = await read(parts.map(part => file(part)))
    expect(merged.events).toEqual(whole.events)
    expect(places(merged.events)).toEqual(rows.map(row => [row.blockNumber, row.logIndex]))
  })

  it("may repeat a log, not contradict one", async () => {
    const rows = [line(1, 0, sync(1)), line(1, 0, sync(1)), line(2, 0, sync(2))]
    const source = makeFileSource({ chain, files: [file(rows), file(rows)] })
    const { events, error } = await drain(source)
    expect([error, places(events), source.progress().duplicates]).toEqual([
      null,
      [
        [1, 0],
        [2, 0]
      ],
      4
    ])
    const [a, b] = [file([line(1, 0, sync(1))], "a.jsonl"), file([line(1, 0, sync(9))], "b.jsonl")]
    const clash = await read([a, b])
    expect(clash.error).toMatchObject({
      fatal: true,
      message: "a.jsonl:1 and b.jsonl:1 disagree about log 0 of block 1"
    })
  })

  it("are refused out of order, after what came before", async () => {
    const rows = [line(1, 0, sync(1)), line(5, 0, sync(1)), line(3, 0, sync(1))]
    const { events, error } = await read([file(rows, "wild.jsonl")])
    expect(error?.message).toBe(
      "wild.jsonl:3: log 0 of block 3 comes after wild.jsonl:2: sort the file by blockNumber and logIndex"
    )
    expect(events.map(event => [event.kind, event.block.number])).toEqual([
      ["ReservesSynced", 1],
      ["BlockSealed", 1]
    ])
  })

  it("are refused where a block is of an earlier second than the one before", async () => {
    const at = (block: number, time: number) => line(block, 0, sync(1), { blockTimestamp: time })
    const fine = await read([file([at(1, 1000), at(2, 1000), at(4, 1005)])])
    expect(fine.error).toBeNull()
    const rows = [at(1, 1000), at(2, 1000), at(4, 1005), at(5, 1004)]
    const { error } = await read([file(rows, "back.jsonl")])
    expect(error).toMatchObject({ fatal: true })
    expect(error?.message).toContain("block 5 of second 1004 after block 4 of 1005")
    const source = makeFileSource({ chain, files: [file([at(5, 1004)])] })
    const blocks = [{ number: 4, hash: null, time: 1005 }]
    const later = await drain(source, { blocks, knownPools: [], knownTokens: [] })
    expect(later.error?.message).toContain("block 5 of second 1004 after block 4 of 1005")
  })

  it("need a time for every block, from the line or from a file of times", async () => {
    const rows = [line(1, 0, sync(1)), line(2, 0, sync(2), { blockTimestamp: undefined })]
    const bare = file(rows, "bare.jsonl")
    const refused = await read([bare])
    expect(refused.error).toMatchObject({
      fatal: true,
      message:
        "bare.jsonl:2: block 2 has no timestamp: " +
        "give a file of block times with --blocks, or --skip-untimed to go without"
    })
    const source = makeFileSource({ chain, files: [bare], skipUntimed: true })
    const skipped = await drain(source)
    expect([skipped.error, skipped.events.at(-1)?.block.number]).toEqual([null, 1])
    expect(source.progress()).toMatchObject({ logs: 1, rejected: 1 })
    expect(source.rejections()).toEqual([
      { file: "bare.jsonl", line: 2, reason: "block 2 has no timestamp" }
    ])
    const transfer = line(2, 0, transferLog(USDC, USDC, WETH, 1n), { blockTimestamp: null })
    const unwatched = await read([file([transfer], "unwatched.jsonl")])
    expect(unwatched.error?.message).toContain("unwatched.jsonl:1: block 2 has no timestamp")
    const blocks = file([
      { number: 2, timestamp: "0x3ea", hash: hashOf(2), parentHash: hashOf(1) },
      { chainId: 5, number: 2, timestamp: 7 }
    ])
    const { events, error } = await read([bare], { blocks: [blocks] })
    expect(error).toBeNull()
    expect(events.at(-1)?.block).toEqual({
      number: 2,
      time: 1002,
      hash: hashOf(2),
      parentHash: hashOf(1)
    })
    const txs = file([{ chainId: 1, blockNumber: 2, blockTimestamp: 1002, hash: hashOf(2000) }])
    expect((await read([bare], { blocks: [txs] })).events.at(-1)?.block.time).toBe(1002)
    const other = file([{ number: 1, timestamp: 5 }])
    expect((await read([bare], { blocks: [other] })).error?.message).toContain("another time")
  })

  it("keep lines of other chains and lines that are no log out, counted", async () => {
    const good = line(1, 0, sync(1))
    const rows = [
      good,
      line(1, 1, sync(2), { chainId: 137 }),
      "not json",
      '{"half": ',
      line(1, 2, sync(2), { topics: ["0x12"] }),
      line(1, 3, sync(2), { blockNumber: null }),
      line(1, 4, sync(2), { removed: true }),
      "",
      "[]",
      line(1, 9, sync(3), { chainId: undefined })
    ]
    const source = makeFileSource({ chain, files: [file(rows, "mixed.jsonl")] })
    const { events, error } = await drain(source)
    expect([error, places(events)]).toEqual([
      null,
      [
        [1, 0],
        [1, 9]
      ]
    ])
    expect(source.rejections()).toEqual([
      { file: "mixed.jsonl", line: 3, reason: "not JSON" },
      { file: "mixed.jsonl", line: 4, reason: "not JSON" },
      { file: "mixed.jsonl", line: 5, reason: "topics are not up to four 32-byte words" },
      { file: "mixed.jsonl", line: 6, reason: "no blockNumber" },
      { file: "mixed.jsonl", line: 7, reason: "removed by a reorg" },
      { file: "mixed.jsonl", line: 9, reason: "neither a log nor a receipt nor a block" }
    ])
    expect(source.progress()).toMatchObject({ logs: 2, skipped: 1, rejected: 6 })
    expect(source.status()).toMatchObject({ state: "ended", quarantined: 6, logs: 2 })
  })

  it("may be receipts, whose senders are kept", async () => {
    const { address: emitter, topics, data } = sync(1)
    const receipt = {
      chainId: "0x1",
      transactionHash: hashOf(5),
      transactionIndex: "0x0",
      blockNumber: "0x1",
      blockTimestamp: "0x64",
      from: address(7),
      to: address(8),
      logs: [{ address: emitter, topics, data, logIndex: "0x0" }]
    }
    const { events } = await read([file([receipt])])
    expect(events[0]).toMatchObject({
      kind: "ReservesSynced",
      tx: { hash: hashOf(5), from: address(7), to: address(8) },
      block: { time: 100 }
    })
  })

  it("take senders from a file of transactions", async () => {
    const txs = file([
      { chainId: 1, hash: hashOf(1000), from: address(7), to: null },
      { hash: hashOf(2000), from: address(7), to: address(9) }
    ])
    const rows = [line(1, 0, sync(1)), line(2, 0, sync(2)), line(3, 0, sync(3))]
    const { events } = await read([file(rows)], { txs: [txs] })
    const found = events.flatMap(({ tx }) => (tx === null ? [] : [[tx.from, tx.to]]))
    expect(found).toEqual([
      [address(7), null],
      [address(7), address(9)],
      [null, null]
    ])
  })

  it("that are cut give what they hold, then a clear error", async () => {
    const rows = Array.from({ length: 400 }, (_, i) => line(i + 1, 0, sync(i)))
    const packed = gzipSync(rows.map(row => JSON.stringify(row)).join("\n"))
    const path = join(folder, "cut.jsonl.gz")
    writeFileSync(path, packed.subarray(0, packed.length >> 1))
    const { events, error } = await read([path])
    expect(error).toMatchObject({ fatal: true })
    expect(error?.message).toMatch(/^cut.jsonl.gz: line \d+: unexpected end of file$/)
    const blocks = places(events).map(([block]) => block)
    expect(blocks.length).toBeGreaterThan(50)
    expect(blocks).toEqual(Array.from({ length: blocks.length }, (_, i) => i + 1))
    expect(events.at(-1)?.kind).toBe("BlockSealed")
  })

  it("say what is missing", async () => {
    expect((await read([join(folder, "none")])).error?.message).toMatch(/none: ENOENT/)
    expect((await read([file([])])).events).toEqual([])
  })
})

describe("facts without a node", () => {
  const rows = () => [file([line(1, 0, sync(1))])]

  it("prove a pool by CREATE2 where its tokens are known", async () => {
    const tokens = file([
      {
        address: WETH.toUpperCase().replace("0X", "0x"),
        symbol: "WETH",
        name: "Wrapped",
        decimals: 18
      }
    ])
    const { events } = await read(rows(), { tokens: [tokens] })
    expect(events.slice(0, 3)).toMatchObject([
      { kind: "TokenSeen", token: USDC, symbol: "USDC", decimals: 6, source: "registry" },
      { kind: "TokenSeen", token: WETH, symbol: "WETH", decimals: 18, source: "file" },
      {
        kind: "PoolCreated",
        pool: PAIR,
        venueKind: "uniswap-v2",
        factory: chain.venues[0]?.factory,
        tokens: [USDC, WETH],
        fee: 3000,
        source: "create2"
      }
    ])
  })

  it("stay unknown where they are", async () => {
    expect(countKinds((await read(rows())).events)).toEqual({ ReservesSynced: 1, BlockSealed: 1 })
  })

  it("come from CSV and JSON arrays too, without decimals as unknown", async () => {
    const log = pairCreatedLog(address(5), address(1), address(2), address(3))
    const csv = file(
      ["Address,symbol,name,decimals", `${address(1)},"A,B","a ""b""",`, `${address(2)},X,,8`],
      "tokens.csv"
    )
    const json = file(["[", JSON.stringify({ address: address(2), symbol: "X", decimals: 8 }), "]"])
    const fromCsv = await read([file([line(1, 0, log)])], { tokens: [csv] })
    expect(fromCsv.events.filter(event => event.kind === "TokenSeen")).toMatchObject([
      { symbol: "A,B", name: 'a "b"', decimals: null },
      { symbol: "X", name: null, decimals: 8 }
    ])
    const fromJson = await read([file([line(1, 0, log)])], { tokens: [json] })
    expect(fromJson.events.filter(event => event.kind === "TokenSeen")).toMatchObject([
      { token: address(2), symbol: "X", decimals: 8 }
    ])
  })

  it.each([
    ["line 2: decimals are not 0 to 255", ["address,decimals", `${address(1)},300`]],
    ["line 2: no address", ["address,decimals", "0x12,3"]],
    ["line 2 has an open quote", ["address,symbol", `${address(1)},"x`]],
    ["neither JSON nor CSV", ["token,decimals"]],
    ["line 2 is not JSON", [{ address: address(1) }, "{"]]
  ])("are refused when malformed: %s", async (message, lines) => {
    const { error } = await read(rows(), { tokens: [file(lines)] })
    expect(error).toMatchObject({ fatal: true })
    expect(error?.message).toContain(message)
  })
})

describe("a run that was stopped", () => {
  const all = Array.from({ length: 3000 }, (_, i) => line(1 + (i >> 1), i & 1, sync(i)))

  it("is continued by the same files, without holes or repeats", async () => {
    const path = file(all)
    const whole = await read([path])
    expect(whole.batches.length).toBeGreaterThan(0)
    const r = random("resume")
    for (let run = 0; run < 5; run++) {
      const cut = r.integer(1, 1499)
      const before = whole.events.filter(event => event.block.number <= cut)
      const rest = await drain(makeFileSource({ chain, files: [path] }), tailOf(before))
      expect(rest.error).toBeNull()
      expect([...before, ...rest.events]).toEqual(whole.events)
    }
    const again = await drain(makeFileSource({ chain, files: [path] }), tailOf(whole.events))
    expect([again.error, again.events]).toEqual([null, []])
  })

  it("is not continued by other files", async () => {
    const whole = await read([file(all)])
    const other = all.filter(row => row.blockNumber !== 700)
    const tail = tailOf(whole.events)
    const refused = await drain(makeFileSource({ chain, files: [file(other)] }), tail)
    expect(refused.error?.message).toBe(
      "the log holds blocks up to 1500 from other input (block 700 differs): give all files at once, or another data folder"
    )
    const later = [line(2000, 0, sync(1))]
    const next = await drain(makeFileSource({ chain, files: [file(later)] }), tail)
    expect([next.error, places(next.events)]).toEqual([null, [[2000, 0]]])
  })
})
