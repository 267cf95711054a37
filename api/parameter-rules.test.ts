/** What holds of parameters beyond their values: unknown ones, chains by key, flags, `fields`. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { startApi, type TestApi } from "../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../test/support/fake-lanes.ts"

const TOKEN = `0x${"ab".repeat(20)}`

let lane: FakeLane
let api: TestApi
beforeEach(async () => {
  lane = new FakeLane(chainConfig(8453, "base"), ({ params }) => params)
  api = await startApi([lane])
})
afterEach(() => api.close())

const read = async (path: string) => {
  const response = await fetch(`${api.url}/v1${path}`)
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const refusalOf = async (path: string) => {
  const { status, body } = await read(path)
  return [status, body.error, body.message]
}

describe("a parameter that a route has not", () => {
  const candles = `/candles?chain=8453&token=${TOKEN}`

  it("is refused with the nearest name", async () => {
    expect(await refusalOf(`${candles}&limt=3`)).toEqual([
      400,
      "INVALID_PARAMS",
      'there is no parameter "limt" here; did you mean limit?'
    ])
    expect(await refusalOf(`${candles}&tff=5m&limt=3`)).toEqual([
      400,
      "INVALID_PARAMS",
      'there is no parameter "tff" here; did you mean tf?'
    ])
    expect(lane.requests).toEqual([])
  })

  it("is refused with all that there are, where none is near", async () => {
    expect(await refusalOf("/chains/base/venues?timeframe=5m")).toEqual([
      400,
      "INVALID_PARAMS",
      'there is no parameter "timeframe" here; this route takes days, fields'
    ])
    expect(await refusalOf("/health?x=1")).toEqual([
      400,
      "INVALID_PARAMS",
      'there is no parameter "x" here; this route takes none'
    ])
    // one of the path is none of the query
    expect((await refusalOf("/chains/base/venues?chain=base"))[2]).toBe(
      'there is no parameter "chain" here; this route takes days, fields'
    )
  })
})

describe("chain=", () => {
  const ROUTES = [
    `/candles?token=${TOKEN}`,
    `/candles/proof?token=${TOKEN}&t=1`,
    "/tokens?limit=1",
    `/tokens/trades/${TOKEN}?limit=1`,
    `/tokens/stats/${TOKEN}?`,
    "/tokens/market?limit=1",
    "/tokens/search?q=a",
    `/tokens/chart/${TOKEN}?limit=1`,
    `/prices/explain?token=${TOKEN}`,
    `/flags/explain?token=${TOKEN}`
  ]

  it("is an id or a key in any letter case, on every route", async () => {
    for (const route of ROUTES) {
      for (const chain of ["8453", "base", "BASE"]) {
        const { status } = await read(`${route}&chain=${chain}`.replace("?&", "?"))
        expect([route, chain, status]).toEqual([route, chain, 200])
      }
      expect(await refusalOf(`${route}&chain=nope`.replace("?&", "?"))).toEqual([
        400,
        "INVALID_PARAMS",
        "chain nope is not served here; served: 8453 (base)"
      ])
    }
  })

  it("is said to be missing where the default is not served", async () => {
    const message =
      "chain is missing, and the default, 143 (monad), is not served here; served: 8453 (base)"
    for (const route of [ROUTES[0], ROUTES[2], ROUTES[5], ROUTES[8]]) {
      expect(await refusalOf(route as string)).toEqual([400, "INVALID_PARAMS", message])
    }
  })
})

describe("a flag", () => {
  it("may be 0, which is what it is where it is absent", async () => {
    const plain = `/candles?chain=base&token=${TOKEN}`
    const absent = await read(plain)
    const off = await read(`${plain}&fill=0&closed=0&raw=0`)
    expect(off.body).toEqual(absent.body)
    expect(lane.requests.map(({ name }) => name)).toEqual(["candles", "candles"])
    expect((await read(`${plain}&fill=1`)).body).toEqual({ ...absent.body, fill: true })
  })
})

describe("fields=", () => {
  const rows = [
    { address: "0x1", symbol: "A", priceUsd: 1.5, name: "a" },
    { address: "0x2", symbol: "B", priceUsd: null, name: "b" }
  ]

  it("leaves each row with these alone, in the row's order, with an ETag of their own", async () => {
    lane.respond = () => ({ chain: 8453, tokens: rows, total: 2 })
    const whole = await read("/chains/base/tokens")
    const some = await read("/chains/base/tokens?fields=priceUsd,symbol")
    expect(some.body).toEqual({
      chain: 8453,
      tokens: [
        { symbol: "A", priceUsd: 1.5 },
        { symbol: "B", priceUsd: null }
      ],
      total: 2
    })
    expect(Object.keys(some.body.tokens[0])).toEqual(["symbol", "priceUsd"])
    expect(some.headers.get("x-log-seq")).toBe("1")
    const etag = some.headers.get("etag") ?? ""
    expect(etag).not.toBe(whole.headers.get("etag"))
    const again = await fetch(`${api.url}/v1/chains/base/tokens?fields=priceUsd,symbol`, {
      headers: { "if-none-match": etag }
    })
    expect(again.status).toBe(304)
    // kept like any other answer
    expect(lane.requests.length).toBe(2)
    expect(api.counters.cacheHits).toBe(1)
  })

  it("is for the rows of the list that each route has", async () => {
    const rh = new FakeLane(chainConfig(4663, "rh"))
    await api.close()
    api = await startApi([lane, rh])
    for (const [route, list, field] of [
      ["/chains/base/tokens/search?q=usd", "tokens", "verified"],
      ["/tokens/search?chain=base&q=usd", "tokens", "symbol"],
      ["/chains/base/trending?", "tokens", "change2hPct"],
      ["/chains/base/attention?", "tokens", "attention"],
      [`/chains/base/token/${TOKEN}/pools?`, "pools", "dex"],
      ["/chains/base/venues?", "venues", "sharePct"],
      [`/chains/base/wallet/${TOKEN}?`, "positions", "heldAmount"],
      ["/rh/graduated?", "tokens", "launcher"],
      ["/rh/launchers?", "launchers", "launches"]
    ] as const) {
      const answer = { [list]: [{ [field]: 1, other: 2 }], n: 1 }
      for (const one of [lane, rh]) one.respond = () => answer
      const { status, body } = await read(`${route}&fields=${field}`.replace("?&", "?"))
      expect([route, status, body]).toEqual([route, 200, { [list]: [{ [field]: 1 }], n: 1 }])
    }
  })

  it("names a field that is none, on every route that has it", async () => {
    for (const route of [
      "/chains/base/trending?",
      "/tokens/search?chain=base&q=usd",
      "/chains/base/tokens?",
      "/tokens?chain=base",
      `/tokens/trades/${TOKEN}?chain=base`,
      `/chains/base/token/${TOKEN}/trades?`,
      `/chains/base/wallet/${TOKEN}/trades?`,
      `/chains/base/token/${TOKEN}/holders?`,
      "/chains/base/prints?",
      `/candles?chain=base&token=${TOKEN}`
    ]) {
      const [status, code, message] = await refusalOf(`${route}&fields=nope,x`.replace("?&", "?"))
      expect([route, status, code]).toEqual([route, 400, "INVALID_PARAMS"])
      expect(message).toMatch(/^fields must be one or more of \w+, .*, got "nope"$/)
    }
  })

  it("leaves refusals as they are", async () => {
    lane.state = { ...lane.state, state: "starting" }
    const { status, body } = await read("/chains/base/tokens?fields=symbol")
    expect([status, body.error]).toEqual([503, "NOT_READY"])
  })
})
