import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../../test/support/fake-lanes.ts"
import { laneRow } from "./lane-row.ts"
import { Status } from "./status.api.ts"

const base = new FakeLane(chainConfig(8453, "base", "Base"))

let api: TestApi
beforeAll(async () => {
  api = await startApi([base])
})
afterAll(() => api.close())

describe("GET /v1/status", () => {
  it("shows every lane as declared", async () => {
    const response = await fetch(`${api.url}/v1/status`)
    expect(response.status).toBe(200)
    expect(response.headers.get("cache-control")).toBe("no-store")
    const status = Schema.decodeUnknownSync(Status)(await response.json())
    expect(status.engine).toBe(response.headers.get("x-engine"))
    expect(status.lanes[0]).toMatchObject({
      id: 8453,
      chain: "base",
      name: "Base",
      state: "live",
      source: { kind: "devchain", headBlock: 103 },
      quarantined: [{ reason: "short data", count: 2 }],
      quarantinedLogs: [{ block: 7, time: 1_789_000_000, tx: "0x77", account: "0xc1" }],
      gaps: [{ fromBlock: 5, toBlock: 6, reason: "a log is missing" }],
      assurance: "word",
      words: [{ fromBlock: 8, toBlock: 9, grade: "logs", blocks: 2 }],
      lag: { events: 0, blocks: 3 },
      retentionCutoffDay: null,
      minutesCutoffDay: null
    })
  })

  it("claims no proof of a lane without events, and counts its gaps all the same", async () => {
    const { state } = base
    const empty = { seq: 0, logSeq: 0, block: null, blockTime: null, events: 0, swaps: 0 }
    const said = async (more: object) => {
      base.state = { ...state, ...empty, ...more, gaps: [], words: [] }
      const { lanes } = await (await fetch(`${api.url}/v1/status`)).json()
      const family = await (await fetch(`${api.url}/v1/chains/base/status`)).json()
      const metrics = await (await fetch(`${api.url}/metrics`)).text()
      const [gaps] = /^swaptape_lane_gaps.*$/m.exec(metrics) ?? [null]
      return [lanes[0].assurance, family.assurance, gaps]
    }
    const none = 'swaptape_lane_gaps{chain="base"} 0'
    expect(await said({ assurance: "proven" })).toEqual([null, null, none])
    expect(await said({ assurance: null })).toEqual([null, null, null])
    expect(await said({ assurance: "proven", seq: 1, events: 1 })).toEqual([
      ...["proven", "proven", none]
    ])
    base.state = state
  })

  it("measures lag from the log, the source and the clock, and says where it cannot", () => {
    const lane = new FakeLane(chainConfig(1, "ethereum"))
    lane.state = { ...lane.state, seq: 7, logSeq: 10 }
    const nowMs = (1_789_999_000 + 12.34) * 1000
    const staleAfterSeconds = 15
    const nothing = { events: 3, blocks: null, seconds: null, staleAfterSeconds }
    const lag = { events: 3, blocks: 3, seconds: 12.3, staleAfterSeconds }
    expect(laneRow(lane, nowMs).lag).toEqual(lag)
    lane.state = { ...lane.state, source: null, state: "history" }
    expect(laneRow(lane, nowMs).lag).toEqual(nothing)
    lane.state = { ...lane.state, block: null, blockTime: null }
    expect(laneRow(lane, nowMs).lag).toEqual(nothing)
  })
})

describe("GET /metrics", () => {
  it("is in Prometheus' text format", async () => {
    const response = await fetch(`${api.url}/metrics`)
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
    const text = await response.text()
    expect(text).toContain('swaptape_lane_state{chain="base",state="live"} 1\n')
    expect(text).toContain('swaptape_lane_state{chain="base",state="failed"} 0\n')
    expect(text).toContain('swaptape_lane_ok{chain="base"} 1\n')
    expect(text).toContain('swaptape_source_state{chain="base",state="live"} 1\n')
    expect(text).toContain('swaptape_source_state{chain="base",state="failed"} 0\n')
    expect(text).toContain('swaptape_lane_lag_blocks{chain="base"} 3\n')
    expect(text).toContain('swaptape_lane_quarantined_total{chain="base",reason="short data"} 2\n')
    expect(text).toMatch(/^swaptape_http_requests_total [0-9]+$/m)
    const sample = /^swaptape_[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[0-9.]+(e-?[0-9]+)?$/
    for (const line of text.trimEnd().split("\n")) {
      expect(line.startsWith("# HELP ") || line.startsWith("# TYPE ") || sample.test(line)).toBe(
        true
      )
    }
  })

  it("says where memory is: of the process, of the thread that serves, and of each lane", async () => {
    const text = await (await fetch(`${api.url}/metrics`)).text()
    const numberOf = (name: string): number =>
      Number(
        text
          .split("\n")
          .find(line => line.startsWith(`swaptape_${name} `))
          ?.split(" ")[1]
      )
    const [resident, used, total, external] = [
      numberOf("process_resident_bytes"),
      ...["heap_used", "heap_total", "external"].map(kind =>
        numberOf(`serving_memory_bytes{kind="${kind}"}`)
      )
    ] as [number, number, number, number]
    expect(used).toBeGreaterThan(1e6)
    expect(total).toBeGreaterThanOrEqual(used)
    expect(external).toBeGreaterThan(0)
    expect(resident).toBeGreaterThan(used)
    expect(numberOf('lane_memory_bytes{chain="base"}')).toBe(1000)
    expect(text).toMatch(/^# HELP swaptape_lane_memory_bytes .*DuckDB.*process_resident_bytes/m)
  })

  it("escapes what others wrote", async () => {
    base.state = { ...base.state, quarantined: [{ reason: 'a "b"\\\n', count: 1 }] }
    const text = await (await fetch(`${api.url}/metrics`)).text()
    expect(text).toContain('reason="a \\"b\\"\\\\\\n"} 1\n')
  })

  it("has every number that the dashboard and the alerts ask for", async () => {
    const text = await (await fetch(`${api.url}/metrics`)).text()
    const kinds = new Map(
      [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, kind]) => [name, kind])
    )
    const sources = ["grafana.json", "alerts.yml"].map(name =>
      readFileSync(join(import.meta.dirname, "../../../docs/monitoring", name), "utf8")
    )
    const asked = new Set(
      sources.flatMap(source => [...source.matchAll(/swaptape_\w+/g)].map(([name]) => name))
    )
    const unknown = [...asked].filter(name => !kinds.has(name.replace(/_(bucket|count|sum)$/, "")))
    expect(unknown).toEqual([])
    // of a counter only its growth says something
    const grown = sources.join().matchAll(/(?:rate|increase)\((swaptape_\w+)/g)
    const counted = new Set(
      [...grown].map(([, name = ""]) => name.replace(/_(bucket|count|sum)$/, ""))
    )
    const wrong = [...counted].filter(name => kinds.get(name) === "gauge")
    expect(wrong).toEqual([])
    const totals = [...asked].filter(name => kinds.get(name) === "counter" && !counted.has(name))
    expect(totals).toEqual([])
  })
})
