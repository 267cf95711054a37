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

it("counts an answer in the first bucket whose bound it kept, by its status", () => {
  const meter = new RouteMeter("/v1/x")
  for (const seconds of [0.0005, 0.001, 0.0011, 0.4, 11]) meter.made(seconds, 200, 10)
  meter.made(0, 200, 0)
  meter.made(0, 200, null)
  meter.made(0.2, 503, 3)
  expect(meter.classes.map(took => took?.buckets ?? null)).toEqual([
    ...[null, null],
    [3, 1, 0, 0, 1, 0, 0, 1],
    [1, 0, 0, 0, 0, 0, 0, 0],
    null,
    [0, 0, 0, 0, 1, 0, 0, 0]
  ])
  expect(meter.classes[2]?.count).toBe(6)
  expect(meter.sentBytes).toBe(53)
})

it("names routes as they are declared, whatever was asked", async () => {
  const route = 'route="/v1/tokens/trades/:address"'
  const url = `${api.url}/v1/tokens/trades/${TOKEN}?chain=8453`
  const first = await fetch(url)
  const headers = { "if-none-match": first.headers.get("etag") ?? "" }
  const again = await fetch(url)
  expect(again.status).toBe(200)
  const sent = 2 * (await again.arrayBuffer()).byteLength
  const refused = await fetch(`${api.url}/v1/tokens/trades/nothing?chain=8453`)
  expect((await fetch(url, { headers })).status).toBe(304)
  expect(refused.status).toBe(400)
  const bytes = sent + (await refused.arrayBuffer()).byteLength
  expect((await fetch(`${api.url}/v1/made/up/${Math.random()}`)).status).toBe(404)
  const text = await metrics()
  const counts = [...text.matchAll(/^swaptape_http_seconds_count\{(.*)\} (\d+)$/gm)]
  expect(counts.map(([, labels, count]) => `${labels} ${count}`)).toEqual([
    `${route},class="2xx" 2`,
    `${route},class="3xx" 1`,
    `${route},class="4xx" 1`,
    'route="other",class="4xx" 1'
  ])
  expect(text).toContain(`swaptape_http_seconds_bucket{${route},class="2xx",le="+Inf"} 2\n`)
  expect(text).toContain(`swaptape_http_sent_bytes_total{${route}} ${bytes}\n`)
  expect(text).toMatch(/^# TYPE swaptape_http_seconds histogram$/m)
})
