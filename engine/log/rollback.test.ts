import { createHash } from "node:crypto"
import { Effect, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { encodeSegment } from "../../streams/codec/segment-codec.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf, eventsOf, eventToJson } from "../../streams/event-objects.ts"
import {
  blockEvents,
  blockHash,
  blockRef,
  blocksBatch,
  rollbackTo
} from "../../test/support/block-batches.ts"
import {
  allSegments,
  type LogServer,
  openRaw,
  startLogServer
} from "../../test/support/log-server.ts"
import { type Random, random } from "../../test/support/seed.ts"
import { effectiveRanges, isEffective } from "./effective.ts"
import { openTapeLog, type TapeLog, type TapeLogOptions } from "./tape-log.ts"

let server: LogServer
beforeAll(async () => {
  server = await startLogServer()
})
afterAll(() => server.stop())

let logs = 0
const newChain = () => `fork${++logs}`

/** Schedules of forks, of 120 steps each. */
const RUNS = process.env["SWAPTAPE_LONG"] === "1" ? 20 : 1

/** An event that counts, with its seq in the log. */
interface Effective {
  readonly seq: number
  readonly event: Event
}

/** The whole log as a list: what the real one must agree with. */
class Model {
  readonly all: Array<Event> = []
  effective: Array<Effective> = []

  /** Appends events; a leading Rollback cancels by plain search. */
  append(events: ReadonlyArray<Event>): number | null {
    const [first] = events
    let toSeq: number | null = null
    if (first?.kind === "Rollback") {
      this.effective = this.effective.filter(({ event }) => event.block.number <= first.toBlock)
      toSeq = this.effective.at(-1)?.seq ?? 0
    }
    for (const event of events) {
      this.all.push(event.kind === "Rollback" ? { ...event, toSeq: toSeq ?? 0 } : event)
      if (event.kind !== "Rollback") this.effective.push({ seq: this.all.length, event })
    }
    return toSeq
  }

  get tip(): number {
    return this.effective.at(-1)?.event.block.number ?? 0
  }

  sealed(): ReadonlyArray<{ number: number; hash: string | null; time: number }> {
    return this.effective
      .filter(({ event }) => event.kind === "BlockSealed")
      .map(({ event: { block } }) => ({ number: block.number, hash: block.hash, time: block.time }))
  }
}

/** The next batch of a random schedule: blocks after the tip, sometimes after a fork. */
const nextBatch = (r: Random, model: Model, step: number): Array<Event> => {
  const events: Array<Event> = []
  const branch = `b${step}`
  let number = model.tip
  if (r.boolean(0.3)) {
    const deep = r.boolean(0.2)
    number = Math.max(0, number - r.integer(0, deep ? 60 : 4))
    // The block rolled back to need not be in the log.
    const hash = model.sealed().find(block => block.number === number)?.hash ?? null
    events.push(rollbackTo(number, r.boolean() ? hash : null))
  }
  const blocks = r.integer(events.length > 0 ? 0 : 1, 4)
  for (let i = 0; i < blocks; i++) {
    number += r.boolean(0.8) ? 1 : r.integer(2, 5)
    events.push(...blockEvents(blockRef(number, branch), r.integer(0, 4), branch))
  }
  return events
}

const checkAgainst = Effect.fnUntraced(function* (log: TapeLog, model: Model) {
  const segments = yield* allSegments(log)
  expect(segments.flatMap(({ batch }) => eventsOf(batch))).toEqual(model.all)
  const ranges = effectiveRanges(segments.map(({ header }) => header))
  const seqs = new Set(model.effective.map(({ seq }) => seq))
  for (let seq = 1; seq <= model.all.length; seq++) {
    expect(isEffective(ranges, seq)).toBe(seqs.has(seq))
  }
  for (const count of [1, 3, 1000]) {
    expect(yield* log.tailBlocks(count)).toEqual(model.sealed().slice(-count))
  }
})

const fuzz = (chain: string, label: string, options: TapeLogOptions) =>
  Effect.gen(function* () {
    const r = random(label)
    const model = new Model()
    let log = yield* openTapeLog(chain, options)
    for (let step = 0; step < 120; step++) {
      if (r.boolean(0.1)) log = yield* openTapeLog(chain, options)
      const events = nextBatch(r, model, step)
      const batch = batchOf(events)
      yield* log.append(batch)
      const toSeq = model.append(events)
      if (toSeq !== null) expect(batch.columns.Rollback.toSeq.get(0)).toBe(toSeq)
      if (step % 40 === 39) yield* checkAgainst(log, model)
    }
    expect(model.all.filter(({ kind }) => kind === "Rollback").length).toBeGreaterThan(10)
    return yield* openTapeLog(chain, options).pipe(
      Effect.flatMap(again => checkAgainst(again, model))
    )
  })

describe("a Rollback", () => {
  it("names the last event of its block, on any schedule of forks", async () => {
    for (let run = 0; run < RUNS; run++) {
      await server.run(fuzz(newChain(), `forks/${run}`, {}))
    }
  })

  it("finds blocks deeper than those in memory", async () => {
    for (let run = 0; run < RUNS; run++) {
      await server.run(fuzz(newChain(), `deep/${run}`, { keepBlocks: 3 }))
    }
  })

  it("gets its toSeq while earlier batches are in flight", async () => {
    const model = new Model()
    const r = random("in flight")
    const batches = Array.from({ length: 150 }, (_, step) => {
      const events = nextBatch(r, model, step)
      model.append(events)
      return batchOf(events)
    })
    await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(newChain(), { keepBlocks: 3 })
        yield* Stream.runDrain(log.appendAll(Stream.fromIterable(batches)))
        yield* checkAgainst(log, model)
      })
    )
  })

  it("is refused where the log knows its block by another hash", async () => {
    await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(newChain())
        yield* log.append(blocksBatch(1, 5))
        const batch = batchOf([rollbackTo(3, blockHash("elsewhere", 3))])
        const refused = yield* Effect.flip(log.append(batch))
        expect(refused).toMatchObject({ _tag: "BatchRefused" })
        expect(refused.message).toContain("rolls back to block 3")
        yield* log.append(blocksBatch(6, 6))
      })
    )
  })

  it("is refused after other events", async () => {
    await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(newChain())
        const events = [...blockEvents(blockRef(1), 1), rollbackTo(0)]
        const refused = yield* Effect.flip(log.append(batchOf(events)))
        expect(refused.message).toContain("it must be the first")
      })
    )
  })
})

describe("a batch that is too large for one message", () => {
  const limits = { segmentBytes: 2_000 }

  it("is cut between blocks", async () => {
    const batch = blocksBatch(1, 40, 5)
    const events = eventsOf(batch)
    await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(newChain(), limits)
        const end = yield* log.append(batch)
        expect(end.seq).toBe(events.length)
        const segments = yield* allSegments(log)
        expect(segments.length).toBeGreaterThan(5)
        expect(segments.flatMap(segment => eventsOf(segment.batch))).toEqual(events)
        for (const { header, bytes, batch: part } of segments) {
          expect(bytes).toBeLessThanOrEqual(limits.segmentBytes)
          expect(header.continues).toBe(false)
          expect(eventsOf(part).at(-1)?.kind).toBe("BlockSealed")
        }
      })
    )
  })

  it("stays whole where it is one block", async () => {
    const batch = batchOf(blockEvents(blockRef(1), 500))
    expect(encodeSegment(batch).length).toBeGreaterThan(20_000)
    await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(newChain(), limits)
        yield* log.append(batch)
        expect((yield* allSegments(log)).length).toBe(1)
      })
    )
  })
})

describe("a block that is too large for any message", () => {
  /** Comparing megabytes byte by byte takes the test runner a minute. */
  const digest = (event: Event) => createHash("sha256").update(eventToJson(event, 0)).digest("hex")

  /** Twenty megabytes of one block. */
  const hugeBlock = (branch: string): Array<Event> => {
    const block = blockRef(3, branch)
    const [, ...rest] = blockEvents(block, 4)
    const data = new Uint8Array(2_500_000).fill(7)
    const quarantined = Array.from(
      { length: 8 },
      (_, logIndex): Event => ({
        kind: "LogQuarantined",
        block,
        tx: null,
        logIndex,
        address: `0x${"12".repeat(20)}`,
        topics: new Uint8Array(32),
        data,
        reason: "too-long"
      })
    )
    return [...quarantined, ...rest]
  }

  it("is cut between its events, and whole again when read", async () => {
    const events = [...blockEvents(blockRef(2), 2), ...hugeBlock("main")]
    await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(newChain())
        yield* log.append(blocksBatch(1, 1))
        yield* log.append(batchOf(events))
        yield* log.append(blocksBatch(4, 4))
        const segments = yield* allSegments(log)
        const all = segments.flatMap(segment => eventsOf(segment.batch))
        expect(all.slice(4, -4).map(digest)).toEqual(events.map(digest))
        const continues = segments.map(({ header }) => header.continues)
        expect(continues.filter(Boolean).length).toBeGreaterThanOrEqual(2)
        expect(continues.slice(-2)).toEqual([false, false])
        expect((yield* log.tailBlocks(2)).map(({ number }) => number)).toEqual([3, 4])
      })
    )
  })

  it("is cancelled by the next writer where its end is missing", async () => {
    const chain = newChain()
    await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(chain)
        yield* log.append(blocksBatch(1, 2))
        yield* log.append(batchOf(hugeBlock("main")))
      })
    )
    // As if the writer had died after the first part.
    const raw = await openRaw(server.nats.url)
    const [before, part] = await raw.messages(chain)
    await raw.deleteStream(chain)
    await raw.create(chain)
    await raw.publish(chain, before!)
    await raw.publish(chain, part!)
    await raw.close()
    await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(chain)
        expect((yield* allSegments(log)).map(({ header }) => header.continues)).toEqual([
          false,
          true
        ])
        expect((yield* log.tailBlocks(5)).map(({ number }) => number)).toEqual([1, 2])
        yield* log.append(blocksBatch(3, 3))
        const segments = yield* allSegments(log)
        expect(eventsOf(segments[2]!.batch)).toMatchObject([
          { kind: "Rollback", toSeq: 8, toBlock: 2, fromBlock: 3, reason: "torn-block" }
        ])
        const { lastSeq } = segments[2]!.header
        expect(effectiveRanges(segments.map(({ header }) => header))).toEqual([
          { from: 1, to: 8 },
          { from: lastSeq + 1, to: lastSeq + 4 }
        ])
        expect((yield* log.tailBlocks(5)).map(({ number }) => number)).toEqual([1, 2, 3])
      })
    )
  })
})
