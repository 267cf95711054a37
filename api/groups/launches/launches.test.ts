import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../../test/support/fake-lanes.ts"

const arc = new FakeLane(chainConfig(5042, "arc", "Arc"))
const rh = new FakeLane({
  ...chainConfig(4663, "rh"),
  curation: { lists: [{ name: "A", version: "1.0.0" }], tokens: [] }
})

let api: TestApi
beforeAll(async () => {
  api = await startApi([arc, rh])
})
afterAll(() => api.close())
beforeEach(() => {
  for (const lane of [arc, rh]) {
    lane.requests.length = 0
    lane.commit(lane.seq() + 1)
  }
})

const read = async (path: string) => {
  const response = await fetch(`${api.url}/v1${path}`)
  const cached = response.headers.get("cache-control")
  return { status: response.status, cached, body: await response.json() }
}

describe("launches and stocks", () => {
  it("ask with the defaults, and pass every parameter on", async () => {
    const paths = [
      "/graduated",
      "/graduated?limit=500&cursor=1:36000000:7:1",
      "/launchers",
      "/launchers?sort=last&limit=1&offset=9"
    ]
    for (const [family, lane] of Object.entries({ arc, rh })) {
      for (const path of paths) expect((await read(`/${family}${path}`)).status).toBe(200)
      expect(lane.requests).toEqual([
        { name: "graduated", params: { limit: 50, cursor: null } },
        { name: "graduated", params: { limit: 500, cursor: "1:36000000:7:1" } },
        { name: "launchers", params: { sort: "launches", limit: 50, offset: 0 } },
        { name: "launchers", params: { sort: "last", limit: 1, offset: 9 } }
      ])
      lane.requests.length = 0
    }
    await read("/rh/stocks")
    await read("/rh/stocks?limit=1000&offset=3")
    expect(rh.requests).toEqual([
      { name: "stocks", params: { limit: 500, offset: 0 } },
      { name: "stocks", params: { limit: 1000, offset: 3 } }
    ])
  })

  it("name the parameter that is bad", async () => {
    const bad = {
      "/arc/graduated?limit=0": "BAD_LIMIT",
      "/arc/graduated?cursor=2:1:1:1": "INVALID_PARAMS",
      "/arc/launchers?sort=age": "BAD_SORT",
      "/rh/launchers?offset=-1": "INVALID_PARAMS",
      "/rh/stocks?limit=1001": "BAD_LIMIT"
    }
    for (const [path, code] of Object.entries(bad)) {
      const { status, body } = await read(path)
      expect([path, status, body.error]).toEqual([path, 400, code])
      expect(body.message).toContain(path.split("?")[1]?.split("=")[0])
    }
    expect([...arc.requests, ...rh.requests]).toEqual([])
  })
})

describe("GET /v1/tokens of a chain with lists", () => {
  it("may be kept for an hour, unless all tokens are wanted", async () => {
    const curated = await read("/tokens?chain=4663")
    expect(curated.cached).toBe("public, max-age=3600")
    expect((await read("/tokens?chain=4663")).cached).toBe("public, max-age=3600")
    expect((await read("/tokens?chain=4663&includeUnlisted=1")).cached).toBe("no-cache")
    expect((await read("/tokens?chain=5042")).cached).toBe("no-cache")
    expect([...rh.requests, ...arc.requests]).toEqual([
      { name: "tokenList", params: { limit: 1000, includeUnlisted: false } },
      { name: "tokenList", params: { limit: 100, includeUnlisted: true } },
      { name: "tokenList", params: { limit: 100, includeUnlisted: false } }
    ])
  })
})
