/** The side log on a real server: parts are whole or not there, and what is joined is checked. */
import { Effect } from "effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf, eventsOf } from "../../streams/event-objects.ts"
import { type LogServer, openRaw, startLogServer } from "../../test/support/log-server.ts"
import { logStream } from "./log-stream.ts"
import { joinedReader } from "./read-joined.ts"
import { openSideLog, type SideRange } from "./side-log.ts"

const TOKEN = `0x${"c3".repeat(20)}`
const HOLDER = `0x${"11".repeat(20)}`

let server: LogServer
beforeEach(async () => {
  server = await startLogServer()
})
afterEach(() => server.stop())

const hashOf = (block: number) => `0x${block.toString(16).padStart(64, "0")}`
const blockOf = (number: number) => ({
  ...{ number, time: 1_000 + number },
  ...{ hash: hashOf(number), parentHash: hashOf(number - 1) }
})

const moved = (number: number, logIndex = 0): Event => ({
  ...{ kind: "TransferSeen", wrap: null, block: blockOf(number), logIndex, token: TOKEN },
  ...{ tx: { hash: hashOf(900 + number), index: 0, from: null, to: null } },
  ...{ from: HOLDER, to: TOKEN, amount: BigInt(number) }
})

/** Transfers of one block, with the fact that ends a part. */
const part = (fromBlock: number, toBlock: number): ReadonlyArray<Event> => [
  moved(toBlock),
  {
    ...{ kind: "TransfersFilled", block: blockOf(toBlock), tx: null, logIndex: 0 },
    ...{ token: TOKEN, fromBlock, toBlock, reach: "part", grade: "root" }
  }
]

const withSide = <A, E>(
  use: (log: Effect.Success<ReturnType<typeof openSideLog>>) => Effect.Effect<A, E>
) => server.run(Effect.flatMap(openSideLog("base"), use))

const reading = (range: SideRange) =>
  server.run(
    Effect.flatMap(logStream("base"), stream => Effect.result(joinedReader(stream)(range)))
  )

const blocksOf = (batches: ReadonlyArray<EventBatch>) =>
  batches.flatMap(eventsOf).flatMap(event => (event.tx === null ? [] : [event.block.number]))

it("holds parts whose blocks follow no order, and gives each as it is joined", async () => {
  const ranges = await withSide(log =>
    Effect.forEach([part(1, 50), part(51, 90), part(3, 20)], events => log.append(batchOf(events)))
  )
  expect(ranges.map(({ firstSeq, lastSeq }) => [firstSeq, lastSeq])).toEqual([
    [1, 2],
    [3, 4],
    [5, 6]
  ])
  for (const [i, range] of ranges.entries()) {
    const found = await reading(range)
    expect(found._tag === "Success" && blocksOf(found.success)).toEqual([[50], [90], [20]][i])
  }
  const after = await withSide(log => log.partsAfter(2))
  expect(after.map(({ batches, firstSeq }) => [firstSeq, blocksOf(batches)])).toEqual([
    [3, [90]],
    [5, [20]]
  ])
})

it("takes back what a kill left torn, and what is told to be taken back", async () => {
  await withSide(log => log.append(batchOf(part(1, 50))))
  // the rest of a part that takes several messages was never written
  await withSide(log => log.append(batchOf([moved(60), moved(60, 1)])))
  const found = await withSide(log => log.partsAfter(0))
  expect(found.map(({ lastSeq }) => lastSeq)).toEqual([2])
  const next = await withSide(log =>
    Effect.andThen(log.partsAfter(0), log.append(batchOf(part(51, 60))))
  )
  // two events that were torn, and what takes them back
  expect([next.firstSeq, next.lastSeq]).toEqual([6, 7])
  await withSide(log => log.takeBackAfter(2, blockOf(60)))
  expect((await withSide(log => log.partsAfter(0))).map(({ lastSeq }) => lastSeq)).toEqual([2])
  // what was joined stays readable, whatever is taken back behind it
  expect((await reading(next))._tag).toBe("Success")
})

it("says in words what is missing or damaged of what is joined", async () => {
  const message = async (range: SideRange) => {
    const found = await reading(range)
    return found._tag === "Failure" ? found.failure.message : "nothing is wrong"
  }
  const range = { firstSeq: 1, lastSeq: 2, hash: "0".repeat(64) }
  expect(await message(range)).toMatch(
    /^the log of base joins events 1\.\.2 of its side log \(stream PINS_BASE\), which is broken at message 1: there is no such stream\./
  )
  const [first, second] = await withSide(log =>
    Effect.forEach([part(1, 50), part(51, 90)], events => log.append(batchOf(events)))
  )
  if (first === undefined || second === undefined) throw new Error("nothing was appended")
  expect(await message(range)).toMatch(/ends at event 2 with hash [0-9a-f]{64}, not as it was/)
  expect(await message({ ...second, lastSeq: 9 })).toMatch(
    /broken at message 3: the message is miss/
  )
  expect(await message({ ...first, firstSeq: 2 })).toMatch(/no segment begins at event 2/)
  expect(await message({ ...first, firstSeq: 7 })).toMatch(/it ends before event 7/)
  const raw = await openRaw(server.nats.url)
  await raw.damage("PINS_BASE", "pins.base")
  expect(await message({ ...second, lastSeq: 4, firstSeq: 3 })).toMatch(/nothing is wrong/)
  const forged = { firstSeq: 5, lastSeq: 6, hash: second.hash }
  expect(await message(forged)).toMatch(/broken at message 3: its content does not match its own/)
  await raw.close()
})
