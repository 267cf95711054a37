import { expect, it } from "vitest"
import { TokenReads } from "./token-reads.ts"

const token = (n: number): string => `0x${n.toString(16).padStart(40, "0")}`

/** Whether a token that trades at this time is to be read then. */
const isDue = (reads: TokenReads, of: string, time: number): boolean => {
  reads.traded(of, time)
  return reads.take(16, time).includes(of)
}

it("is due an hour after it was read, and not before", () => {
  const reads = new TokenReads()
  reads.read(token(1), 1000, true)
  expect([1000, 4599, 4600].map(time => isDue(reads, token(1), time))).toEqual([false, false, true])
})

it("asks for decimals less and less often", () => {
  const reads = new TokenReads()
  let time = 1000
  const waits: Array<number> = []
  for (let i = 0; i < 9; i++) {
    reads.read(token(1), time, false)
    const before = time
    while (!isDue(reads, token(1), time)) time += 60
    waits.push(time - before)
  }
  expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
  reads.read(token(1), time, true)
  expect(isDue(reads, token(1), time + 3599)).toBe(false)
})

it("spreads tokens of before the start over the hour", () => {
  const reads = new TokenReads()
  const due = (n: number, time: number) => isDue(reads, token(n), time)
  for (const n of [0, 1800, 3599, 3600]) expect(due(n, 1000)).toBe(false)
  expect([0, 1800, 3599, 3600].map(n => due(n, 1000))).toEqual([true, false, false, true])
  expect([1800, 3599].map(n => due(n, 2800))).toEqual([true, false])
  expect(due(3599, 4599)).toBe(true)
})

it("is read at once where its supply changed, though not twice within a minute", () => {
  const reads = new TokenReads()
  reads.changed(token(1))
  reads.changed(token(1))
  expect(reads.take(16, 1000)).toEqual([token(1)])
  expect(reads.take(16, 5000)).toEqual([])
  reads.changed(token(1))
  expect([5000, 5030].map(time => reads.take(16, time))).toEqual([[token(1)], []])
  // while it was read, and when that failed
  reads.changed(token(1))
  expect([5059, 5060].map(time => reads.take(16, time))).toEqual([[], [token(1)]])
})

it("is taken in turn, so many at once", () => {
  const reads = new TokenReads()
  for (const n of [3, 1, 2]) reads.changed(token(n))
  expect(reads.take(2, 1000)).toEqual([token(3), token(1)])
  reads.changed(token(3))
  expect(reads.take(2, 1000)).toEqual([token(2)])
  expect(reads.take(2, 1060)).toEqual([token(3)])
})

it("checks a payment after each read", () => {
  const reads = new TokenReads()
  expect(reads.isUnchecked(token(1))).toBe(false)
  reads.read(token(1), 1000, true)
  expect(reads.isUnchecked(token(1))).toBe(true)
  reads.checked(token(1))
  expect(reads.isUnchecked(token(1))).toBe(false)
  reads.read(token(1), 5000, true)
  for (let look = 0; look < 3; look++) {
    expect(reads.isUnchecked(token(1))).toBe(true)
    reads.looked(token(1))
  }
  expect(reads.isUnchecked(token(1))).toBe(false)
  reads.read(token(1), 9000, true)
  expect(reads.isUnchecked(token(1))).toBe(true)
  reads.forget(token(1))
  expect(reads.isUnchecked(token(1))).toBe(false)
})

it("remembers a bounded number of pools", () => {
  const reads = new TokenReads()
  for (let n = 0; n <= 100_000; n++) reads.created(token(n), [])
  expect([0, 1, 100_000].map(n => reads.tokensOf(token(n)) !== null)).toEqual([false, true, true])
})
