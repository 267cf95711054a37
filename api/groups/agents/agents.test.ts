import { afterAll, beforeAll, expect, it } from "vitest"
import { readerOf, startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../../test/support/fake-lanes.ts"
import { tools } from "../../mcp/tools.ts"

const base = new FakeLane(chainConfig(8453, "base"))
const monad = new FakeLane(chainConfig(143, "monad"))

let api: TestApi
beforeAll(async () => {
  for (const lane of [base, monad]) {
    lane.respond = () => ({ chain: lane.config.id })
    lane.commit(1)
  }
  api = await startApi([base, monad])
})
afterAll(() => api.close())

const post = async (method: string, params: object = {}): Promise<void> => {
  const response = await fetch(`${api.url}/v1/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  })
  expect(response.status).toBe(200)
}
const call = (name: string, args: object = {}): Promise<void> =>
  post("tools/call", { name: `swaptape_${name}`, arguments: args })

it("tells every tool and every chain before anybody asked", async () => {
  const stats = await readerOf(api)("/agent/stats")
  expect(stats).toMatchObject({ requests: 0, calls: 0, errors: 0 })
  expect(stats.tools).toEqual([...tools().keys()].map(tool => ({ tool, calls: 0, errors: 0 })))
  expect(stats.chains).toEqual([
    { id: 8453, chain: "base", calls: 0, errors: 0 },
    { id: 143, chain: "monad", calls: 0, errors: 0 }
  ])
})

it("counts calls by tool and by the chain that they mean", async () => {
  await post("tools/list")
  await call("token_board", { chain: "base" })
  await call("token_board", { chain: "BASE" })
  await call("token_board", { chain: "nowhere" })
  // its default is monad; the address is none
  await call("candles", { token: "x" })
  await call("chains")
  await post("tools/call", { name: "swaptape_nothing", arguments: {} })
  const stats = await readerOf(api)("/agent/stats")
  expect(stats).toMatchObject({ requests: 7, calls: 5, errors: 2 })
  expect(stats.tools.slice(0, 4)).toEqual([
    { tool: "swaptape_token_board", calls: 3, errors: 1 },
    { tool: "swaptape_chains", calls: 1, errors: 0 },
    { tool: "swaptape_candles", calls: 1, errors: 1 },
    { tool: "swaptape_health", calls: 0, errors: 0 }
  ])
  expect(stats.chains).toEqual([
    { id: 8453, chain: "base", calls: 2, errors: 0 },
    { id: 143, chain: "monad", calls: 1, errors: 1 }
  ])
})

it("shows the tools that were called to Prometheus", async () => {
  const text = await (await fetch(`${api.url}/metrics`)).text()
  expect(text).toContain('swaptape_mcp_calls_total{tool="swaptape_token_board"} 3\n')
  expect(text).toContain('swaptape_mcp_errors_total{tool="swaptape_token_board"} 1\n')
  expect(text).not.toContain('tool="swaptape_status"')
})
