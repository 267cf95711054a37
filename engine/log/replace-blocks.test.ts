import { DiscardPolicy } from "@nats-io/jetstream"
import { Effect, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import { batchOf, eventsOf, eventToJson } from "../../streams/event-objects.ts"
import { blockEvents, blockRef, blocksBatch } from "../../test/support/block-batches.ts"
import {
  allSegments,
  type LogServer,
  openRaw,
  type RawMessage,
  startLogServer
} from "../../test/support/log-server.ts"
import { type Random, random } from "../../test/support/seed.ts"
import { effectiveRanges, isEffective } from "./effective.ts"
import { LogUnusable } from "./log-errors.ts"
import { completeSplice, openTapeLog, type TapeLog } from "./tape-log.ts"

/** Schedules that are tried. */
const ROUNDS = process.env["SWAPTAPE_LONG"] === "1" ? 20 : 2

let server: LogServer
beforeAll(async () => {
  server = await startLogServer()
})
afterAll(() => server.stop())

let logs = 0
const gone = new LogUnusable({ chain: "late", message: "gone" })
const newChain = () => `late${++logs}`

const small = { segmentBytes: 900 }

const effectiveEvents = (log: TapeLog) =>
  Effect.map(allSegments(log), segments => {
    const ranges = effectiveRanges(segments.map(({ header }) => header))
    return segments.flatMap(({ header, batch }) =>
      eventsOf(batch).filter((_, i) => isEffective(ranges, header.firstSeq + i))
    )
  })

const lines = (events: ReadonlyArray<Event>) => events.map(event => eventToJson(event, 0))

const blocks = (from: number, to: number, events = 3) => eventsOf(blocksBatch(from, to, events))

const late = (from: number, to: number, size = 4) => ({
  fromBlock: from,
  toBlock: to,
  batches: Stream.fromIterable(
    Array.from({ length: Math.ceil((to - from + 1) / size) }, (_, i) => {
      const first = from + i * size
      return blocksBatch(first, Math.min(to, first + size - 1))
    })
  )
})

const told = (pool: string, source: string): Event => ({
  kind: "PoolCreated",
  block: blockRef(0),
  tx: null,
  logIndex: 0,
  pool,
  venueKind: "uniswap-v2",
  factory: null,
  tokens: [],
  fee: null,
  tickSpacing: null,
  source
})

describe("late blocks", () => {
  it("stand in their place, and what followed them stands behind", async () => {
    const found = await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(newChain(), small)
        yield* log.append(blocksBatch(10, 14))
        yield* log.append(blocksBatch(30, 33))
        yield* log.append(blocksBatch(34, 34))
        const replaced = yield* log.replace(late(15, 29))
        yield* log.append(blocksBatch(35, 36))
        return { replaced, events: yield* effectiveEvents(log), tail: yield* log.tailBlocks(3) }
      })
    )
    expect(lines(found.events)).toEqual(lines(blocks(10, 36)))
    expect(found.replaced).toEqual({ late: 15 * 4 + 1, moved: 5 * 4 })
    expect(found.tail.map(({ number }) => number)).toEqual([34, 35, 36])
  })

  it("may come before everything, or after it, and again", async () => {
    const found = await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(newChain(), small)
        yield* log.append(blocksBatch(50, 60))
        yield* log.replace(late(30, 49))
        yield* log.replace(late(61, 70))
        yield* log.replace(late(1, 29))
        yield* log.replace(late(40, 45))
        return { events: yield* effectiveEvents(log) }
      })
    )
    expect(lines(found.events)).toEqual(lines(blocks(1, 70)))
  })

  it("take the place of what the log holds of them, and forks do not matter", async () => {
    const found = await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(newChain(), small)
        yield* log.append(blocksBatch(1, 6))
        yield* log.append(blocksBatch(7, 7, 1))
        yield* log.append(blocksBatch(8, 9, 2))
        yield* log.append(blocksBatch(10, 12, 2, "fork"))
        const rollback: Event = {
          kind: "Rollback",
          block: blockRef(9),
          tx: null,
          logIndex: 0,
          toSeq: 0,
          toBlock: 9,
          toHash: null,
          fromBlock: 12,
          reason: "reorg"
        }
        yield* log.append(batchOf([rollback, ...blocks(10, 11)]))
        yield* log.replace(late(7, 9))
        return yield* effectiveEvents(log)
      })
    )
    expect(lines(found)).toEqual(lines(blocks(1, 11)))
  })

  it("tell facts once where they are the same", async () => {
    const [a, b] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`]
    const at = (number: number, event: Event) => ({ ...event, block: blockRef(number) })
    const found = await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(newChain())
        const own = [at(5, told(a, "call")), at(5, told(b, "call")), ...blocks(5, 5, 1)]
        yield* log.append(batchOf(own))
        yield* log.append(batchOf([at(6, told(a, "call")), ...blocks(6, 6, 1)]))
        const first = [at(4, told(a, "call")), at(4, told(b, "create2")), ...blocks(4, 4, 1)]
        yield* log.replace({ fromBlock: 4, toBlock: 4, batches: Stream.make(batchOf(first)) })
        return yield* effectiveEvents(log)
      })
    )
    const facts = found.flatMap(event =>
      event.kind === "PoolCreated" && event.tx === null
        ? [[event.pool, event.source, event.block.number]]
        : []
    )
    // what is told again later, or otherwise, is told
    expect(facts).toEqual([
      [a, "call", 4],
      [b, "create2", 4],
      [b, "call", 5],
      [a, "call", 6]
    ])
  })

  it("of many stretches take one rewriting, and what lies between stays", async () => {
    const found = await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(newChain(), small)
        for (let block = 1; block <= 40; block += 2) {
          yield* log.append(blocksBatch(block, block + 1, block % 10 === 1 ? 1 : 3))
        }
        const ranges = [1, 11, 21, 31].map(block => ({ fromBlock: block, toBlock: block + 1 }))
        const batches = Stream.fromIterable(
          ranges.map(one => blocksBatch(one.fromBlock, one.toBlock))
        )
        const before = log.position().seq
        const replaced = yield* log.replace({ fromBlock: 1, toBlock: 32, ranges, batches })
        const rewritten = log.position().seq - before
        // whatever fails, blocks of stretches that were not reached stay
        const failing = Stream.concat(Stream.make(blocksBatch(5, 6)), Stream.fail(gone))
        const parts = [5, 15, 25].map(block => ({ fromBlock: block, toBlock: block + 1 }))
        const stretch = { fromBlock: 5, toBlock: 26, ranges: parts, batches: failing }
        const failed = yield* Effect.flip(log.replace(stretch))
        const segments = yield* allSegments(log)
        const rollbacks = segments.filter(({ header }) => header.rollbackTo !== null).length
        return { replaced, rewritten, failed, rollbacks, events: yield* effectiveEvents(log) }
      })
    )
    expect(lines(found.events)).toEqual(lines(blocks(1, 40)))
    // a block has three events and a seal; before all of them stands the one rollback
    expect(found.replaced).toEqual({ late: 32 * 4 + 1, moved: 8 * 4 })
    expect(found.rewritten).toBe(40 * 4 + 1)
    expect(found.failed).toBe(gone)
    expect(found.rollbacks).toBe(2)
  })

  it("that do not fit are refused, and leave a log that is whole", async () => {
    const found = await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(newChain(), small)
        yield* log.append(blocksBatch(10, 12))
        yield* log.append(blocksBatch(20, 22))
        const outside = yield* Effect.flip(
          log.replace({ ...late(13, 19), batches: Stream.make(blocksBatch(13, 20)) })
        )
        const foreign = yield* Effect.flip(
          log.replace({
            fromBlock: 13,
            toBlock: 13,
            batches: Stream.make(blocksBatch(13, 13, 1, "fork"))
          })
        )
        const failing = Stream.concat(Stream.make(blocksBatch(13, 15)), Stream.fail(gone))
        const broken = yield* Effect.flip(
          log.replace({ fromBlock: 13, toBlock: 19, batches: failing })
        )
        const none = yield* log.replace({ fromBlock: 13, toBlock: 19, batches: Stream.empty })
        yield* log.append(blocksBatch(23, 23))
        return { outside, foreign, broken, none, events: yield* effectiveEvents(log) }
      })
    )
    expect(String(found.outside)).toMatch(/late blocks outside of 13..19/)
    expect(String(found.foreign)).toMatch(/rolls back to block 12/)
    expect(found.broken).toBe(gone)
    expect(found.none).toEqual({ late: 0, moved: 0 })
    const whole = [...blocks(10, 15), ...blocks(20, 23)]
    expect(lines(found.events)).toEqual(lines(whole))
  })
})

/** Appends blocks in any order by any ways; ends with all of them. */
const schedule = (r: Random, log: TapeLog, last: number) =>
  Effect.gen(function* () {
    let low = r.integer(last - 6, last - 2)
    let head = low - 1
    while (low > 1 || head < last) {
      if (head < last && (head < low || r.boolean(0.6))) {
        const to = Math.min(last, head + r.integer(1, 4))
        yield* log.append(blocksBatch(head + 1, to, r.integer(0, 4) > 3 ? 9 : 3))
        head = to
      } else if (low > 1) {
        const from = Math.max(1, low - r.integer(1, 9))
        yield* log.replace(late(from, low - 1, r.integer(1, 5)))
        low = from
      }
      if (head > low && r.boolean(0.3)) {
        const from = r.integer(low, head)
        yield* log.replace(late(from, r.integer(from, Math.min(head, from + 5))))
      }
    }
    yield* log.replace(late(1, last, 7))
  })

describe("any schedule of late blocks", () => {
  it.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))(
    "ends in the log of one who knew them in time: %d",
    async run => {
      const events = await server.run(
        Effect.gen(function* () {
          const log = yield* openTapeLog(newChain(), small)
          yield* schedule(random(`late ${run}`), log, 40)
          return yield* effectiveEvents(log)
        })
      )
      expect(lines(events)).toEqual(lines(blocks(1, 40)))
    }
  )
})

describe("a log that ends while late blocks were put in", () => {
  const chain = "latecrash"
  const write = Effect.gen(function* () {
    const log = yield* openTapeLog(chain, { segmentBytes: 700 })
    yield* log.append(blocksBatch(1, 4))
    yield* log.append(batchOf(blockEvents(blockRef(20), 30)))
    yield* log.append(blocksBatch(21, 27))
    const before = log.position().streamSeq
    yield* log.replace(late(5, 19, 3))
    return before
  })

  /** Completes what is left of it, or lets the opening do so; then the late blocks come again. */
  const reopen = Effect.fnUntraced(function* (isOpening: boolean) {
    const completed = isOpening ? null : yield* completeSplice(chain)
    const log = yield* openTapeLog(chain, { segmentBytes: 700 })
    const opened = yield* effectiveEvents(log)
    const again = yield* openTapeLog(chain)
    const untouched = again.position().streamSeq === log.position().streamSeq
    yield* again.append(blocksBatch(28, 28))
    yield* again.replace(late(5, 19))
    return { completed, opened, untouched, events: yield* effectiveEvents(again) }
  })

  it("at any message is completed from itself", async () => {
    const before = await server.run(write)
    const raw = await openRaw(server.nats.url)
    const messages: Array<RawMessage> = await raw.messages(chain)
    expect(messages.length - before).toBeGreaterThan(20)
    for (let length = before; length <= messages.length; length++) {
      await raw.deleteStream(chain)
      await raw.create(chain, { discard: DiscardPolicy.New })
      // in this order, and not one by one: each waits for the disk
      await Promise.all(messages.slice(0, length).map(message => raw.publish(chain, message)))
      const isOpening = length % 2 === 0
      const { completed, opened, untouched, events } = await server.run(reopen(isOpening))
      const isCut = length > before && length < messages.length
      expect(completed).toBe(isOpening ? null : isCut)
      const isLate = ({ block }: Event) => block.number >= 5 && block.number <= 19
      const own = [...blocks(1, 4), ...blockEvents(blockRef(20), 30), ...blocks(21, 27)]
      expect(lines(opened.filter(event => !isLate(event))), `${length}`).toEqual(lines(own))
      const kept = lines(opened.filter(isLate))
      expect(kept).toEqual(lines(blocks(5, 19)).slice(0, kept.length))
      expect(untouched).toBe(true)
      const truth = [...blocks(1, 19), ...blockEvents(blockRef(20), 30), ...blocks(21, 28)]
      expect(lines(events)).toEqual(lines(truth))
    }
    await raw.close()
  })
})
