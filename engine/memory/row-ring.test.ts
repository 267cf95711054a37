import { expect, it } from "vitest"
import { RowPool } from "./row-pool.ts"
import { RowRing } from "./row-ring.ts"

/** Rows kept and a block: from then on the oldest block goes. */
const MOST = 8192 + 8

const read = (ring: RowRing, from: number, to: number): ReadonlyArray<ReadonlyArray<number>> => {
  const found: Array<ReadonlyArray<number>> = []
  ring.each(from, to, (rows, at) => found.push([...rows.subarray(at, at + 3)]))
  return found
}

/** The buckets before one, newest first, up to the first whose last column is not 0. */
const back = (ring: RowRing, before: number) => {
  const seen: Array<number> = []
  const isKnown = ring.back(before, (rows, at) => {
    seen.push(rows[at] as number)
    return rows[at + 2] !== 0
  })
  return { seen, isKnown }
}

it("keeps the newest rows, and knows from when on it has them all", () => {
  const pool = new RowPool(3)
  const ring = new RowRing(pool, 0)
  for (let i = 0; i <= MOST; i++) ring.put(Float64Array.of(60 * i, i, i % 3), 0)
  expect(ring.from).toBe(60 * 7 + 1)
  expect(ring.lastBucket).toBe(60 * MOST)
  expect(read(ring, 0, 60 * 10)).toEqual([
    [60 * 8, 8, 2],
    [60 * 9, 9, 0]
  ])
  expect(back(ring, 60 * 10)).toEqual({ seen: [60 * 9, 60 * 8], isKnown: true })
  expect(back(ring, 60 * 8)).toEqual({ seen: [], isKnown: false })
  expect(back(new RowRing(pool, 0), 60)).toEqual({ seen: [], isKnown: true })
  // the newest bucket again takes the place of what it was
  ring.put(Float64Array.of(9, 60 * MOST, 5, 7), 1)
  expect(read(ring, 60 * MOST, 1e9)).toEqual([[60 * MOST, 5, 7]])
  // the block of the oldest rows went to the newest one
  expect(pool.rows).toBe(MOST)
  ring.clear()
  expect(pool.rows).toBe(0)
})
