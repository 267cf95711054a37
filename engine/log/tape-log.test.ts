import { Effect, Fiber, Option, Stream } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { encodeSegment } from "../../streams/codec/segment-codec.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf, eventsOf } from "../../streams/event-objects.ts"
import { blockEvents, blockHash, blockRef, blocksBatch } from "../../test/support/block-batches.ts"
import { atRest } from "../../test/support/engine.ts"
import {
  allEvents,
  allSegments,
  type LogServer,
  openRaw,
  startLogServer
} from "../../test/support/log-server.ts"
import { LOG_START, type Segment } from "./segment.ts"
import { openLogReader, openTapeLog, type TapeLog } from "./tape-log.ts"

let server: LogServer
beforeAll(async () => {
  server = await startLogServer()
})
afterAll(() => server.stop())

let logs = 0
const newChain = () => `chain${++logs}`

const expected = (batches: ReadonlyArray<ReturnType<typeof batchOf>>) => batches.flatMap(eventsOf)

it("gives back what was appended, in order, with seqs from 1", async () => {
  const chain = newChain()
  const batches = [blocksBatch(1, 1, 0), blocksBatch(2, 9, 4), blocksBatch(12, 12, 30)]
  await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog(chain)
      expect(log.position()).toEqual(LOG_START)
      let seq = 0
      for (const [i, batch] of batches.entries()) {
        const position = yield* log.append(batch)
        seq += batch.count
        expect(position).toMatchObject({ seq, streamSeq: i + 1 })
        expect(log.position()).toEqual(position)
        expect(yield* log.end).toEqual(position)
      }
      expect(yield* log.append(batchOf([]))).toEqual(log.position())
      const segments = yield* allSegments(log)
      expect(segments.map(({ header }) => header)).toMatchObject([
        {
          chain,
          firstSeq: 1,
          lastSeq: 1,
          firstBlock: 1,
          lastBlock: 1,
          previousHash: LOG_START.hash
        },
        {
          firstSeq: 2,
          lastSeq: 41,
          firstBlock: 2,
          firstBlockHash: blockHash("main", 2),
          firstParentHash: blockHash("main", 1),
          lastBlock: 9,
          lastBlockHash: blockHash("main", 9),
          lastParentHash: blockHash("main", 8),
          lastBlockTime: 1_700_000_009,
          rollbackTo: null,
          continues: false,
          splicing: null,
          streamSeq: 2
        },
        { firstSeq: 42, lastSeq: 72, streamSeq: 3 }
      ])
      expect(segments[1]?.header.previousHash).toBe(segments[0]?.header.hash)
      expect(segments[2]?.header.hash).toBe(log.position().hash)
      expect(segments[2]?.bytes).toBe(encodeSegment(batches[2]!).length)
    })
  )
  expect(await server.run(allEvents(chain))).toEqual(expected(batches))
})

it("goes on where it ended when it is opened again", async () => {
  const chain = newChain()
  const first = await server.run(
    Effect.flatMap(openTapeLog(chain), log => log.append(blocksBatch(1, 5)))
  )
  const batch = blocksBatch(6, 7)
  await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog(chain)
      expect(log.position()).toEqual(first)
      expect(yield* log.append(batch)).toMatchObject({ seq: first.seq + batch.count, streamSeq: 2 })
    })
  )
  expect(await server.run(allEvents(chain))).toEqual(expected([blocksBatch(1, 5), batch]))
})

it("appends many batches in flight, in order and chained", async () => {
  const chain = newChain()
  const batches = Array.from({ length: 200 }, (_, i) => blocksBatch(i * 2 + 1, i * 2 + 2, i % 7))
  await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog(chain)
      const positions = yield* Stream.runCollect(log.appendAll(Stream.fromIterable(batches)))
      expect(positions.map(({ streamSeq }) => streamSeq)).toEqual(batches.map((_, i) => i + 1))
      expect(positions.at(-1)).toEqual(log.position())
      expect(yield* log.end).toEqual(log.position())
    })
  )
  expect(await server.run(allEvents(chain))).toEqual(expected(batches))
})

it("completes what an interrupted append had sent, before anything else", async () => {
  const chain = newChain()
  const batches = Array.from({ length: 40 }, (_, i) => blocksBatch(i + 1, i + 1))
  await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog(chain)
      const source = Stream.concat(Stream.fromIterable(batches), Stream.fail("the source broke"))
      const failure = yield* Effect.flip(Stream.runDrain(log.appendAll(source)))
      expect(failure).toBe("the source broke")
      const tail = yield* log.tailBlocks(100)
      expect(tail.map(({ number }) => number)).toEqual(batches.map((_, i) => i + 1))
      expect((yield* log.end).seq).toBe(log.position().seq)
      yield* log.append(blocksBatch(41, 41))
    })
  )
  expect(await server.run(allEvents(chain))).toEqual(expected([...batches, blocksBatch(41, 41)]))
})

it("reads on from a position, and follows new segments", async () => {
  const chain = newChain()
  await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog(chain)
      const positions = [LOG_START]
      for (let i = 1; i <= 5; i++) positions.push(yield* log.append(blocksBatch(i, i)))
      for (const from of positions) {
        const rest = yield* Stream.runCollect(log.read(from, { follow: false }))
        expect(rest.map(({ header }) => header.lastBlock)).toEqual(
          [1, 2, 3, 4, 5].slice(from.streamSeq)
        )
      }
      const blocks: Array<number> = []
      const follower = yield* log.read(positions[3]!, { follow: true }).pipe(
        Stream.take(22),
        Stream.runForEach(({ header }) => Effect.sync(() => blocks.push(header.lastBlock))),
        Effect.forkChild
      )
      for (let i = 6; i <= 25; i++) {
        yield* log.append(blocksBatch(i, i))
        if (i % 5 === 0) yield* Effect.sleep("20 millis")
      }
      yield* Fiber.join(follower)
      expect(blocks).toEqual(Array.from({ length: 22 }, (_, i) => i + 4))
    })
  )
})

it("tells a follower of a segment within milliseconds of its acknowledgement", async () => {
  const chain = newChain()
  await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog(chain)
      const seen = new Map<number, number>()
      const note = ({ header }: Segment) =>
        Effect.sync(() => seen.set(header.streamSeq, performance.now()))
      yield* Effect.forkChild(Stream.runForEach(log.read(LOG_START, { follow: true }), note))
      const delays: Array<number> = []
      for (let i = 1; i <= 40; i++) {
        const { streamSeq } = yield* log.append(blocksBatch(i, i, 20))
        const acknowledged = performance.now()
        while (!seen.has(streamSeq)) yield* Effect.sleep("1 millis")
        if (i > 5) delays.push((seen.get(streamSeq) ?? 0) - acknowledged)
      }
      delays.sort((a, b) => a - b)
      // A second passes where the bell does not ring, milliseconds where it does.
      expect(delays[Math.floor(delays.length / 2)]).toBeLessThan(atRest(500))
    })
  )
})

it("finds the segment of a seq", async () => {
  const chain = newChain()
  await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog(chain)
      expect(yield* log.segmentAt(1)).toEqual(Option.none())
      for (let i = 1; i <= 20; i++) yield* log.append(blocksBatch(i, i, i % 4))
      const segments = yield* allSegments(log)
      for (let seq = 1; seq <= log.position().seq; seq++) {
        const found = Option.getOrThrow(yield* log.segmentAt(seq))
        const holds = segments.find(({ header }) => header.lastSeq >= seq)
        expect(found.header).toEqual(holds?.header)
      }
      expect(yield* log.segmentAt(log.position().seq + 1)).toEqual(Option.none())
    })
  )
})

it("knows the last sealed blocks, also those it no longer holds in memory", async () => {
  const chain = newChain()
  const wanted = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => ({
      number: from + i,
      hash: blockHash("main", from + i),
      time: 1_700_000_000 + from + i
    }))
  await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog(chain, { keepBlocks: 4 })
      expect(yield* log.tailBlocks(3)).toEqual([])
      for (let i = 1; i <= 30; i++) yield* log.append(blocksBatch(i, i, 1))
      expect(yield* log.tailBlocks(3)).toEqual(wanted(28, 30))
      expect(yield* log.tailBlocks(20)).toEqual(wanted(11, 30))
      expect(yield* log.tailBlocks(100)).toEqual(wanted(1, 30))
      const again = yield* openTapeLog(chain, { keepBlocks: 4 })
      expect(yield* again.tailBlocks(20)).toEqual(wanted(11, 30))
      expect(yield* again.tailBlocks(2)).toEqual(wanted(29, 30))
    })
  )
})

it("refuses batches that do not continue the log, and stays usable", async () => {
  const chain = newChain()
  const sealed = blockEvents(blockRef(4), 2)
  const other: ReadonlyArray<Event> = [{ ...sealed[0]!, block: blockRef(5, "other") }]
  const open: ReadonlyArray<Event> = [{ ...sealed[0]!, block: blockRef(5) }]
  await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog(chain)
      const refusal = (events: ReadonlyArray<Event>) =>
        Effect.flip(log.append(batchOf(events))).pipe(
          Effect.map(error => {
            expect(error._tag).toBe("BatchRefused")
            return error.message
          })
        )
      yield* log.append(blocksBatch(1, 4))
      expect(yield* refusal(sealed)).toContain("block 4 is sealed in the log already")
      expect(yield* refusal(blockEvents(blockRef(3), 1))).toContain(
        "block 3 comes after block 4 without a Rollback"
      )
      expect(yield* refusal([...blockEvents(blockRef(6), 1), ...sealed])).toContain(
        "block 4 comes after block 6 without a Rollback"
      )
      yield* log.append(batchOf(open))
      expect(yield* refusal(other)).toContain("block 5 has another hash")
      yield* log.append(blocksBatch(6, 7))
      expect((yield* log.end).streamSeq).toBe(3)
    })
  )
})

it("lets one writer go on and fences the other", async () => {
  const chain = newChain()
  await server.run(
    Effect.gen(function* () {
      const one = yield* openTapeLog(chain)
      yield* one.append(blocksBatch(1, 3))
      const two = yield* openTapeLog(chain)
      yield* two.append(blocksBatch(4, 4))
      // The same events, so the same hash: still not the same writer.
      const fenced = yield* Effect.flip(one.append(blocksBatch(4, 4)))
      expect(fenced).toMatchObject({ _tag: "LogFenced", chain, streamSeq: 2 })
      expect(yield* Effect.flip(one.append(blocksBatch(5, 5)))).toEqual(fenced)
      yield* two.append(blocksBatch(5, 5))
      const pipelined = yield* openTapeLog(chain)
      yield* two.append(blocksBatch(6, 6))
      const batches = Array.from({ length: 20 }, (_, i) => blocksBatch(i + 6, i + 6))
      const late = yield* Effect.flip(
        Stream.runDrain(pipelined.appendAll(Stream.fromIterable(batches)))
      )
      expect(late).toMatchObject({ _tag: "LogFenced", streamSeq: 4 })
    })
  )
  expect(await server.run(allEvents(chain))).toEqual(
    expected([blocksBatch(1, 3), blocksBatch(4, 4), blocksBatch(5, 5), blocksBatch(6, 6)])
  )
})

it("keeps the log whole while two writers race with batches in flight", async () => {
  for (let run = 0; run < 5; run++) {
    const chain = newChain()
    const race = (log: TapeLog, branch: string) => {
      const batches = Array.from({ length: 60 }, (_, i) => blocksBatch(i + 1, i + 1, 2, branch))
      return Effect.result(Stream.runDrain(log.appendAll(Stream.fromIterable(batches))))
    }
    const results = await server.run(
      Effect.gen(function* () {
        // both stand at the same place before either writes
        const [one, two] = [yield* openTapeLog(chain), yield* openTapeLog(chain)]
        return yield* Effect.all([race(one, "a"), race(two, "b")], { concurrency: 2 })
      })
    )
    const errors = results.flatMap(result => (result._tag === "Failure" ? [result.failure] : []))
    expect(errors.map(({ _tag }) => _tag)).toContain("LogFenced")
    const events = await server.run(allEvents(chain))
    const blocks = events.filter(({ kind }) => kind === "BlockSealed").map(({ block }) => block)
    expect(blocks.map(({ number }) => number)).toEqual(blocks.map((_, i) => i + 1))
  }
})

it("does not create the log of a chain that is only read", async () => {
  const failure = await server.run(
    Effect.flip(Effect.flatMap(openLogReader("nowhere"), l => l.end))
  )
  expect(failure).toMatchObject({
    _tag: "LogUnusable",
    message: expect.stringContaining("nowhere")
  })
})

it("sets a stream that would lose messages back to keeping everything", async () => {
  const chain = newChain()
  const raw = await openRaw(server.nats.url)
  await raw.create(chain, { max_msgs: 2, max_age: 1e9 })
  await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog(chain)
      for (let i = 1; i <= 5; i++) yield* log.append(blocksBatch(i, i))
      expect((yield* allSegments(log)).length).toBe(5)
    })
  )
  await raw.close()
})
