import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane, NATIVE_TOKEN, refusal } from "../../../test/support/fake-lanes.ts"
import { plainCandles } from "../../../test/support/plain-candles.ts"

const TOKEN = `0x${"ab".repeat(20)}`
const base = new FakeLane(chainConfig(8453, "base"))
const monad = new FakeLane(chainConfig(143, "monad"))
const arc = new FakeLane(chainConfig(5042, "arc"))

let api: TestApi
beforeAll(async () => {
  api = await startApi([base, monad, arc])
})
afterAll(() => api.close())
beforeEach(() => {
  for (const lane of [base, monad, arc]) {
    lane.requests.length = 0
    lane.respond = () => ({ candles: [] })
    lane.commit(lane.seq() + 1)
  }
})

const read = async (query: string, path = "") => {
  const response = await fetch(`${api.url}/v1/candles${path}?${query}`)
  return { status: response.status, body: await response.json() }
}

describe("GET /v1/candles", () => {
  it("is described by what `n` counts, which is not every trade", async () => {
    const document = await (await fetch(`${api.url}/v1/openapi.json`)).json()
    const { Candle, RichCandle } = document.components.schemas
    for (const { properties } of [Candle, RichCandle]) {
      expect(properties.n.description).toContain("those that tell a price and are believed")
      expect(properties.n.description).toContain("`trades` (`fields=trades`), which counts all")
      expect(properties.v.description).toContain("that `n` counts")
    }
    expect(RichCandle.properties.trades.description).toContain("also those without a price")
  })

  it("asks the chain's lane with the defaults", async () => {
    expect(await read(`chain=8453&token=${TOKEN}`)).toEqual({ status: 200, body: { candles: [] } })
    expect(base.requests).toEqual([
      {
        name: "candles",
        params: {
          ...{ token: TOKEN, tf: "1h", from: null, to: null, limit: 300, fill: false },
          ...plainCandles
        }
      }
    ])
  })

  it("passes every parameter on", async () => {
    await read(`chain=8453&token=${TOKEN}&tf=1w&from=1000&to=2000&limit=5000&fill=1`)
    expect(base.requests[0]?.params).toEqual({
      token: TOKEN,
      tf: "1w",
      from: 1000,
      to: 2000,
      limit: 5000,
      fill: true,
      ...plainCandles
    })
  })

  it("reads chain 143 where none is named", async () => {
    await read(`token=${TOKEN}`)
    expect(monad.requests.length).toBe(1)
  })

  it("takes addresses in any letter case, and the zero address for the native unit", async () => {
    await read(`chain=8453&token=0x${"aB".repeat(20)}`)
    await read(`chain=8453&token=0x${"0".repeat(40)}`)
    expect(base.requests.map(({ params }) => params["token"])).toEqual([TOKEN, NATIVE_TOKEN])
  })

  it("names an unserved chain", async () => {
    expect(await read(`chain=1&token=${TOKEN}`)).toEqual({
      status: 400,
      body: {
        error: "INVALID_PARAMS",
        message: "chain 1 is not served here; served: 8453 (base), 143 (monad), 5042 (arc)"
      }
    })
  })

  it("says of an unknown token on which other chains it trades", async () => {
    base.respond = () => refusal(404, "UNKNOWN_TOKEN", "no indexed trades on base")
    monad.respond = () => false
    arc.respond = ({ name }) => name === "hasToken"
    expect(await read(`chain=8453&token=${TOKEN}`)).toEqual({
      status: 404,
      body: {
        error: "UNKNOWN_TOKEN",
        message: "no indexed trades on base; it trades on chain 5042 (arc)"
      }
    })
    arc.state = { ...arc.state, state: "starting", seq: 0 }
    expect((await read(`chain=8453&token=${TOKEN}`)).body.message).toBe("no indexed trades on base")
  })

  it("asks for more where more is wanted, of a token or of a pool", async () => {
    const pool = `0x${"Cd".repeat(32)}`
    await read(`chain=8453&token=${TOKEN}&tf=5s`)
    await read(`chain=8453&pool=${pool}&quote=token&closed=1&raw=1&fields=buys,hash`)
    const window = { from: null, to: null, limit: 300, fill: false }
    expect(base.requests).toEqual([
      {
        name: "candles",
        params: {
          ...{ token: TOKEN, pool: null, tf: "5s", ...window },
          ...{ closed: false, quote: "usd", raw: false, fields: "" }
        }
      },
      {
        name: "candles",
        params: {
          ...{ token: null, pool: pool.toLowerCase(), tf: "1h", ...window },
          ...{ closed: true, quote: "token", raw: true, fields: "buys,hash" }
        }
      }
    ])
  })

  it("names a bad parameter, and what it must be", async () => {
    const fields =
      "buys, sells, buyVol, sellVol, buyers, sellers, trades, filtered, hash, final, state"
    const bad = {
      "": "token is required: 0x and 40 hex digits",
      "token=0x12": 'token must be 0x and 40 hex digits, on Solana base58 of 32 bytes, got "0x12"',
      "pool=0x12":
        'pool must be 0x and 40 or 64 hex digits, on Solana base58 of 32 bytes, got "0x12"',
      [`token=${TOKEN}&tf=2s`]:
        'tf must be one of 1s, 5s, 15s, 30s, 1m, 5m, 15m, 1h, 4h, 1d, 1w, got "2s"',
      [`token=${TOKEN}&closed=2`]: 'closed must be one of 0, 1, got "2"',
      [`token=${TOKEN}&raw=yes`]: 'raw must be one of 0, 1, got "yes"',
      [`token=${TOKEN}&fill=2`]: 'fill must be one of 0, 1, got "2"',
      [`token=${TOKEN}&quote=eur`]: 'quote must be one of usd, token, mcap, got "eur"',
      [`token=${TOKEN}&quote=token`]: 'quote must be usd or mcap without pool, got "token"',
      [`token=${TOKEN}&fields=buys,`]: `fields must be one or more of ${fields}, separated by commas, got "buys,"`,
      [`token=${TOKEN}&fields=liquidity`]: `fields must be one or more of ${fields}, separated by commas, got "liquidity"`,
      [`token=${TOKEN}&limit=5001`]: 'limit must be an integer from 1 to 5000, got "5001"',
      [`token=${TOKEN}&from=-1`]: 'from must be an integer from 0 to 253402300799, got "-1"'
    }
    for (const [query, message] of Object.entries(bad)) {
      expect(await read(`chain=8453&${query}`), query).toEqual({
        status: 400,
        body: { error: "INVALID_PARAMS", message }
      })
    }
    expect(base.requests).toEqual([])
  })
})

describe("GET /v1/candles/proof", () => {
  it("asks the chain's lane with the defaults, and behind a cursor", async () => {
    await read(`chain=8453&token=${TOKEN}&t=1700000000`, "/proof")
    await read(`chain=8453&pool=${TOKEN}&tf=1s&t=7&quote=token&limit=2000&after=36:7`, "/proof")
    const rest = { limit: 500, afterBlock: null, afterLogIndex: null }
    expect(base.requests).toEqual([
      {
        name: "candleProof",
        params: { token: TOKEN, pool: null, tf: "1h", t: 1_700_000_000, quote: "usd", ...rest }
      },
      {
        name: "candleProof",
        params: {
          ...{ token: null, pool: TOKEN, tf: "1s", t: 7, quote: "token" },
          ...{ limit: 2000, afterBlock: 36, afterLogIndex: 7 }
        }
      }
    ])
  })

  it("names a bad parameter", async () => {
    const bad = {
      [`token=${TOKEN}`]: "t is required: an integer from 0 to 253402300799",
      [`token=${TOKEN}&t=x`]: 't must be an integer from 0 to 253402300799, got "x"',
      "t=1": "token is required: 0x and 40 hex digits",
      [`token=${TOKEN}&t=1&quote=mcap`]: 'quote must be one of usd, token, got "mcap"',
      [`token=${TOKEN}&t=1&limit=0`]: 'limit must be an integer from 1 to 2000, got "0"',
      [`token=${TOKEN}&t=1&after=36`]: 'after must be block:logIndex, got "36"'
    }
    for (const [query, message] of Object.entries(bad)) {
      expect(await read(`chain=8453&${query}`, "/proof"), query).toEqual({
        status: 400,
        body: { error: "INVALID_PARAMS", message }
      })
    }
  })
})
