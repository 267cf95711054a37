import { expect, test } from "vitest"
import { fairPrice } from "./fair-price.ts"

test("a fair price moves, stays in its band, and depends on seed and name only", () => {
  const price = fairPrice("swaptape", "ALDER", 2.4, 0.12)
  const hours = Array.from({ length: 24 * 7 }, (_, hour) => price(1_700_000_000 + 3600 * hour))
  expect(Math.max(...hours)).toBeLessThanOrEqual(2.4 * Math.exp(0.12))
  expect(Math.min(...hours)).toBeGreaterThanOrEqual(2.4 * Math.exp(-0.12))
  expect(Math.max(...hours) / Math.min(...hours)).toBeGreaterThan(1.08)
  expect(fairPrice("swaptape", "ALDER", 2.4, 0.12)(1_700_000_123)).toBe(price(1_700_000_123))
  expect(fairPrice("swaptape", "BRINE", 2.4, 0.12)(1_700_000_123)).not.toBe(price(1_700_000_123))
  expect(fairPrice("swaptape", "USDC", 1, 0)(1_700_000_123)).toBe(1)
})
