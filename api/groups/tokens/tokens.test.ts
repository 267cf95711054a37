import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane, NATIVE_TOKEN, refusal } from "../../../test/support/fake-lanes.ts"

const TOKEN = `0x${"ab".repeat(20)}`
const WALLET = `0x${"CD".repeat(20)}`
const arc = new FakeLane(chainConfig(5042, "arc"))
const base = new FakeLane(chainConfig(8453, "base"))
const unknown = () => refusal(404, "UNKNOWN_TOKEN", "no indexed trades")

let api: TestApi
beforeAll(async () => {
  api = await startApi([arc, base])
})
afterAll(() => api.close())
beforeEach(() => {
  for (const lane of [arc, base]) {
    lane.requests.length = 0
    lane.respond = () => ({ of: lane.config.key })
    lane.commit(lane.seq() + 1)
    lane.state = { ...lane.state, state: "live" }
  }
})

const read = async (path: string) => {
  const response = await fetch(`${api.url}/v1/tokens${path}`)
  return { status: response.status, body: await response.json() }
}

describe("GET /v1/tokens/trades/{address}", () => {
  it("asks with the defaults", async () => {
    expect(await read(`/trades/${TOKEN}?chain=8453`)).toEqual({ status: 200, body: { of: "base" } })
    expect(base.requests).toEqual([
      {
        name: "tokenTrades",
        params: {
          token: TOKEN,
          side: null,
          dex: null,
          min: null,
          wallet: null,
          limit: 25,
          page: 1,
          asOf: null
        }
      }
    ])
  })

  it("passes every parameter on", async () => {
    const query = `side=sell&dex=uniswap_v3&min=267.719617000000000001&wallet=${WALLET}&limit=500&page=3&asOf=77`
    await read(`/trades/${TOKEN}?chain=5042&${query}`)
    expect(arc.requests[0]?.params).toEqual({
      token: TOKEN,
      side: "sell",
      dex: "uniswap_v3",
      min: "267.719617000000000001",
      wallet: WALLET.toLowerCase(),
      limit: 500,
      page: 3,
      asOf: 77
    })
  })

  it("answers from the first chain that knows the token", async () => {
    expect((await read(`/trades/${TOKEN}`)).body).toEqual({ of: "arc" })
    arc.respond = unknown
    arc.commit(arc.seq() + 1)
    expect((await read(`/trades/${TOKEN}`)).body).toEqual({ of: "base" })
    base.respond = unknown
    base.commit(base.seq() + 1)
    expect(await read(`/trades/${TOKEN}`)).toEqual({
      status: 404,
      body: { error: "UNKNOWN_TOKEN", message: `no chain served here has trades of ${TOKEN}` }
    })
  })

  it("does not call a token unknown while a chain cannot say", async () => {
    arc.state = { ...arc.state, state: "rebuilding", seq: 0 }
    base.respond = unknown
    const silent = await read(`/trades/${TOKEN}`)
    expect([silent.status, silent.body.error]).toEqual([503, "NOT_READY"])
    base.respond = () => ({ of: "base" })
    for (const _ of ["asked", "asked again"]) {
      expect((await read(`/trades/${TOKEN}`)).body).toEqual({ of: "base" })
    }
    // Not kept: arc may turn out to know the token.
    expect(base.requests.length).toBe(3)
  })

  it("resolves the zero address on each chain, and takes any letter case", async () => {
    await read(`/trades/0x${"0".repeat(40)}?chain=8453`)
    await read(`/trades/0x${"Ab".repeat(20)}?chain=8453`)
    expect(base.requests.map(({ params }) => params["token"])).toEqual([NATIVE_TOKEN, TOKEN])
  })

  it("names an unserved chain", async () => {
    const { status, body } = await read(`/trades/${TOKEN}?chain=7`)
    expect([status, body.error]).toEqual([400, "INVALID_PARAMS"])
    expect(body.message).toContain("chain 7")
  })
})

describe("GET /v1/tokens", () => {
  it("lists a chain's tokens", async () => {
    expect(await read("?chain=8453")).toEqual({ status: 200, body: { of: "base" } })
    await read("?chain=8453&limit=7")
    expect(base.requests).toEqual([
      { name: "tokenList", params: { limit: 100, includeUnlisted: false } },
      { name: "tokenList", params: { limit: 7, includeUnlisted: false } }
    ])
  })

  it("reads chain 143 where none is named", async () => {
    const { status, body } = await read("")
    expect([status, body.error]).toEqual([400, "INVALID_PARAMS"])
    expect(body.message).toContain("chain is missing, and the default, 143 (monad)")
  })
})
