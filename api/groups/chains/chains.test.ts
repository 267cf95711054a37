import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane, NATIVE_TOKEN } from "../../../test/support/fake-lanes.ts"
import { apiDescription } from "../../description.ts"
import { CAPABILITIES, UNNAMED } from "./capabilities.ts"

const TOKEN = `0x${"ab".repeat(20)}`
const arc = new FakeLane(chainConfig(5042, "arc", "Arc"))
const base = new FakeLane(chainConfig(8453, "base", "Base"))

let api: TestApi
beforeAll(async () => {
  api = await startApi([arc, base])
})
afterAll(() => api.close())
beforeEach(() => {
  base.requests.length = 0
  base.commit(base.seq() + 1)
})

const read = async (path: string) => {
  const response = await fetch(`${api.url}/v1/chains${path}`)
  return { status: response.status, body: await response.json() }
}

describe("GET /v1/chains/{chain}/token/{address}/trades", () => {
  it("takes names and ids in any letter case", async () => {
    for (const chain of ["base", "BASE", "Base", "8453"]) {
      expect((await read(`/${chain}/token/${TOKEN}/trades`)).status).toBe(200)
    }
    expect(base.requests).toEqual(
      Array(4).fill({
        name: "chainTrades",
        params: {
          token: TOKEN,
          limit: 50,
          beforeTs: null,
          beforeBlock: null,
          beforeLogIndex: null
        }
      })
    )
  })

  it("reads both forms of the cursor", async () => {
    await read(`/base/token/${TOKEN}/trades?limit=500&before=1789999321:36000000:7`)
    await read(`/base/token/${TOKEN}/trades?before=1789999321`)
    expect(base.requests.map(({ params }) => params)).toEqual([
      {
        token: TOKEN,
        limit: 500,
        beforeTs: 1_789_999_321,
        beforeBlock: 36_000_000,
        beforeLogIndex: 7
      },
      {
        token: TOKEN,
        limit: 50,
        beforeTs: 1_789_999_321,
        beforeBlock: null,
        beforeLogIndex: null
      }
    ])
  })

  it("takes the zero address for the wrapped native token", async () => {
    await read(`/base/token/0x${"0".repeat(40)}/trades`)
    expect(base.requests[0]?.params["token"]).toBe(NATIVE_TOKEN)
  })

  it("points chains with their own routes to them", async () => {
    const own = { arc: "5042", rh: "4663", monad: "143", ARC: "5042" }
    for (const [key, id] of [...Object.entries(own), ["5042", "5042"], ["143", "143"]]) {
      const { status, body } = await read(`/${key}/token/${TOKEN}/trades`)
      expect([key, status, body.error]).toEqual([key, 400, "UNSUPPORTED_CHAIN"])
      expect(body.message).toContain(`/v1/tokens/trades/{address}?chain=${id}`)
    }
  })

  it("refuses chains it does not serve", async () => {
    for (const chain of ["ethereum", "1", "nope", "constructor"]) {
      expect(await read(`/${chain}/token/${TOKEN}/trades`)).toEqual({
        status: 400,
        body: {
          error: "UNSUPPORTED_CHAIN",
          message: `chain ${chain} is not served here; served: base; arc has its own routes`
        }
      })
    }
  })
})

describe("GET /v1/chains", () => {
  it("lists every chain with its routes", async () => {
    const { status, body } = await read("")
    expect(status).toBe(200)
    expect(body.chains.map((row: { key: string }) => row.key)).toEqual(["arc", "base"])
    expect(body.chains[1]).toEqual({
      id: 8453,
      key: "base",
      name: "Base",
      native: { symbol: "ETH", decimals: 18 },
      explorer: null,
      nativeToken: NATIVE_TOKEN,
      anchors: [{ address: NATIVE_TOKEN, symbol: "WETH", decimals: 18, kind: "native" }],
      ok: true,
      state: "live",
      problem: null,
      source: "devchain",
      routes: {
        ...body.chains[1].routes,
        overview: "/v1/chains/base/overview",
        venues: "/v1/chains/base/venues",
        board: "/v1/chains/base/tokens",
        trending: "/v1/chains/base/trending",
        candles: "/v1/candles?chain=8453&token={address}",
        tokens: "/v1/tokens?chain=8453",
        search: "/v1/tokens/search?chain=8453&q={text}",
        trades: "/v1/chains/base/token/{address}/trades",
        holders: "/v1/chains/base/token/{address}/holders",
        prints: "/v1/chains/base/prints",
        wallet: "/v1/chains/base/wallet/{address}",
        live: "/v1/ws/live",
        status: "/v1/chains/base/status"
      }
    })
    expect(body.chains[0].routes.holders).toBe("/v1/arc/token/{address}/holders")
    expect(body.chains[0].routes.trades).toBe("/v1/tokens/trades/{address}?chain=5042")
  })

  it("names every route below a chain, in the order of the list", async () => {
    const { body } = await read("")
    for (const { routes } of body.chains) {
      expect(Object.keys(routes)).toEqual(Object.keys(CAPABILITIES))
    }
    const named = new Set([...Object.values(CAPABILITIES), ...Object.keys(UNNAMED)])
    const declared = Object.keys(apiDescription().paths)
    const below = declared.flatMap(path => /^\/v1\/chains\/\{chain\}\/(.+)/.exec(path)?.[1] ?? [])
    const lacking = below
      .filter(route => !named.has(route))
      .map(route => `${route}: name it in CAPABILITIES or UNNAMED of capabilities.ts`)
    expect(lacking).toEqual([])
    const gone = [...named]
      .filter(route => typeof route === "string" && !below.includes(route))
      .map(route => `${route}: no route below a chain is declared so`)
    expect(gone).toEqual([])
  })

  it("names routes that are declared", async () => {
    const { body } = await read("")
    const declared = new Set(Object.keys(apiDescription().paths))
    const told: ReadonlyArray<string> = body.chains.flatMap(
      ({ routes }: { readonly routes: object }) => Object.values(routes)
    )
    const patterns = told.map(route =>
      route.replace(/\?.*/, "").replace(/^\/v1\/chains\/base\//, "/v1/chains/{chain}/")
    )
    expect(patterns.filter(path => !declared.has(path) && path !== "/v1/ws/live")).toEqual([])
  })
})
