/** What stays of a log whose blocks are replaced: in any batches and cuts the same as at once. */
import { Effect, Stream } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf, eventsOf, eventToJson } from "../../streams/event-objects.ts"
import { blockRef, blocksBatch } from "../../test/support/block-batches.ts"
import { allSegments, type LogServer, startLogServer } from "../../test/support/log-server.ts"
import { type Random, random, seed } from "../../test/support/seed.ts"
import { effectiveRanges, isEffective } from "./effective.ts"
import { insertEvents } from "./insert-events.ts"
import { LogUnusable } from "./log-errors.ts"
import { openTapeLog, type TapeLog } from "./tape-log.ts"

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

/** What a block says of older ones. */
const proven = (number: number): Event => ({
  ...{ kind: "BlocksProven", block: blockRef(number), tx: null, logIndex: 0 },
  ...{ fromBlock: 1, toBlock: 2, blocks: 2, was: "range", grade: "root" }
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

/** Transfers behind the logs of these blocks, and the word that all up to a block are there. */
const transfersOf = (r: Random, blocks: ReadonlyArray<number>, last: number) => [
  ...blocks.flatMap(number => [transfer(number, 500), transfer(number, 501 + r.integer(0, 3))]),
  filled(last)
]

const blocksWith = (held: ReadonlyArray<Event>, late: ReadonlyArray<Event>) => {
  const numbers = [...new Set([...held, ...late].map(({ block }) => block.number))]
  const of = (events: ReadonlyArray<Event>, number: number) =>
    events.filter(({ block }) => block.number === number)
  return numbers
    .sort((a, b) => a - b)
    .flatMap(number => insertEvents(of(held, number), of(late, number)))
}

/** Blocks of a stretch, some of them missing, in random batches. */
const someBatches = (r: Random, from: number, to: number): ReadonlyArray<EventBatch> => {
  const batches: Array<EventBatch> = []
  for (let at = from; at <= to; ) {
    const end = Math.min(to, at + r.integer(0, 6))
    batches.push(blocksBatch(at, end, r.integer(1, 4)))
    at = end + 1 + r.integer(0, 2)
  }
  return batches
}

/** The same events in random batches of whole blocks. */
const cut = (r: Random, events: ReadonlyArray<Event>): ReadonlyArray<EventBatch> => {
  const parts: Array<Array<Event>> = [[]]
  for (const event of events) {
    const open = parts[parts.length - 1] as Array<Event>
    const isNewBlock = open.length > 0 && open[open.length - 1]?.block.number !== event.block.number
    if (isNewBlock && r.boolean(0.4)) parts.push([event])
    else open.push(event)
  }
  return parts.map(batchOf)
}

const someBlocks = (r: Random, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i).filter(() => r.boolean(0.4))

const LAST = 45

it("stand where they belong, once, however often and in whatever parts blocks come", async () => {
  for (let run = 0; run < 8; run++) {
    const r = random(`merge ${run}`)
    const stay = transfersOf(r, someBlocks(r, 1, LAST - 1), LAST)
    const held = blocksWith(someBatches(r, 10, 59).flatMap(eventsOf), stay)
    const late = someBatches(r, 5, LAST)
    const { first, again } = await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(`merge${run}`, { segmentBytes: r.integer(600, 4000) })
        for (const batch of cut(r, held)) yield* log.append(batch)
        const range = { fromBlock: 1, toBlock: LAST }
        yield* log.replace({ ...range, batches: Stream.fromIterable(late) })
        const first = yield* effectiveEvents(log)
        const anew = cut(r, late.flatMap(eventsOf))
        yield* log.replace({ ...range, batches: Stream.fromIterable(anew) })
        return { first, again: yield* effectiveEvents(log) }
      })
    )
    const behind = held.filter(({ block }) => block.number > LAST)
    const expected = [...blocksWith(late.flatMap(eventsOf), stay), ...behind]
    expect(lines(first)).toEqual(lines(expected))
    expect(lines(again)).toEqual(lines(expected))
  }
})

it("are gone with a block that was read on another branch", async () => {
  const held = blocksWith(eventsOf(blocksBatch(10, 20)), [
    ...[11, 12, 14].map(number => transfer(number, 500)),
    filled(14)
  ])
  const late = [
    ...eventsOf(blocksBatch(10, 11)),
    transfer(12, 500, "fork"),
    ...eventsOf(blocksBatch(13, 14))
  ]
  const found = await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog("conflict")
      yield* log.append(batchOf(held))
      yield* log.replace({ fromBlock: 10, toBlock: 14, batches: Stream.make(batchOf(late)) })
      return yield* effectiveEvents(log)
    })
  )
  const stay = [transfer(11, 500), transfer(14, 500), filled(14)]
  const behind = held.filter(({ block }) => block.number > 14)
  expect(lines(found)).toEqual(lines([...blocksWith(late, stay), ...behind]))
})

it("stay where their blocks are replaced, unless those were read with them", async () => {
  const held = eventsOf(blocksBatch(10, 20))
  const all = [transfer(12, 500), transfer(13, 500), filled(13), proven(13)]
  const { kept, dropped } = await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog("keeps")
      yield* log.append(batchOf(blocksWith(held, all)))
      const fresh = Stream.make(blocksBatch(12, 12))
      yield* log.replace({ fromBlock: 11, toBlock: 13, batches: fresh })
      const kept = yield* effectiveEvents(log)
      const keeps = ({ kind }: Event) => kind === "TransfersFilled"
      const whole = Stream.make(blocksBatch(11, 13))
      yield* log.replace({ fromBlock: 11, toBlock: 13, batches: whole, keeps })
      return { kept, dropped: yield* effectiveEvents(log) }
    })
  )
  const without = held.filter(({ block: { number } }) => number !== 11 && number !== 13)
  expect(lines(kept)).toEqual(lines(blocksWith(without, all)))
  expect(lines(dropped)).toEqual(lines(blocksWith(held, [filled(13)])))
})

const damaged = new LogUnusable({ chain: "halfway", message: "damaged" })

const wrongLate: ReadonlyArray<readonly [string, Stream.Stream<EventBatch, LogUnusable>, RegExp]> =
  [
    ["fail", Stream.fail(damaged), /^LogUnusable: damaged$/],
    [
      "branch",
      Stream.make(batchOf([transfer(10, 1, "fork")])),
      /late block 10 is 0x\w+, the log has/
    ],
    ["go-on", Stream.make(blocksBatch(7, 11)), /late blocks outside of 2\.\.10/],
    ["repeat", Stream.make(blocksBatch(6, 7)), /late block 6 after 6/]
  ]

it.each(wrongLate)(
  "what the log holds stays behind late blocks that %s",
  async (how, bad, told) => {
    const held = [...[3, 7, 9].map(number => transfer(number, 500)), filled(10)]
    const found = await server.run(
      Effect.gen(function* () {
        const log = yield* openTapeLog(`halfway-${how}`, { segmentBytes: 900 })
        yield* log.append(batchOf([...eventsOf(blocksBatch(1, 1)), ...held]))
        yield* log.append(blocksBatch(11, 13))
        const late = { fromBlock: 2, toBlock: 10 }
        const atOnce = yield* Effect.flip(log.replace({ ...late, batches: Stream.fail(damaged) }))
        const untouched = yield* effectiveEvents(log)
        const parts = Stream.make(blocksBatch(2, 4), blocksBatch(5, 6))
        const batches = Stream.concat(parts, bad)
        const halfWay = yield* Effect.flip(log.replace({ ...late, batches }))
        return { atOnce, untouched, halfWay, events: yield* effectiveEvents(log) }
      })
    )
    const behind = eventsOf(blocksBatch(11, 13))
    const first = eventsOf(blocksBatch(1, 1))
    expect(found.atOnce).toBe(damaged)
    expect(String(found.halfWay)).toMatch(told)
    expect(lines(found.untouched)).toEqual(lines([...first, ...held, ...behind]))
    const stretch = blocksWith(eventsOf(blocksBatch(2, 6)), held)
    expect(lines(found.events)).toEqual(lines([...first, ...stretch, ...behind]))
  }
)
