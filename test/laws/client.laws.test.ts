/**
 * The law of the typed client: there is a function for every route of every family of chains, and
 * what it is answered, of lanes that folded a log with something of everything, is what the
 * contract says. `test/e2e/client.test.ts` asks an engine of its own process.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { swaptape } from "../../client/client.js"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { startApi, type TestApi } from "../support/api-server.ts"
import { fakeTrade } from "../support/fake-trade.ts"
import { MemoryLane } from "../support/memory-lane.ts"
import type { Asked } from "../support/route-urls.ts"
import { forkedMarket, routeChains } from "../support/route-world.ts"
import { random } from "../support/seed.ts"
import { notingClient, ownInputs, walkRoutes } from "../support/walk-routes.ts"

const STEPS = 16
const WALLET = `0x${"77".repeat(20)}`

const world = forkedMarket("client", random("client"), STEPS)
const chains = routeChains(world.market)
let lanes: ReadonlyArray<MemoryLane> = []
let api: TestApi

beforeAll(async () => {
  lanes = chains.map(chain => new MemoryLane(chain, world.log))
  for (const lane of lanes) {
    await lane.start()
    await lane.fold(world.log.segments.length)
    await lane.commit()
  }
  api = await startApi(lanes, { trade: fakeTrade })
})
afterAll(async () => {
  await api.close()
  for (const lane of lanes) await lane.close()
})

const askedOf = async ({ id, key }: ChainConfig): Promise<Asked> => {
  const tokens = [2, 3].map(place => world.market.tokens[place]?.address ?? "")
  const [address = ""] = tokens
  const { body } = await swaptape({ url: api.url }).getTokenTrades({
    ...{ address, chain: String(id), limit: 500 }
  })
  const middle = body.trades[body.trades.length >> 1]
  if (middle === undefined) throw new Error("the market has no trades")
  const wallet = body.trades.find(trade => trade.wallet !== null)?.wallet ?? ""
  return {
    ...{ chain: { id, key }, tokens, wallets: [wallet, WALLET], middle },
    pools: [...new Set(body.trades.map(({ pool }) => pool))],
    minutes: [...new Set(body.trades.map(({ ts }) => ts - (ts % 60)))].slice(0, 3)
  }
}

/** What there is not: a node, a simulated chain, an API key, transfers of the second token. */
const REFUSED = [
  "getArcHolders HOLDERS_UNAVAILABLE",
  "getChainHolders HOLDERS_UNAVAILABLE",
  "getKey API_KEY_REQUIRED",
  "getRhHolders HOLDERS_UNAVAILABLE",
  "postDevchainWallet NOT_FOUND",
  "postSimulate TRADE_UNAVAILABLE"
]

it("asks every route for what it is, and gets what the contract says", async () => {
  const chain = chains.find(({ key }) => key === "base") as ChainConfig
  const asked = await askedOf(chain)
  const { client, urls } = notingClient(api.url)
  const [inputMint = "", outputMint = ""] = asked.tokens
  const order = { inputMint, outputMint, amount: "1000" }
  const own = ownInputs(swaptape({ url: api.url }), order, asked.chain, WALLET)
  const draw = random("client/queries")
  const walked = await walkRoutes(client, asked, own, queries => draw.shuffle(queries).slice(0, 4))
  expect(walked.filter(({ issue }) => issue !== null)).toEqual([])
  const refused = walked.filter(({ came }) => came !== "ok")
  const told = new Set(refused.map(({ route, came }) => `${route} ${came}`))
  expect([...told].sort()).toEqual(REFUSED)
  expect(urls.length).toBe(walked.length)
  expect(new Set(walked.map(({ route }) => route)).size).toBe(Object.keys(client).length)
})
