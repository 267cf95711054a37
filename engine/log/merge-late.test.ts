/** Late events among those of a log: in any batches and cuts the same as put there at once. */
import { Effect, Stream } from "effect"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import type { Event } from "../../streams/event.ts"
import { batchOf, eventsOf, eventToJson } from "../../streams/event-objects.ts"
import { blockRef, blocksBatch } from "../../test/support/block-batches.ts"
import { allSegments, type LogServer, startLogServer } from "../../test/support/log-server.ts"
import { type Random, random, seed } from "../../test/support/seed.ts"
import { effectiveRanges, isEffective } from "./effective.ts"
import { insertEvents } from "./insert-events.ts"
import { openTapeLog, type TapeLog } from "./tape-log.ts"

vi.setConfig({ testTimeout: 60_000 })

let server: LogServer
beforeAll(async () => {
  console.log(`merge: SEED=${seed}`)
  server = await startLogServer()
})
afterAll(() => server.stop())

const TOKEN = `0x${"70".repeat(20)}`

const effectiveEvents = (log: TapeLog) =>
  Effect.map(allSegments(log), segments => {
    const ranges = effectiveRanges(segments.map(({ header }) => header))
    return segments.flatMap(({ header, batch }) =>
      eventsOf(batch).filter((_, i) => isEffective(ranges, header.firstSeq + i))
    )
  })

const lines = (events: ReadonlyArray<Event>) => events.map(event => eventToJson(event, 0))

const transfer = (number: number, logIndex: number, branch = "main"): Event => ({
  kind: "TransferSeen",
  block: blockRef(number, branch),
  tx: { hash: `0x${"7a".repeat(32)}`, index: 900, from: null, to: null },
  logIndex,
  token: TOKEN,
  from: TOKEN,
  to: TOKEN,
  amount: BigInt(number),
  wrap: null
})

const filled = (number: number): Event => ({
  kind: "TransfersFilled",
  block: blockRef(number),
  tx: null,
  logIndex: 0,
  token: TOKEN,
  fromBlock: 1,
  toBlock: number,
  reach: "creation",
  grade: "root"
})

/** Transfers behind the logs of their blocks, in random batches that end at any block. */
const lateOf = (r: Random, blocks: ReadonlyArray<number>, last: number, branch = "main") => {
  const events = blocks.flatMap(number => [
    transfer(number, 500, branch),
    transfer(number, 501 + r.integer(0, 3), branch)
  ])
  const batches: Array<Array<Event>> = [[]]
  for (const event of [...events, filled(last)]) {
    const open = batches[batches.length - 1] as Array<Event>
    const isNewBlock = open.length > 0 && open[open.length - 1]?.block.number !== event.block.number
    if (isNewBlock && r.boolean(0.4)) batches.push([event])
    else open.push(event)
  }
  return { events: [...events, filled(last)], batches: batches.map(batchOf) }
}

const blocksWith = (held: ReadonlyArray<Event>, late: ReadonlyArray<Event>) => {
  const numbers = [...new Set([...held, ...late].map(({ block }) => block.number))]
  const of = (events: ReadonlyArray<Event>, number: number) =>
    events.filter(({ block }) => block.number === number)
  return numbers
    .sort((a, b) => a - b)
    .flatMap(number => insertEvents(of(held, number), of(late, number)))
}

/** A log of blocks 10 to 59, some of them missing, in random batches. */
const someLog = (r: Random, log: TapeLog) =>
  Effect.gen(function* () {
    const held: Array<Event> = []
    for (let at = 10; at < 60; ) {
      const to = Math.min(59, at + r.integer(0, 6))
      const batch = blocksBatch(at, to, r.integer(1, 4))
      yield* log.append(batch)
      held.push(...eventsOf(batch))
      at = to + 1 + r.integer(0, 2)
    }
    return held
  })

const someBlocks = (r: Random, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i).filter(() => r.boolean(0.4))

it("stand where they belong, once, however often and in whatever parts they come", async () => {
  for (let run = 0; run < 8; run++) {
    const r = random(`merge ${run}`)
    const { held, first, again, late } = await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(`merge${run}`, { segmentBytes: r.integer(600, 4000) })
        const held = yield* someLog(r, log)
        const late = lateOf(r, someBlocks(r, 1, 45), 45)
        const range = { fromBlock: 1, toBlock: 45, mode: "add" as const }
        // a part of them may be there already, as after a kill
        const part = late.events.filter(({ block }) => block.number < 20)
        yield* log.replace({ ...range, toBlock: 19, batches: Stream.make(batchOf(part)) })
        yield* log.replace({ ...range, batches: Stream.fromIterable(late.batches) })
        const first = yield* effectiveEvents(log)
        const once = late.batches.map(batch => batchOf(eventsOf(batch).filter(({ tx }) => tx)))
        yield* log.replace({ ...range, batches: Stream.fromIterable(once) })
        return { held, first, again: yield* effectiveEvents(log), late: late.events }
      }),
      30_000
    )
    expect(lines(first)).toEqual(lines(blocksWith(held, late)))
    expect(lines(again)).toEqual(lines(first))
  }
})

it("stay out of a block of another branch, and then nothing says that all are there", async () => {
  const r = random("conflict")
  const found = await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog("conflict")
      yield* log.append(blocksBatch(10, 20))
      const events = [transfer(11, 500), transfer(12, 500, "fork"), transfer(14, 500), filled(14)]
      const batches = Stream.fromIterable(events.map(event => batchOf([event])))
      const joined = r.boolean() ? batches : Stream.make(batchOf(events.slice(0, 3)))
      const replaced = yield* log.replace({
        ...{ fromBlock: 10, toBlock: 14, mode: "add" },
        batches: Stream.take(joined, 3)
      })
      return { replaced, events: yield* effectiveEvents(log) }
    }),
    20_000
  )
  expect(found.replaced.conflicts).toBe(1)
  const held = eventsOf(blocksBatch(10, 20))
  expect(lines(found.events)).toEqual(
    lines(blocksWith(held, [transfer(11, 500), transfer(14, 500)]))
  )
})

it("stay where their blocks are replaced, unless those were read with them", async () => {
  const { kept, dropped } = await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog("keeps")
      yield* log.append(blocksBatch(10, 20))
      const batches = Stream.make(batchOf([transfer(12, 500), transfer(13, 500), filled(13)]))
      yield* log.replace({ fromBlock: 12, toBlock: 13, mode: "add", batches })
      const fresh = Stream.make(blocksBatch(12, 12))
      yield* log.replace({ fromBlock: 11, toBlock: 13, batches: fresh })
      const kept = yield* effectiveEvents(log)
      const keeps = ({ kind }: Event) => kind === "TransfersFilled"
      const whole = Stream.make(blocksBatch(11, 13))
      yield* log.replace({ fromBlock: 11, toBlock: 13, batches: whole, keeps })
      return { kept, dropped: yield* effectiveEvents(log) }
    }),
    20_000
  )
  const held = eventsOf(blocksBatch(10, 20))
  const without = held.filter(({ block: { number } }) => number !== 11 && number !== 13)
  const all = [transfer(12, 500), transfer(13, 500), filled(13)]
  expect(lines(kept)).toEqual(lines(blocksWith(without, all)))
  expect(lines(dropped)).toEqual(lines(blocksWith(held, [filled(13)])))
})
