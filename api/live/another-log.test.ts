/** Readers whose position is of another log, or whose log becomes another one while they read. */
import { afterEach, expect, it } from "vitest"
import { LiveApi, TOKEN, TRADES } from "../../test/support/live-api.ts"

const FIRST = "a1a1a1a1a1a1a1a1"
const SECOND = "b2b2b2b2b2b2b2b2"
const PRICES = { ...TRADES, channel: "prices" }
const priceFrame = (seq: number, price: number) => ({
  channel: "prices",
  key: TOKEN,
  body: `{"type":"price","channel":"prices","chain":8453,"token":"${TOKEN}","seq":${seq},"priceUsd":${price}}`
})
const topic = { chain: 8453, token: TOKEN }

let live: LiveApi
afterEach(() => live.stop())

it("refuses a position of another log, and takes one of this", async () => {
  live = await LiveApi.start()
  live.trade(5)
  live.trade(9)
  const client = await live.greeted()
  client.send({ ...TRADES, from: 7, log: SECOND })
  expect(await client.next()).toMatchObject({
    ...{ type: "error", error: "RESUME_TOO_OLD", channel: "trades", ...topic },
    ...{ oldestSeq: 0, log: FIRST }
  })
  client.send({ ...TRADES, from: 7, log: FIRST })
  expect(await client.next()).toEqual({
    ...{ type: "subscribed", channel: "trades", ...topic, seq: 7, log: FIRST }
  })
  expect(await client.next()).toMatchObject({ type: "trade", seq: 9 })
  const answer = await fetch(`${live.api.url}/v1/status`)
  const { lanes } = (await answer.json()) as { lanes: ReadonlyArray<{ log: string }> }
  expect(lanes.map(({ log }) => log)).toEqual([FIRST, FIRST])
})

it("gives readers of prices the present ones of another log", async () => {
  live = await LiveApi.start()
  live.lane.commit(9, [priceFrame(9, 2)])
  const client = await live.greeted()
  client.send({ ...PRICES, from: 400, log: SECOND })
  expect(await client.next()).toMatchObject({ type: "subscribed", seq: 9, log: FIRST })
  expect(await client.next()).toMatchObject({ type: "price", seq: 9, priceUsd: 2 })
})

it("tells whoever is subscribed that the log is another one, and sends nothing of it", async () => {
  live = await LiveApi.start({ newestMs: 5 })
  live.lane.commit(8, [priceFrame(8, 2)])
  live.trade(9)
  const [trades, prices] = [await live.greeted(), await live.greeted()]
  trades.send(TRADES)
  prices.send(PRICES)
  expect(await trades.next()).toMatchObject({ type: "subscribed", seq: 9, log: FIRST })
  expect(await prices.next()).toMatchObject({ type: "subscribed", seq: 9, log: FIRST })
  expect(await prices.next()).toMatchObject({ type: "price", priceUsd: 2 })
  live.lane.commit(10)
  live.lane.logId = SECOND
  live.lane.wentBack++
  live.lane.past = []
  live.lane.state = { ...live.lane.state, seq: 3, logSeq: 3 }
  live.lane.commit(4, [
    { channel: "trades", key: TOKEN, body: `{"type":"trade","seq":4}` },
    priceFrame(4, 3)
  ])
  expect(await trades.next()).toMatchObject({ error: "RESUME_TOO_OLD", ...topic, log: SECOND })
  expect(await prices.next()).toMatchObject({ type: "price", seq: 4, priceUsd: 3 })
  trades.send({ ...TRADES, from: 3, log: SECOND })
  expect(await trades.next()).toMatchObject({ type: "subscribed", seq: 3, log: SECOND })
  expect(await trades.next()).toEqual({ type: "trade", seq: 4 })
  live.lane.commit(5, [priceFrame(5, 4)])
  let price = await prices.next()
  // the newest may be told twice
  while (price["seq"] === 4) price = await prices.next()
  expect(price).toMatchObject({ type: "price", seq: 5, priceUsd: 4 })
})
