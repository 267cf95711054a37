/** Channels whose present is asked for: all of it first, then what changed, for any reader. */
import { afterEach, expect, it, vi } from "vitest"
import { refusal } from "../../test/support/fake-lanes.ts"
import { LiveApi } from "../../test/support/live-api.ts"

let live: LiveApi
afterEach(() => live.stop())

const BOARD = { op: "subscribe", channel: "boards", chain: 8453 }
const STATUS = { op: "subscribe", channel: "status", chain: 8453 }
const row = (address: string, price: number) => ({ address, price })
const answers = (tokens: ReadonlyArray<object>) => () => ({ tokens, updatedAt: 1_789_999_000_500 })
const board = { type: "board", channel: "boards", chain: 8453, sort: "volume", at: 1_789_999_000 }

it("tells a board's rows, then those that changed, and the order where it did", async () => {
  live = await LiveApi.start({ newestMs: 10 })
  live.lane.respond = answers([row("0xa", 1), row("0xb", 2)])
  const client = await live.greeted()
  client.send(BOARD)
  const begun = await client.next()
  expect(begun).toMatchObject({ type: "subscribed", sort: "volume", seq: 1 })
  expect(await client.next()).toEqual({
    ...board,
    seq: 1,
    all: true,
    order: ["0xa", "0xb"],
    tokens: [row("0xa", 1), row("0xb", 2)]
  })
  live.lane.respond = answers([row("0xa", 1), row("0xb", 3)])
  live.lane.commit(2)
  expect(await client.next()).toEqual({ ...board, seq: 2, all: false, tokens: [row("0xb", 3)] })
  live.lane.respond = answers([row("0xc", 9), row("0xa", 1)])
  live.lane.commit(3)
  const changed = { ...board, seq: 3, all: false, order: ["0xc", "0xa"], tokens: [row("0xc", 9)] }
  expect(await client.next()).toEqual(changed)
  const late = await live.greeted()
  late.send({ ...BOARD, sort: "volume", from: 2 })
  const [, all] = await late.take(2)
  expect(all).toEqual({ ...changed, all: true, tokens: [row("0xc", 9), row("0xa", 1)] })
  live.lane.commit(4)
  await client.settled()
  expect(client.rest()).toEqual([])
})

it("asks once for all readers, by event streams too, and no more once nobody reads", async () => {
  live = await LiveApi.start({ newestMs: 10 })
  live.lane.respond = answers([row("0xa", 1)])
  const clients = [await live.greeted(), await live.greeted()]
  for (const client of clients) client.send({ ...BOARD, sort: "mcap" })
  const stream = await live.stream(["boards,chain=base,sort=mcap"])
  const [, , all] = await stream.take(3)
  expect(all).toMatchObject({ ...board, sort: "mcap", all: true })
  for (const client of clients) await client.take(2)
  expect(live.lane.requests.map(({ params }) => params["sort"])).toEqual(["mcap"])
  for (const client of [...clients, stream]) client.close()
  await expect.poll(() => live.api.counters.sockets + live.api.counters.streams).toBe(0)
  live.lane.commit(2)
  const last = await live.greeted()
  last.send(STATUS)
  await last.take(2)
  expect(live.lane.requests.length).toBe(1)
})

it("skips what a reader that lags would have had, and tells it the newest", async () => {
  live = await LiveApi.start({ newestMs: 5, maxNewestBufferedBytes: 1000, maxBufferedBytes: 1e9 })
  const padding = "x".repeat(100_000)
  const slow = await live.greeted()
  const quick = await live.greeted()
  for (const client of [slow, quick]) {
    client.send(STATUS)
    await client.take(2)
  }
  slow.pause()
  let seq = 1
  for (let told = 0; told < 100; told++) {
    const problem = `${told} ${padding}`
    live.lane.state = { ...live.lane.state, state: "stalled", problem }
    live.lane.commit(++seq)
    await quick.next()
  }
  slow.resume()
  await expect.poll(() => slow.frames.at(-1)?.seq).toBe(seq)
  expect(slow.frames.length).toBeLessThan(102)
})

it("tells how a lane is, and at once where that changes, though it has no tables", async () => {
  live = await LiveApi.start({ newestMs: 10 })
  live.lane.state = { ...live.lane.state, state: "starting" }
  const client = await live.greeted()
  client.send({ ...STATUS, id: 7 })
  expect(await client.next()).toMatchObject({ type: "subscribed", channel: "status", id: 7 })
  const first = await client.next()
  expect(first).toEqual({
    ...{ type: "status", channel: "status", chain: 8453, at: first.at, all: true, seq: 1 },
    ...{ key: "base", ok: false, state: "starting", problem: "starting" },
    ...{ log: "a1a1a1a1a1a1a1a1", logSeq: 1, block: 100, blockTime: 1_789_999_000 },
    lag: { events: 0, blocks: 3 }
  })
  live.lane.state = { ...live.lane.state, state: "live" }
  expect(await client.next()).toMatchObject({ all: false, ok: true, state: "live", problem: null })
})

it("says that a board cannot be had", async () => {
  live = await LiveApi.start()
  live.lane.respond = () => refusal(503, "NOT_READY", "not yet")
  const client = await live.greeted()
  client.send(BOARD)
  await client.next()
  expect(await client.next()).toEqual({
    ...{ type: "error", error: "CHAIN_DATA_UNAVAILABLE", message: "not yet" },
    ...{ channel: "boards", chain: 8453, sort: "volume" }
  })
  expect(await live.streamAnswer(["boards,chain=base,sort=x"])).toMatchObject({ status: 400 })
})

it("goes on where the clock is set back", async () => {
  const wall = vi.spyOn(Date, "now")
  wall.mockReturnValue(1_790_000_000_000)
  try {
    live = await LiveApi.start({ newestMs: 10 })
    live.lane.respond = answers([row("0xa", 1)])
    const client = await live.greeted()
    client.send(BOARD)
    await client.take(2)
    wall.mockReturnValue(1_790_000_000_000 - 3_600_000)
    live.lane.respond = answers([row("0xa", 2)])
    live.lane.commit(2)
    expect(await client.next()).toEqual({ ...board, seq: 2, all: false, tokens: [row("0xa", 2)] })
  } finally {
    wall.mockRestore()
  }
})
