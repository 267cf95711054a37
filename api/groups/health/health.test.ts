import { Schema } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { FollowedStream } from "../../../src/platform/follow-stream.ts"
import { readerOf, startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../../test/support/fake-lanes.ts"
import { ChainsHealth } from "./health.api.ts"

const base = new FakeLane(chainConfig(8453, "base", "Base"))
const arc = new FakeLane(chainConfig(5042, "arc", "Arc"))

let streams: ReadonlyArray<FollowedStream> = []
let api: TestApi
beforeAll(async () => {
  api = await startApi([base, arc], { streams: () => streams })
})
afterAll(() => api.close())

const health = async () => {
  const response = await fetch(`${api.url}/v1/health`)
  return { status: response.status, body: await response.json() }
}

it("GET /v1/health is 200 while every chain is well", async () => {
  const { status, body } = await health()
  expect(status).toBe(200)
  expect(body).toEqual({
    ...{ ok: true, version: expect.any(String), uptimeSeconds: expect.any(Number) },
    warnings: []
  })
})

it("warns of a shared stream that lost messages, and is well nevertheless", async () => {
  const short = { stream: "KEYS", seen: 3, lost: 2, problem: "two are gone: make them again" }
  streams = [short, { stream: "QUOTES", seen: 1, lost: 0, problem: null }]
  expect(await health()).toMatchObject({ status: 200, body: { warnings: [short.problem] } })
  const told = readerOf(api)
  expect(await told("/health/chains")).toMatchObject({ ok: true, warnings: [short.problem] })
  expect((await told("/status")).streams).toEqual(streams)
  const metrics = await (await fetch(`${api.url}/metrics`)).text()
  expect(metrics.match(/^swaptape_stream_.*$/gm)).toEqual([
    'swaptape_stream_lost_messages{stream="KEYS"} 2',
    'swaptape_stream_lost_messages{stream="QUOTES"} 0',
    'swaptape_stream_ok{stream="KEYS"} 0',
    'swaptape_stream_ok{stream="QUOTES"} 1'
  ])
  streams = []
})

it("is 503 in the envelope with the reasons in words where one is not", async () => {
  base.state = { ...base.state, state: "failed", problem: "disk full" }
  expect(await health()).toEqual({
    status: 503,
    body: {
      error: "CHAIN_DATA_UNAVAILABLE",
      message: "base: disk full",
      chains: [{ chain: "base", state: "failed", problem: "disk full" }],
      warnings: []
    }
  })
})

it("tells a chain that only begins from one in trouble", async () => {
  base.state = { ...base.state, state: "live", problem: null }
  const problem = "the tables are being built from the log"
  const sourceState = null
  arc.unwell = { ok: false, state: "rebuilding", problem, part: null, sourceState }
  expect(await health()).toMatchObject({ status: 503, body: { error: "NOT_READY" } })
})

it("GET /v1/health/chains has one row for each, always with 200", async () => {
  const body = Schema.decodeUnknownSync(ChainsHealth)(await readerOf(api)("/health/chains"))
  expect(body).toMatchObject({
    ok: false,
    chains: [
      { id: 8453, chain: "base", name: "Base", ok: true, problem: null, source: "live" },
      {
        ...{ id: 5042, chain: "arc", ok: false, state: "rebuilding", part: null, source: null },
        problem: "the tables are being built from the log",
        staleAfterS: 15
      }
    ]
  })
})
