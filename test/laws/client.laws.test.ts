/**
 * The law of the typed client: there is a function for every route of every family of chains, and
 * what it is answered, of lanes that folded a log with something of everything, is what the
 * contract says. `test/e2e/client.sim.test.ts` asks an engine of its own process.
 */
import Ajv2020 from "ajv/dist/2020.js"
import { afterAll, beforeAll, expect, it } from "vitest"
import { swaptape } from "../../client/client.js"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { startApi, type TestApi } from "../support/api-server.ts"
import { fakeTrade } from "../support/fake-trade.ts"
import { MemoryLane } from "../support/memory-lane.ts"
import { type Asked, declaredRoutes, isOf, urlsOf } from "../support/route-urls.ts"
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

/** Checks what is said to be of a schema, in words; undefined where it is. */
const checkerOf = async () => {
  const ajv = new Ajv2020.default({ strict: false, validateFormats: false })
  const contract = await (await fetch(`${api.url}/v1/openapi.json`)).json()
  ajv.addSchema({ ...contract, $id: "contract" })
  return (schema: object | string, body: unknown): string | undefined => {
    const check =
      typeof schema === "string" ? ajv.getSchema(`contract#${schema}`) : ajv.compile(schema)
    if (check === undefined) throw new Error(`there is no ${schema}`)
    return check(body) ? undefined : ajv.errorsText(check.errors)
  }
}

/** The lists that are asked for one field a row, by the place of the answer's schema. */
const chosen = (asked: Asked) =>
  declaredRoutes
    .filter(route => isOf(route, asked.chain))
    .flatMap(route => {
      const { rows, openapi } = route.parameters["fields"] ?? {}
      const [, words = ""] = /^\^\(([\w|]+)\)/.exec(String(openapi?.schema["pattern"])) ?? []
      const [url = ""] = urlsOf(route, asked, () => [])
      const path = route.path.replace(/:(\w+)/g, "{$1}").replaceAll("/", "~1")
      const place = `/paths/${path}/get/responses/200/content/application~1json/schema`
      return rows === undefined ? [] : words.split("|").map(field => ({ url, field, rows, place }))
    })

it("answers one field a row in the form that the served contract tells", async () => {
  const check = await checkerOf()
  const asked = await askedOf(chains.find(({ key }) => key === "base") as ChainConfig)
  const lists = chosen(asked)
  const told: Array<string> = []
  let rowsSeen = 0
  for (const { url, field, rows, place } of lists) {
    const response = await fetch(`${api.url}${url}${url.includes("?") ? "&" : "?"}fields=${field}`)
    const body = await response.json()
    if (response.status !== 200) continue
    const names = new Set(body[rows].flatMap((row: object) => Object.keys(row)))
    rowsSeen += names.size
    const issue = check(place, body)
    if (issue !== undefined || names.size > 1) told.push(`${url} ${field}: ${issue}`)
  }
  expect(told).toEqual([])
  // of most lists there are rows, so that they say something
  expect(rowsSeen).toBeGreaterThan(lists.length / 2)
})

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
