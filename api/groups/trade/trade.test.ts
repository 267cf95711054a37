/** Quotes and swaps over HTTP, of a router that finds one route for all. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../../test/support/fake-lanes.ts"
import { fakeTrade } from "../../../test/support/fake-trade.ts"

const [SOLD, BOUGHT, TAKER] = ["aa", "bb", "cc"].map(byte => `0x${byte.repeat(20)}`)
const lane = new FakeLane(chainConfig(8453, "base"), () => ({
  ...{ suspects: [], buys: 1, sells: 1, readsAs: null }
}))
let api: TestApi

beforeAll(async () => {
  api = await startApi([lane], { trade: fakeTrade })
})
afterAll(() => api?.close())

const order = `chain=base&inputMint=${SOLD}&outputMint=${BOUGHT}&amount=1000`
const get = async (path: string) => {
  const response = await fetch(`${api.url}/v1/${path}`)
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const post = async (path: string, body: string) => {
  const headers = { "content-type": "application/json" }
  const response = await fetch(`${api.url}/v1/${path}`, { method: "POST", headers, body })
  return [response.status, await response.json()]
}

it("tells the position that a quote is of, and of which log", async () => {
  for (const path of [`quote?${order}`, `swap/calldata?${order}&taker=${TAKER}`]) {
    const { status, headers } = await get(path)
    expect([status, headers.get("x-log-seq"), headers.get("x-log")]).toEqual([
      ...[200, "7", "a1a1a1a1a1a1a1a1"]
    ])
  }
})

it("says what is wrong with a body", async () => {
  const none = "the body must be a JSON object, with the fields that /docs names"
  for (const path of ["swap", "swap/simulate"]) {
    for (const body of ["", "{", "5", "null", "[]"]) {
      const [status, answer] = await post(path, body)
      expect([status, answer], `${path} ${body}`).toEqual([
        ...[400, { error: "INVALID_PARAMS", message: none }]
      ])
    }
  }
  expect(await post("swap/simulate", "{}")).toEqual([
    ...[400, { error: "INVALID_PARAMS", message: "chainId in the body: Missing key" }]
  ])
  const call = { chainId: 8453, from: TAKER, to: BOUGHT, data: "0x", value: "five" }
  const [status, { message }] = await post("swap/simulate", JSON.stringify(call))
  expect([status, message]).toEqual([
    ...[400, "value in the body: Expected a string matching the RegExp ^[0-9]{1,78}$"]
  ])
})

it("says that quotes of a history are of then, and builds no swap from them", async () => {
  const live = lane.state
  lane.state = { ...live, state: "history", block: 1852, blockTime: 1_704_412_800 }
  const ended =
    "the chain is served as a history, which ends at block 1852 of 2024-01-05T00:00:00.000Z"
  const { body } = await get(`quote?${order}`)
  expect(body.warnings).toEqual([`${ended}: quotes are of then`])
  const refusal = { error: "NOT_ENABLED", message: `${ended}: no swap can be built from it` }
  const calldata = await get(`swap/calldata?${order}&taker=${TAKER}`)
  expect([calldata.status, calldata.body]).toEqual([503, refusal])
  expect(await post("swap", JSON.stringify({ ...body, taker: TAKER }))).toEqual([503, refusal])
  const { body: status } = await get("chains/base/status")
  expect([status.quotes.state, status.quotes.problem]).toEqual([
    ...["behind", `${ended}: quotes are of then`]
  ])
  const { body: directory } = await get("chains")
  expect(directory.chains[0].routes).toMatchObject({ quote: expect.any(String), swap: null })
  lane.state = live
})
