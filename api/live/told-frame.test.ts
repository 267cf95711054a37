import { afterEach, beforeEach, expect, it } from "vitest"
import { LiveApi, OTHER, TOKEN, TRADES } from "../../test/support/live-api.ts"
import type { Frame, WsClient } from "../../test/support/ws-client.ts"

let live: LiveApi
beforeEach(async () => {
  live = await LiveApi.start()
})
afterEach(() => live.stop())

const CANDLES = { ...TRADES, channel: "candles", tf: "1m" }
const subscribed = async (message: object): Promise<WsClient> => {
  const client = await live.greeted()
  client.send(message)
  await client.next()
  return client
}

/** Buckets of one position, as a lane tells them. */
const buckets = (seq: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    channel: "candles",
    key: `${TOKEN}:1m`,
    body: `{"type":"candle","channel":"candles","chain":8453,"token":"${TOKEN}","tf":"1m","seq":${seq},"at":${n}}`
  }))

const told = ({ seq, at, more }: Frame) => [seq, at, more]

it("says the client's own name of a subscription in all that is of it", async () => {
  const client = await live.greeted()
  client.send({ ...TRADES, sub: "mine", id: 1 })
  expect(await client.next()).toMatchObject({ type: "subscribed", sub: "mine", id: 1 })
  client.send({ ...TRADES, token: OTHER, sub: 2 })
  expect(await client.next()).toMatchObject({ type: "subscribed", sub: 2 })
  live.trade(2)
  expect(await client.next()).toMatchObject({ token: TOKEN, seq: 2, sub: "mine" })
  live.trade(3, OTHER)
  expect(await client.next()).toMatchObject({ token: OTHER, seq: 3, sub: 2 })
  client.send({ ...TRADES, sub: "mine" })
  expect(await client.next()).toMatchObject({ error: "ALREADY_SUBSCRIBED", sub: "mine" })
  client.send({ ...TRADES, op: "unsubscribe" })
  expect(await client.next()).toMatchObject({ type: "unsubscribed", sub: "mine" })
  client.send({ ...TRADES, sub: "mine", from: 1 })
  await client.next()
  expect(await client.next()).toMatchObject({ type: "trade", seq: 2, sub: "mine" })
  client.send({ ...TRADES, sub: "x".repeat(65) })
  expect(await client.next()).toMatchObject({
    error: "INVALID_PARAMS",
    message: "sub must be text of at most 64 characters, or a whole number"
  })
})

it("gives each reader of a topic its own name, and none to whoever gave none", async () => {
  const clients = [
    await subscribed({ ...TRADES, sub: "a" }),
    await subscribed({ ...TRADES, sub: 7 }),
    await subscribed(TRADES)
  ]
  const stream = await live.stream([`trades,chain=8453,token=${TOKEN},sub=s`])
  await stream.take(2)
  live.trade(2)
  const frames = await Promise.all([...clients, stream].map(client => client.next()))
  expect(frames.map(({ seq, sub }) => [seq, sub])).toEqual([
    [2, "a"],
    [2, 7],
    [2, undefined],
    [2, "s"]
  ])
})

it("says where more frames of a position follow, so that a cut between them loses none", async () => {
  const client = await subscribed(CANDLES)
  live.lane.commit(2, buckets(2, 3))
  expect((await client.take(3)).map(told)).toEqual([
    [2, 0, true],
    [2, 1, true],
    [2, 2, undefined]
  ])
  live.lane.commit(3, buckets(3, 2))
  const first = await client.next()
  expect(told(first)).toEqual([3, 0, true])
  // cut here: the newest whole position is 2
  client.close()
  const again = await subscribed({ ...CANDLES, from: 2 })
  expect((await again.take(2)).map(told)).toEqual([
    [3, 0, true],
    [3, 1, undefined]
  ])
})
