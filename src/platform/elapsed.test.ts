import { expect, it } from "vitest"
import { hasPassed } from "./elapsed.ts"

it("tells whether a span is over, and that it is where the clock was set back", () => {
  expect(hasPassed(1000, 1000, 0)).toBe(true)
  expect(hasPassed(1000, 1499, 500)).toBe(false)
  expect(hasPassed(1000, 1500, 500)).toBe(true)
  expect(hasPassed(1000, 999, 500)).toBe(true)
  expect(hasPassed(1000, 0, 500)).toBe(true)
})
