/**
 * A rewriting of several stretches, killed at each of its messages: the log is completed from
 * itself, loses and repeats nothing that it had, and takes what is missing at the next try.
 */
import { DiscardPolicy } from "@nats-io/jetstream"
import { Effect, Stream } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { eventsOf, eventToJson } from "../../streams/event-objects.ts"
import type { BlockRange } from "../../streams/source.ts"
import { blocksBatch } from "../../test/support/block-batches.ts"
import {
  allSegments,
  type LogServer,
  openRaw,
  startLogServer
} from "../../test/support/log-server.ts"
import { effectiveRanges, isEffective } from "./effective.ts"
import { completeSplice, openTapeLog, type TapeLog } from "./tape-log.ts"

const chain = "stretches"
const LAST = 30
const GAPS: ReadonlyArray<BlockRange> = [
  { fromBlock: 5, toBlock: 6 },
  { fromBlock: 11, toBlock: 11 },
  { fromBlock: 17, toBlock: 19 }
]

const isLate = (block: number): boolean =>
  GAPS.some(({ fromBlock, toBlock }) => block >= fromBlock && block <= toBlock)

const all = Array.from({ length: LAST }, (_, i) => i + 1)
const late = all.filter(isLate)

let server: LogServer
beforeAll(async () => {
  server = await startLogServer()
})
afterAll(() => server.stop())

const open = openTapeLog(chain, { segmentBytes: 700 })

const place = (log: TapeLog) =>
  log.replace({
    ...{ fromBlock: 5, toBlock: 19, ranges: GAPS },
    batches: Stream.fromIterable(late.map(block => blocksBatch(block, block)))
  })

/** The events that count, by their block, in order. */
const eventsIn = (log: TapeLog) =>
  Effect.map(allSegments(log), segments => {
    const ranges = effectiveRanges(segments.map(({ header }) => header))
    return segments.flatMap(({ header, batch }) =>
      eventsOf(batch).filter((_, i) => isEffective(ranges, header.firstSeq + i))
    )
  })

const lines = (blocks: ReadonlyArray<number>): ReadonlyArray<string> =>
  blocks.flatMap(block => eventsOf(blocksBatch(block, block)).map(event => eventToJson(event, 0)))

const write = Effect.gen(function* () {
  const log = yield* open
  for (const block of all) if (!isLate(block)) yield* log.append(blocksBatch(block, block))
  const before = log.position().streamSeq
  yield* place(log)
  return before
})

/** What the log holds once it is opened, and after the blocks came once more. */
const reopen = Effect.fnUntraced(function* (isOpening: boolean) {
  if (!isOpening) yield* completeSplice(chain)
  const log = yield* open
  const opened = yield* eventsIn(log)
  yield* place(log)
  return { opened, whole: yield* eventsIn(log) }
})

it("loses and repeats nothing, wherever a rewriting of several stretches is killed", async () => {
  const before = await server.run(write)
  const raw = await openRaw(server.nats.url)
  const messages = await raw.messages(chain)
  expect(messages.length - before).toBeGreaterThan(15)
  const seen = new Set<number>()
  for (let length = before; length <= messages.length; length++) {
    await raw.deleteStream(chain)
    await raw.create(chain, { discard: DiscardPolicy.New })
    await Promise.all(messages.slice(0, length).map(message => raw.publish(chain, message)))
    const { opened, whole } = await server.run(reopen(length % 2 === 0))
    const told = opened.map(event => eventToJson(event, 0))
    // late blocks come in order, so those that are there are the first of them
    const there = late.filter(block => opened.some(event => event.block.number === block)).length
    seen.add(there)
    const kept = new Set(late.slice(0, there))
    const wanted = lines(all.filter(block => !isLate(block) || kept.has(block)))
    expect(told, `${length} of ${messages.length} messages`).toEqual(wanted)
    expect(whole.map(event => eventToJson(event, 0))).toEqual(lines(all))
  }
  expect([...seen]).toEqual(Array.from({ length: seen.size }, (_, i) => i))
  expect(seen.size).toBe(late.length + 1)
  await raw.close()
})
