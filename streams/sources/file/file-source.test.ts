import { statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { transferLog } from "../../../test/support/fake-logs.ts"
import { random } from "../../../test/support/seed.ts"
import {
  address,
  chain,
  hashOf,
  line,
  read,
  sourceFiles,
  sync,
  USDC,
  WETH
} from "../../../test/support/source-files.ts"
import { drain, tailOf } from "../../../test/support/tape-input.ts"
import { makeFileSource } from "./file-source.ts"

const { folder, file, remove } = sourceFiles()
afterAll(remove)

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

  it("lose what a later line takes back, and keep what it tells again", async () => {
    const gone = { removed: true }
    const branch = (n: number) => ({ transactionHash: hashOf(n), removed: false })
    const rows = [
      line(1, 0, sync(1), branch(1)),
      line(2, 0, sync(2), branch(2)),
      line(2, 0, sync(2), branch(2)),
      line(3, 0, sync(3), branch(3)),
      line(3, 0, sync(3), { ...branch(3), ...gone }),
      line(2, 0, sync(2), { ...branch(2), ...gone }),
      line(2, 0, sync(4), branch(4)),
      line(3, 0, sync(3), branch(3))
    ]
    const source = makeFileSource({ chain, files: [file(rows, "fork.jsonl")] })
    const { events, error } = await drain(source)
    expect(error).toBeNull()
    expect(
      events.flatMap(event => (event.kind === "ReservesSynced" ? event.reserve0 : []))
    ).toEqual([2n, 5n, 4n])
    expect(source.progress()).toMatchObject({ logs: 3, rejected: 5, duplicates: 0 })
    expect(source.rejections().map(({ line, reason }) => [line, reason])).toEqual([
      [2, "removed by a reorg, as line 6 tells"],
      [3, "removed by a reorg, as line 6 tells"],
      [4, "removed by a reorg, as line 5 tells"],
      [5, "removed by a reorg"],
      [6, "removed by a reorg"]
    ])
    const [first, second] = [file(rows.slice(0, 4)), file(rows.slice(4))]
    expect((await read([first, second])).events).toEqual(events)
  })

  it("end at one that takes a log back where nobody looked for that", async () => {
    const note = "x".repeat(4000)
    const plain = Array.from({ length: 300 }, (_, i) => line(i + 1, 0, sync(1), { note }))
    const late = [...plain, line(301, 0, sync(2)), line(300, 0, sync(1), { removed: true })]
    const path = file(late, "late.jsonl")
    expect(statSync(path).size).toBeGreaterThan(2 ** 20)
    const blind = makeFileSource({ chain, files: [path] })
    expect((await drain(blind)).error).toMatchObject({
      fatal: true,
      message:
        "late.jsonl:302 takes a log back (removed: true), and the file's first MiB does not say " +
        "that lines may: replay into a new --data folder with --find-removed, which looks " +
        "through the files first"
    })
    const seeing = makeFileSource({ chain, files: [path], findRemoved: true })
    const { events, error } = await drain(seeing)
    expect(error).toBeNull()
    expect(events.filter(({ kind }) => kind === "ReservesSynced").length).toBe(300)
    expect(seeing.rejections().map(({ line }) => line)).toEqual([300, 302])
  })

  it("are refused where one block has two hashes", async () => {
    const [e, f] = [{ blockHash: hashOf(14) }, { blockHash: hashOf(15) }]
    const twice = [line(1, 0, sync(1), e), line(1, 1, sync(2)), line(1, 2, sync(3), f)]
    expect((await read([file(twice, "twice.jsonl")])).error).toMatchObject({
      fatal: true,
      message: "twice.jsonl:3: block 1 has another hash than in the lines before"
    })
    const { blockTimestamp: timestamp } = line(1, 0, sync(1))
    const blocks = file([{ number: 1, timestamp, hash: hashOf(15) }])
    const source = makeFileSource({
      ...{ chain, files: [file(twice.slice(0, 2), "one.jsonl")], blocks: [blocks] }
    })
    expect((await drain(source)).error).toMatchObject({
      fatal: true,
      message: "one.jsonl:1: block 1 has another hash in the file of block times"
    })
  })

  it("are refused where a time is no second of our time", async () => {
    const at = (blockTimestamp: number | string) =>
      file([line(1, 0, sync(1)), line(2, 0, sync(2), { blockTimestamp })], "times.jsonl")
    const refused = async (time: number | string) => {
      const source = makeFileSource({ chain, files: [at(time)] })
      await drain(source)
      return source.rejections().map(({ line, reason }) => `${line}: ${reason}`)
    }
    expect(await refused(1_704_412_823_000)).toEqual([
      "2: blockTimestamp 1704412823000 is in milliseconds: times are Unix seconds, 1704412823 here"
    ])
    const now = Math.floor(Date.now() / 1000)
    for (const time of ["0x100000000", 2 ** 33, 4_000_000_000, now + 1_000, now * 1_000_000]) {
      expect(await refused(time)).toEqual([
        `2: blockTimestamp ${Number(time)} is yet to come by this machine's clock: times are Unix seconds`
      ])
    }
    expect(await refused(now + 800)).toEqual([])
    const blocks = file([{ number: 2, timestamp: 1_704_412_823_000 }], "b.jsonl")
    expect((await read([at(1001)], { blocks: [blocks] })).error?.message).toContain(
      "b.jsonl: line 1: timestamp 1704412823000 is in milliseconds"
    )
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
