/** Frames of Solana: it goes by its word, its tokens by base58, and its times are seconds. */
import { afterEach, expect, it } from "vitest"
import { solana } from "../../src/domain/chains/solana.ts"
import { LiveApi, TOKEN } from "../../test/support/live-api.ts"

const MINT = "So11111111111111111111111111111111111111112"

let live: LiveApi
afterEach(() => live.stop())

const topic = (channel: string, more = {}) => ({
  op: "subscribe",
  channel,
  chain: "solana",
  ...more
})
const price = (key: string) => ({
  ...{ channel: "prices", key },
  body: `{"type":"price","channel":"prices","chain":"solana","token":"${MINT}","priceUsd":150}`
})

it("tells prices of the chain together", async () => {
  live = await LiveApi.start({ newestMs: 10 }, solana)
  const client = await live.greeted()
  client.send(topic("prices"))
  expect(await client.next()).toMatchObject({ type: "subscribed", chain: "solana", token: null })
  await client.settled()
  live.lane.commit(2, [price("*")])
  const told = await client.next()
  expect(told).toMatchObject({ type: "prices", chain: "solana", token: null, seq: 2 })
  expect(told?.items).toMatchObject([{ token: MINT, priceUsd: 150 }])
})

it("tells a board as of the seconds that its answer has", async () => {
  live = await LiveApi.start({ newestMs: 10 }, solana)
  live.lane.respond = () => ({ tokens: [{ address: MINT }], updatedAt: 1_789_999_000 })
  const client = await live.greeted()
  client.send(topic("boards"))
  const [, board] = await client.take(2)
  expect(board).toMatchObject({ type: "board", chain: "solana", at: 1_789_999_000, order: [MINT] })
})

it("takes a mint in its own letters, and no address of another chain", async () => {
  live = await LiveApi.start({}, solana)
  const client = await live.greeted()
  client.send(topic("trades", { token: MINT }))
  expect(await client.next()).toMatchObject({ type: "subscribed", chain: "solana", token: MINT })
  client.send(topic("trades", { token: TOKEN }))
  expect(await client.next()).toMatchObject({ type: "error", error: "BAD_ADDRESS" })
  client.send(topic("trades", { token: `${MINT}x` }))
  expect(await client.next()).toMatchObject({ type: "error", error: "BAD_ADDRESS" })
})
