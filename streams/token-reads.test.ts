import { expect, it } from "vitest"
import { TokenReads } from "./token-reads.ts"

const token = (n: number): string => `0x${n.toString(16).padStart(40, "0")}`

it("is due an hour after it was read, and not before", () => {
  const reads = new TokenReads()
  reads.read(token(1), 1000, true)
  expect([1000, 4599, 4600].map(time => reads.isDue(token(1), time))).toEqual([false, false, true])
})

it("asks for decimals less and less often", () => {
  const reads = new TokenReads()
  let time = 1000
  const waits: Array<number> = []
  for (let i = 0; i < 9; i++) {
    reads.read(token(1), time, false)
    const before = time
    while (!reads.isDue(token(1), time)) time += 60
    waits.push(time - before)
  }
  expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
  reads.read(token(1), time, true)
  expect(reads.isDue(token(1), time + 3599)).toBe(false)
})

it("spreads tokens of before the start over the hour", () => {
  const reads = new TokenReads()
  const due = (n: number, time: number) => reads.isDue(token(n), time)
  for (const n of [0, 1800, 3599, 3600]) expect(due(n, 1000)).toBe(false)
  expect([0, 1800, 3599, 3600].map(n => due(n, 1000))).toEqual([true, false, false, true])
  expect([1800, 3599].map(n => due(n, 2800))).toEqual([true, false])
  expect(due(3599, 4599)).toBe(true)
})

it("checks a payment after each read", () => {
  const reads = new TokenReads()
  expect(reads.isUnchecked(token(1))).toBe(false)
  reads.read(token(1), 1000, true)
  expect(reads.isUnchecked(token(1))).toBe(true)
  reads.checked(token(1))
  expect(reads.isUnchecked(token(1))).toBe(false)
  reads.read(token(1), 5000, true)
  expect(reads.isUnchecked(token(1))).toBe(true)
  reads.forget(token(1))
  expect(reads.isUnchecked(token(1))).toBe(false)
})

it("remembers a bounded number of pools", () => {
  const reads = new TokenReads()
  for (let n = 0; n <= 100_000; n++) reads.created(token(n), [])
  expect([0, 1, 100_000].map(n => reads.tokensOf(token(n)) !== null)).toEqual([false, true, true])
})
