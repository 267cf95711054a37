import { afterAll, beforeAll, expect, it } from "vitest"
import { startApi, type TestApi } from "../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../test/support/fake-lanes.ts"
import { RouteMeter } from "./route-meters.ts"

const TOKEN = `0x${"11".repeat(20)}`
const base = new FakeLane(chainConfig(8453, "base"), () => ({ trades: [] }))

let api: TestApi
beforeAll(async () => {
  api = await startApi([base])
})
afterAll(() => api.close())

const metrics = async () => (await fetch(`${api.url}/metrics`)).text()

it("counts an answer in the first bucket whose bound it kept", () => {
  const meter = new RouteMeter("/v1/x")
  for (const seconds of [0.0005, 0.001, 0.0011, 0.4, 11]) meter.made(seconds, 200)
  meter.kept(false)
  meter.kept(true)
  meter.made(0.2, 503)
  expect(meter.buckets).toEqual([4, 1, 0, 0, 2, 0, 0, 1])
  expect(meter.classes).toEqual([0, 0, 6, 1, 0, 1])
  expect(meter.count).toBe(8)
})

it("names routes as they are declared, whatever was asked", async () => {
  const route = 'route="/v1/tokens/trades/:address"'
  const url = `${api.url}/v1/tokens/trades/${TOKEN}?chain=8453`
  const first = await fetch(url)
  const headers = { "if-none-match": first.headers.get("etag") ?? "" }
  expect((await fetch(url)).status).toBe(200)
  expect((await fetch(url, { headers })).status).toBe(304)
  expect((await fetch(`${api.url}/v1/tokens/trades/nothing?chain=8453`)).status).toBe(400)
  expect((await fetch(`${api.url}/v1/made/up/${Math.random()}`)).status).toBe(404)
  const text = await metrics()
  expect(text).toContain(`swaptape_http_responses_total{${route},class="2xx"} 2\n`)
  expect(text).toContain(`swaptape_http_responses_total{${route},class="3xx"} 1\n`)
  expect(text).toContain(`swaptape_http_responses_total{${route},class="4xx"} 1\n`)
  expect(text).toContain('swaptape_http_responses_total{route="other",class="4xx"} 1\n')
  expect(text).toContain(`swaptape_http_seconds_bucket{${route},le="+Inf"} 4\n`)
  expect(text).toContain(`swaptape_http_seconds_count{${route}} 4\n`)
  expect(text).toMatch(/^# TYPE swaptape_http_seconds histogram$/m)
})
