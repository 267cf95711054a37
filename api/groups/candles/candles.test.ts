import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane, NATIVE_TOKEN, refusal } from "../../../test/support/fake-lanes.ts"

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

const read = async (query: string) => {
  const response = await fetch(`${api.url}/v1/candles?${query}`)
  return { status: response.status, body: await response.json() }
}

describe("GET /v1/candles", () => {
  it("asks the chain's lane with the defaults", async () => {
    expect(await read(`chain=8453&token=${TOKEN}`)).toEqual({ status: 200, body: { candles: [] } })
    expect(base.requests).toEqual([
      {
        name: "candles",
        params: { token: TOKEN, tf: "1h", from: null, to: null, limit: 300, fill: false }
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
      fill: true
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
})
