import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane, NATIVE_TOKEN, refusal } from "../../../test/support/fake-lanes.ts"

const TOKEN = `0x${"ab".repeat(20)}`
const arc = new FakeLane(chainConfig(5042, "arc"))
const base = new FakeLane(chainConfig(8453, "base"))

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

const read = async (query: string) => {
  const response = await fetch(`${api.url}/v1/prices/explain${query}`)
  return { status: response.status, body: await response.json() }
}

it("asks the named chain, with the native unit as its token", async () => {
  expect(await read(`?chain=8453&token=${TOKEN.toUpperCase().replace("0X", "0x")}`)).toEqual({
    status: 200,
    body: { of: "base" }
  })
  await read(`?chain=8453&token=0x${"0".repeat(40)}`)
  expect(base.requests).toEqual([
    { name: "explainPrice", params: { token: TOKEN, recipe: null } },
    { name: "explainPrice", params: { token: NATIVE_TOKEN, recipe: null } }
  ])
})

it("refuses bad parameters by their name", async () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["?chain=8453", "token"],
    ["?chain=8453&token=0x12", "token"],
    [`?chain=x&token=${TOKEN}`, "chain"],
    [`?chain=0&token=${TOKEN}`, "chain"],
    [`?chain=7&token=${TOKEN}`, "chain 7"],
    [`?token=${TOKEN}`, "chain is missing, and the default, 143 (monad)"]
  ]
  for (const [query, named] of cases) {
    const { status, body } = await read(query)
    expect([status, body.error], query).toEqual([400, "INVALID_PARAMS"])
    expect(body.message).toContain(named)
  }
})

it("says where else an unknown token trades, and what is not ready", async () => {
  arc.respond = () => refusal(404, "UNKNOWN_TOKEN", "no indexed trades")
  base.respond = ({ name }) => (name === "hasToken" ? true : {})
  const unknown = await read(`?chain=5042&token=${TOKEN}`)
  expect(unknown).toEqual({
    status: 404,
    body: {
      error: "UNKNOWN_TOKEN",
      message: "no indexed trades; it trades on chain 8453 (base)"
    }
  })
  arc.state = { ...arc.state, state: "rebuilding", seq: 0 }
  const silent = await read(`?chain=5042&token=${TOKEN}`)
  expect([silent.status, silent.body.error]).toEqual([503, "NOT_READY"])
})
