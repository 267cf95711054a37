import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { HistoryStatus, SourceStatus } from "../../../streams/source.ts"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../../test/support/fake-lanes.ts"

const arc = new FakeLane(chainConfig(5042, "arc", "Arc"))
const base = new FakeLane(chainConfig(8453, "base", "Base"))

let api: TestApi
beforeAll(async () => {
  api = await startApi([arc, base])
})
afterAll(() => api.close())
beforeEach(() => {
  for (const lane of [arc, base]) {
    lane.requests.length = 0
    lane.commit(lane.seq() + 1)
  }
})

const read = async (path: string) => {
  const response = await fetch(`${api.url}/v1${path}`)
  return { status: response.status, body: await response.json() }
}

describe("boards of a chain", () => {
  it("asks with the defaults of each family", async () => {
    for (const path of ["/arc/overview", "/arc/venues", "/arc/tokens"]) {
      expect((await read(path)).status).toBe(200)
    }
    // blocks of it are missing
    const depth = { backfilled: false }
    const board = {
      sort: "volume",
      limit: 100,
      offset: 0,
      includeUnlisted: false,
      rules: null,
      asOf: null
    }
    expect(arc.requests).toEqual([
      { name: "overview", params: { days: 30, own: true, stale: true, ...depth } },
      { name: "venueShares", params: { days: 30 } },
      { name: "tokenBoard", params: board }
    ])
    await read("/chains/BASE/overview")
    await read("/chains/8453/venues?days=7")
    await read("/chains/base/tokens?sort=mcap&limit=1000&offset=20&includeUnlisted=1")
    expect(base.requests).toEqual([
      { name: "overview", params: { days: 14, own: false, stale: true, ...depth } },
      { name: "venueShares", params: { days: 7 } },
      {
        name: "tokenBoard",
        params: { ...board, sort: "mcap", limit: 1000, offset: 20, includeUnlisted: true }
      }
    ])
  })

  it("names the parameter that is bad", async () => {
    const bad = {
      "/arc/tokens?limit=0": "BAD_LIMIT",
      "/arc/tokens?limit=1001": "BAD_LIMIT",
      "/arc/tokens?sort=age": "BAD_SORT",
      "/arc/tokens?offset=-1": "INVALID_PARAMS",
      "/arc/tokens?includeUnlisted=yes": "INVALID_PARAMS",
      "/arc/venues?days=0": "BAD_DAYS",
      "/chains/base/venues?days=31": "BAD_DAYS",
      "/chains/base/tokens?limit=x": "BAD_LIMIT"
    }
    for (const [path, code] of Object.entries(bad)) {
      const { status, body } = await read(path)
      expect([path, status, body.error]).toEqual([path, 400, code])
      expect(body.message).toContain(path.split("?")[1]?.split("=")[0])
    }
    expect(arc.requests).toEqual([])
  })

  it("says which position a status tells of, as every answer of a lane", async () => {
    for (const [path, lane] of [
      ["/arc/status", arc],
      ["/chains/base/status", base]
    ] as const) {
      const response = await fetch(`${api.url}/v1${path}`)
      expect(response.headers.get("x-log-seq")).toBe(String(lane.seq()))
      expect(response.headers.get("x-log")).toBe(lane.log())
      expect((await response.json()).seq).toBe(lane.seq())
    }
  })

  it("refuses chains of another family and chains that are off", async () => {
    for (const route of ["overview", "venues", "tokens", "status"]) {
      for (const chain of ["arc", "5042", "rh", "143"]) {
        const { status, body } = await read(`/chains/${chain}/${route}`)
        expect([chain, status, body.error]).toEqual([chain, 400, "UNSUPPORTED_CHAIN"])
      }
      const { status, body } = await read(`/rh/${route}`)
      expect([status, body.error]).toEqual([503, "CHAIN_NOT_ENABLED"])
      expect(body.message).toContain("RPC_4663")
    }
  })

  it("says 503, not nothing, before the tables are built", async () => {
    arc.state = { ...arc.state, state: "rebuilding" }
    for (const route of ["overview", "venues", "tokens"]) {
      const { status, body } = await read(`/arc/${route}`)
      expect([route, status, body.error]).toEqual([route, 503, "NOT_READY"])
    }
    arc.state = { ...arc.state, state: "live" }
  })

  it("calls data stale when its newest block is old, also of an answer it keeps", async () => {
    const now = Math.floor(Date.now() / 1000)
    arc.state = { ...arc.state, blockTime: now }
    await read("/arc/overview")
    await read("/arc/overview")
    arc.state = { ...arc.state, blockTime: now - 3600 }
    await read("/arc/overview")
    expect(arc.requests.map(({ params }) => params["stale"])).toEqual([false, true])
  })

  it("tells how fresh and deep the index is", async () => {
    const problem = "the newest block is 62 d old"
    base.unwell = { ok: false, state: "stalled", problem, part: "chain", sourceState: "live" }
    const { status, body } = await read("/chains/base/status")
    expect(status).toBe(200)
    const { blockAgeS, updatedAt, ...rest } = body
    expect(blockAgeS).toBeGreaterThan(1_000_000)
    expect(Math.abs(updatedAt - Date.now())).toBeLessThan(60_000)
    expect(rest).toEqual({
      chain: 8453,
      key: "base",
      ok: false,
      state: "stalled",
      problem,
      indexedToBlock: 100,
      blockTime: 1_789_999_000,
      lagBlocks: 3,
      seq: base.state.seq,
      events: 10,
      swaps: 5,
      gaps: [{ fromBlock: 5, toBlock: 6, reason: "a log is missing" }],
      assurance: "word",
      backfill: null,
      quotes: {
        ...{ state: "off", problem: "this server runs no router", seq: 0, block: null },
        ...{ pools: 0, quotable: 0, unquoted: [] },
        reads: { agreed: 0, differed: 0, contradicted: 0 },
        warnings: []
      },
      retentionCutoffDay: null,
      minutesCutoffDay: null
    })
  })
})

it("calls no history whole before it is known what the tables lack", async () => {
  const reading = { ...base.state.source, kind: "evm-rpc" } as SourceStatus
  const history = { state: "done", fromBlock: 1, toBlock: 90 } as HistoryStatus
  const source = { ...reading, history }
  base.state = { ...base.state, gaps: [], source }
  const asked = async () => {
    const { body } = await read("/chains/base/status")
    await read("/chains/base/overview")
    return [body.backfill.complete, base.requests.at(-1)?.params["backfilled"]]
  }
  expect(await asked()).toEqual([true, true])
  base.state = { ...base.state, assurance: null, seq: base.state.seq + 1 }
  expect(await asked()).toEqual([false, false])
})

it("calls a simulated chain whole where no block of it is missing", async () => {
  const asked = async () => {
    await read("/arc/overview")
    return arc.requests.at(-1)?.params["backfilled"]
  }
  arc.state = { ...arc.state, gaps: [], assurance: null }
  expect(await asked()).toBe(false)
  arc.state = { ...arc.state, assurance: "proven", seq: arc.state.seq + 1 }
  expect(await asked()).toBe(true)
})

describe("GET /v1/rules", () => {
  it("publishes every threshold", async () => {
    const { status, body } = await read("/rules")
    expect(status).toBe(200)
    expect(body.wash.rules.map((rule: { id: string }) => rule.id)).toEqual([
      "wash-trades",
      "wash-volume"
    ])
    expect(body.impostor.version).toBe(1)
  })
})
