import { describe, expect, it } from "vitest"
import { nearestName } from "./nearest-name.ts"

const NAMES = ["chain", "token", "pool", "tf", "from", "to", "limit", "fill", "includeUnlisted"]

describe("the nearest name", () => {
  it("is one or two typing errors away, or begins alike", () => {
    const cases: ReadonlyArray<readonly [string, string | undefined]> = [
      ["limt", "limit"],
      ["limti", "limit"],
      ["LIMIT", "limit"],
      ["chian", "chain"],
      ["timeframe", "tf"],
      ["timefrme", "tf"],
      ["Timeframe", "tf"],
      ["interval", undefined],
      ["tokenAddress", "token"],
      ["include", "includeUnlisted"],
      ["inclDeUnlistet", "includeUnlisted"],
      ["tff", "tf"],
      ["_", undefined],
      ["", undefined],
      ["x".repeat(100_000), undefined]
    ]
    for (const [word, name] of cases) expect([word, nearestName(word, NAMES)]).toEqual([word, name])
  })
})
