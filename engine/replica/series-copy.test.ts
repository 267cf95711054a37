import { expect, it } from "vitest"
import { SeriesCopy } from "./series-copy.ts"

const row = (bucket: number, value: number) => Float64Array.of(bucket, value)

/** The values of a slot's buckets from one to before another; null where some are not held. */
const values = (copy: SeriesCopy, slot: number, from: number, to: number) => {
  const rows = copy.of(slot)
  if (rows === undefined || from < rows.from) return null
  const found: Array<number> = []
  rows.each(from, to, (all, at) => found.push(all[at + 1] as number))
  return found
}

it("shows rows from the commit on", () => {
  const copy = new SeriesCopy(2, 1000)
  copy.take(3, true, row(60, 1), 0)
  expect(values(copy, 3, 0, 600)).toEqual([])
  copy.commit()
  expect(values(copy, 3, 0, 600)).toEqual([1])
  copy.take(3, false, row(60, 2), 0)
  copy.take(3, false, row(120, 3), 0)
  expect(values(copy, 3, 0, 600)).toEqual([1])
  copy.commit()
  expect(values(copy, 3, 0, 600)).toEqual([2, 3])
  copy.forget()
  expect(values(copy, 3, 0, 600)).toBeNull()
})

it("knows from when on it holds a slot that had rows before, or more than it keeps", () => {
  const copy = new SeriesCopy(2, 100_000)
  copy.take(0, false, row(1200, 1), 0)
  copy.commit()
  expect(values(copy, 0, 1199, 6000)).toBeNull()
  expect(values(copy, 0, 1200, 6000)).toEqual([1])
  // one transaction of more rows than a ring keeps
  for (let i = 1; i <= 20_000; i++) copy.take(0, false, row(1200 + 60 * i, i), 0)
  copy.commit()
  const end = 1200 + 60 * 20_001
  const from = end - 60 * 8192
  expect(values(copy, 0, from, end)).toHaveLength(8192)
  expect(values(copy, 0, from, from + 60)).toEqual([20_000 - 8191])
  expect(values(copy, 0, 1200, end)).toBeNull()
})

it("forgets the quietest slots first, those that readers want last", () => {
  // a block of eight rows for each slot
  const copy = new SeriesCopy(2, 80)
  for (let slot = 0; slot < 10; slot++) {
    copy.take(slot, true, row(60 * (slot + 1), slot), 0)
    copy.commit()
  }
  expect(values(copy, 0, 0, 60 * 20)).toEqual([0])
  copy.take(10, true, row(60 * 11, 10), 0)
  copy.commit()
  const held = Array.from({ length: 11 }, (_, slot) => values(copy, slot, 0, 60 * 20))
  // 88 rows are too many, 68 are left at most
  expect(held.map(one => one !== null)).toEqual([
    ...[true, false, false, false],
    ...[true, true, true, true, true, true, true]
  ])
})
