import { expect, it } from "vitest"
import { random, seed } from "./seed.ts"

it("takes its seed from the run", () => {
  expect(seed).toBe(process.env["SEED"])
  expect(seed.length).toBeGreaterThan(0)
})

it("repeats itself for the same label and differs for another", () => {
  const draw = (label: string) => {
    const { bits } = random(label)
    return Array.from({ length: 8 }, () => bits(64))
  }
  expect(draw("a")).toEqual(draw("a"))
  expect(draw("a")).not.toEqual(draw("b"))
})

it("stays within its bounds and reaches them", () => {
  const { integer, bits, next } = random("bounds")
  const drawn = new Set(Array.from({ length: 500 }, () => integer(-1, 2)))
  expect([...drawn].sort((a, b) => a - b)).toEqual([-1, 0, 1, 2])
  for (let i = 0; i < 500; i++) {
    expect(bits(5)).toBeLessThan(32n)
    expect(next()).toBeLessThan(1)
  }
})

it("shuffles without losing anything", () => {
  const items = Array.from({ length: 50 }, (_, i) => i)
  const shuffled = random("shuffle").shuffle(items)
  expect(shuffled).not.toEqual(items)
  expect(shuffled.sort((a, b) => a - b)).toEqual(items)
})
