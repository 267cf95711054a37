import { describe, expect, it } from "vitest"
import { pairCreatedLog, syncLog, transferLog, v2SwapLog } from "../../test/support/fake-logs.ts"
import { rawLog } from "../../test/support/tape-input.ts"
import { encodeSegment } from "../codec/segment-codec.ts"
import { eventsOf } from "../event-objects.ts"
import { FactBook } from "../facts.ts"
import { evmDecoder } from "./decoder.ts"
import { LogTapeWriter } from "./log-tape-writer.ts"

const address = (byte: number) => `0x${byte.toString(16).padStart(2, "0").repeat(20)}` as const
const hash = (n: number) => Uint8Array.from({ length: 32 }, (_, i) => (n + i) & 255)
const POOL = address(1)
const [TOKEN0, TOKEN1, TOKEN2] = [address(2), address(3), address(4)]

const book = () => {
  const facts = new FactBook()
  const common = { venueKind: "uniswap-v2", fee: 3000, tickSpacing: null, source: "call" } as const
  facts.addPool({ ...common, pool: POOL, factory: address(9), tokens: [TOKEN0, TOKEN1] })
  for (const [token, symbol] of [
    [TOKEN0, "A"],
    [TOKEN1, null]
  ] as const) {
    facts.addToken({ token, symbol, name: null, decimals: 6, totalSupply: 5n, source: "file" })
  }
  return facts
}

const writerOf = (
  facts = new FactBook(),
  more: Partial<ConstructorParameters<typeof LogTapeWriter>[0]> = {}
) =>
  new LogTapeWriter({
    decoder: evmDecoder,
    facts,
    last: null,
    knownPools: [],
    knownTokens: [],
    ...more
  })

const allEvents = (writer: LogTapeWriter) => {
  const batches = []
  for (let batch = writer.take(); batch !== null; batch = writer.take()) batches.push(batch)
  return batches.flatMap(eventsOf)
}

const kinds = (writer: LogTapeWriter) => allEvents(writer).map(event => event.kind)

/** One block with one transaction with these logs from index 0. */
const block = (writer: LogTapeWriter, number: number, logs: Parameters<typeof rawLog>[0][]) => {
  writer.beginBlock(number, 1000 + number, hash(number), hash(number - 1))
  if (logs.length > 0) writer.beginTx(hash(number + 100), 3, hash(1).subarray(0, 20), null)
  logs.forEach((log, i) => {
    writer.log(rawLog(log, i))
  })
  writer.endBlock("receipts", true)
}

describe("the tape writer", () => {
  it("puts new facts in front of a pool's first event, once", () => {
    const writer = writerOf(book())
    block(writer, 5, [syncLog(POOL, 7n, 9n), syncLog(POOL, 8n, 8n)])
    block(writer, 6, [syncLog(POOL, 9n, 7n)])
    writer.flush()
    const events = allEvents(writer)
    expect(events.map(event => [event.kind, event.block.number, event.tx?.index ?? null])).toEqual([
      ["TokenSeen", 5, null],
      ["TokenSeen", 5, null],
      ["PoolCreated", 5, null],
      ["ReservesSynced", 5, 3],
      ["ReservesSynced", 5, 3],
      ["BlockSealed", 5, null],
      ["ReservesSynced", 6, 3],
      ["BlockSealed", 6, null]
    ])
    expect(events[2]).toMatchObject({ tokens: [TOKEN0, TOKEN1], fee: 3000, source: "call" })
    expect(events[1]).toMatchObject({ token: TOKEN1, symbol: null, decimals: 6, totalSupply: 5n })
    expect(events[5]).toMatchObject({ logs: 2, grade: "receipts" })
    expect(events[3]).toMatchObject({ tx: { from: expect.stringMatching(/^0x0102/), to: null } })
  })

  it("writes the events of unknown pools without inventing facts", () => {
    const facts = new FactBook()
    const writer = writerOf(facts)
    block(writer, 1, [syncLog(POOL, 7n, 9n)])
    facts.addPool(book().pool(POOL)!)
    block(writer, 2, [syncLog(POOL, 7n, 9n)])
    writer.factsChanged()
    block(writer, 3, [syncLog(POOL, 7n, 9n)])
    writer.flush()
    expect(kinds(writer)).toEqual([
      ...["ReservesSynced", "BlockSealed", "ReservesSynced", "BlockSealed"],
      ...["PoolCreated", "ReservesSynced", "BlockSealed"]
    ])
  })

  it("knows a pool from its factory's own event and adds its tokens' facts", () => {
    const writer = writerOf(book())
    const other = address(7)
    block(writer, 1, [pairCreatedLog(address(9), TOKEN0, TOKEN2, other), syncLog(other, 1n, 2n)])
    writer.flush()
    const events = allEvents(writer)
    expect(events.map(event => event.kind)).toEqual([
      ...["PoolCreated", "TokenSeen", "ReservesSynced", "BlockSealed"]
    ])
    expect(events.map(event => event.tx?.index)).toEqual([3, undefined, 3, undefined])
    expect(writer.knowsPool(other)).toBe(true)
    expect(writer.knowsToken(TOKEN2)).toBe(false)
  })

  it("passes over unwatched logs and keeps what does not decode", () => {
    const writer = writerOf()
    const odd = { ...syncLog(POOL, 1n, 2n), data: "0x01" as const }
    block(writer, 1, [transferLog(TOKEN0, POOL, POOL, 5n), odd])
    writer.flush()
    const events = allEvents(writer)
    expect(events.map(event => event.kind)).toEqual(["LogQuarantined", "BlockSealed"])
    expect(events[0]).toMatchObject({ address: POOL, data: Uint8Array.of(1), logIndex: 1 })
    expect(events[1]).toMatchObject({ logs: 1 })
    expect([writer.logs, writer.quarantined]).toEqual([1, 1])
  })

  it("seals empty blocks only where asked to, and writes gaps before the seal", () => {
    const writer = writerOf()
    writer.beginBlock(1, 1, null, null)
    writer.endBlock("range", false)
    writer.beginBlock(2, 2, null, null)
    writer.endBlock("bloom", true)
    writer.beginBlock(3, 3, null, null)
    writer.gap(3, 3, "a log is missing")
    writer.endBlock("unproven", true)
    writer.flush()
    const events = allEvents(writer)
    expect(events.map(event => [event.kind, event.block.number])).toEqual([
      ["BlockSealed", 2],
      ["GapFound", 3],
      ["BlockSealed", 3]
    ])
    expect(events[1]).toMatchObject({ fromBlock: 3, toBlock: 3, reason: "a log is missing" })
    expect(writer.lastBlock).toBe(3)
  })

  it("begins a batch with a rollback and forgets what the undone blocks told", () => {
    const facts = book()
    const writer = writerOf(facts, {
      last: { number: 4, hash: null },
      knownPools: [{ address: address(8), block: 4 }]
    })
    block(writer, 5, [])
    block(writer, 6, [syncLog(POOL, 1n, 1n), syncLog(address(8), 1n, 1n)])
    const to = { number: 5, time: 1005, hash: hash(5), parentHash: hash(4) }
    const { unknown, untold } = writer.rollback(to, 6, "reorg")
    expect([[...unknown].sort(), untold]).toEqual([[POOL, TOKEN0, TOKEN1], []])
    block(writer, 6, [syncLog(POOL, 2n, 2n)])
    writer.flush()
    const [first, second] = [writer.take(), writer.take()]
    expect(first && eventsOf(first).length).toBe(7)
    const events = second === null ? [] : eventsOf(second)
    expect(events.map(event => event.kind)).toEqual([
      ...["Rollback", "TokenSeen", "TokenSeen", "PoolCreated", "ReservesSynced", "BlockSealed"]
    ])
    expect(events[0]).toMatchObject({ toSeq: 0, toBlock: 5, fromBlock: 6, reason: "reorg" })
    expect(events[0]?.block).toMatchObject({ number: 5, time: 1005 })
    expect(writer.knowsPool(address(8))).toBe(true)
  })

  it("says which tokens a rollback left without what was told later, or was to be", () => {
    const known = [2, 3, 4, 5].map(byte => ({ address: address(byte), block: 4 }))
    const writer = writerOf(book(), { last: { number: 4, hash: null }, knownTokens: known })
    const tell = (byte: number) => {
      const source = "call" as const
      const more = { symbol: "S", name: "N", decimals: 6, totalSupply: 5n, source }
      writer.tellToken({ token: address(byte), ...more })
    }
    const back = (number: number, fromBlock: number) =>
      writer.rollback({ number, time: 0, hash: null, parentHash: null }, fromBlock, "reorg")
    tell(2)
    block(writer, 5, [])
    tell(3)
    const fact = { token: address(5), pool: POOL, tx: `0x${"01".repeat(32)}`, sent: 2n }
    writer.tellTransfer({ ...fact, received: 1n })
    block(writer, 6, [])
    tell(4)
    expect(back(5, 6)).toEqual({ unknown: [], untold: [address(4), address(3), address(5)] })
    expect(back(5, 5)).toEqual({ unknown: [], untold: [] })
    block(writer, 6, [])
    writer.flush()
    const told = allEvents(writer).flatMap(event =>
      event.kind === "TokenSeen" ? [[event.token, event.block.number]] : []
    )
    expect(told).toEqual([
      [address(2), 5],
      [address(3), 6]
    ])
  })

  it("forgets what the log knew when a rollback goes below its end", () => {
    const writer = writerOf(book(), {
      last: { number: 4, hash: null },
      knownPools: [{ address: POOL, block: 4 }]
    })
    const to = { number: 3, time: 0, hash: null, parentHash: null }
    expect(writer.rollback(to, 4, "reorg")).toEqual({ unknown: [POOL], untold: [] })
    block(writer, 4, [syncLog(POOL, 1n, 1n)])
    writer.flush()
    expect(kinds(writer)).toContain("PoolCreated")
  })

  it("gives up an open block and keeps the ones before", () => {
    const writer = writerOf()
    block(writer, 1, [syncLog(POOL, 1n, 1n)])
    writer.beginBlock(2, 1002, null, null)
    writer.beginTx(hash(1), 0, null, null)
    writer.log(rawLog(syncLog(POOL, 1n, 2n), 0))
    writer.abandonBlock()
    expect(kinds(writer)).toEqual(["ReservesSynced", "BlockSealed"])
  })

  it("cuts batches between blocks near the wanted size", () => {
    const writer = writerOf(book(), { batchBytes: 20_000 })
    for (let n = 1; n <= 400; n++) {
      block(writer, n, [
        syncLog(POOL, 10n ** 20n + BigInt(n), 3n ** 40n),
        v2SwapLog(POOL, POOL, address(n & 255), [BigInt(n) ** 6n, 0n, 0n, BigInt(n) ** 5n])
      ])
    }
    writer.flush()
    const batches = []
    for (let batch = writer.take(); batch !== null; batch = writer.take()) batches.push(batch)
    expect(batches.length).toBeGreaterThan(3)
    for (const batch of batches.slice(0, -1)) {
      expect(encodeSegment(batch).length).toBeGreaterThan(15_000)
      expect(encodeSegment(batch).length).toBeLessThan(32_000)
      expect(eventsOf(batch).at(-1)?.kind).toBe("BlockSealed")
    }
  })

  const disorder: ReadonlyArray<readonly [string, (writer: LogTapeWriter) => void]> = [
    ["block 4 after block 5", writer => block(writer, 4, [])],
    ["block 5 after block 5", writer => block(writer, 5, [])],
    [
      "block 7 within 6",
      writer => {
        writer.beginBlock(6, 1006, null, null)
        writer.beginBlock(7, 1007, null, null)
      }
    ],
    ["block 6 with parent", writer => writer.beginBlock(6, 1006, hash(6), hash(1))],
    [
      "log 3 after log 3 in block 6",
      writer =>
        logsAt(writer, [
          [0, 3],
          [0, 3]
        ])
    ],
    [
      "log 2 after log 3 in block 6",
      writer =>
        logsAt(writer, [
          [0, 3],
          [1, 2]
        ])
    ],
    [
      "transaction 0 after 1 in block 6",
      writer =>
        logsAt(writer, [
          [1, 0],
          [0, 1]
        ])
    ],
    ["log 0 outside of a transaction", writer => logsAt(writer, [[-1, 0]])],
    [
      "a rollback to block 9",
      writer => writer.rollback({ number: 9, time: 0, hash: null, parentHash: null }, 9, "reorg")
    ]
  ]

  const logsAt = (writer: LogTapeWriter, places: ReadonlyArray<readonly [number, number]>) => {
    writer.beginBlock(6, 1006, null, null)
    let open = -1
    for (const [tx, index] of places) {
      if (tx !== open) writer.beginTx(hash(tx), tx, null, null)
      open = tx
      writer.log(rawLog(syncLog(POOL, 1n, 1n), index))
    }
    writer.endBlock("receipts", true)
  }

  it.each(disorder)("refuses %s and writes nothing from then on", (message, act) => {
    const writer = writerOf()
    block(writer, 5, [])
    act(writer)
    expect(writer.problem?.message).toContain(message)
    block(writer, 8, [syncLog(POOL, 1n, 1n)])
    writer.abandonBlock()
    writer.flush()
    expect(allEvents(writer).every(event => event.block.number <= 6)).toBe(true)
    expect(writer.problem?.message).toContain(message)
  })
})
