import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readerOf, startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../../test/support/fake-lanes.ts"
import { apiDescription } from "../../description.ts"
import { CONTRACT_DAYS, CONTRACT_VERSION } from "./contract-changes.ts"

/** What the contract's document does not tell: it is of live streams. */
const LIVE = ["/v1/ws/live", "/v1/stream/market", "/v1/asyncapi.json"]

/** The paths that stand after all changes, told from the oldest. */
const standing = (): ReadonlyArray<string> => {
  const paths = new Set<string>()
  for (const { changes } of CONTRACT_DAYS.toReversed()) {
    for (const { kind, routes } of changes) {
      if (kind === "added") for (const path of routes) paths.add(path)
      if (kind === "removed") for (const path of routes) paths.delete(path)
    }
  }
  return [...paths].sort()
}

describe("the changes of the contract", () => {
  it("are of real days, newest first, each day once", () => {
    const dates = CONTRACT_DAYS.map(({ date }) => date)
    for (const date of dates) {
      expect(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10)).toBe(date)
    }
    expect(dates).toEqual([...new Set(dates)].sort().reverse())
    for (const { changes } of CONTRACT_DAYS) expect(changes.length).toBeGreaterThan(0)
  })

  it("make the contract's version", () => {
    expect(CONTRACT_VERSION).toBe(CONTRACT_DAYS[0]?.date)
    expect(apiDescription().info.version).toBe(CONTRACT_VERSION)
  })

  it("name every route that is declared, and no other", () => {
    const declared = [...Object.keys(apiDescription().paths), ...LIVE].sort()
    const hint = "tell in api/groups/changelog/contract-changes.ts what was added or removed"
    expect(standing(), hint).toEqual(declared)
  })

  it("change and mend only what was there", () => {
    const known = new Set(standing())
    for (const { changes } of CONTRACT_DAYS) {
      for (const { routes, text } of changes) {
        expect(routes.filter(path => !known.has(path))).toEqual([])
        expect(text).toMatch(/^[A-Z`].*\.$/)
      }
    }
  })
})

describe("GET /v1/changelog", () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startApi([new FakeLane(chainConfig(8453, "base"))])
  })
  afterAll(() => api.close())

  it("answers them as they are written down", async () => {
    expect(await readerOf(api)("/changelog")).toEqual({
      version: CONTRACT_VERSION,
      days: CONTRACT_DAYS
    })
  })
})
