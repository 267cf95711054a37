import { expect, it } from "vitest"
import { SlotTable } from "../../engine/store/slot-table.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { testChain } from "../../test/support/chain-config.ts"
import type { Books } from "./books.ts"
import { meetPool, swapped, synced, valuePool } from "./pool-book.ts"
import { poolPricesTable } from "./tables.ts"

const [WEIGHED, USUAL] = [0, 1]

it("reads a price of ranges, and none of reserves, where the kind declares a depth", () => {
  const table = new SlotTable(poolPricesTable)
  const books = {
    chain: testChain,
    poolPrices: table,
    pools: { columns: () => ({ kind: ["weighed", "usual"] }) },
    pair: { quoteIs0: false, inUnits: () => false, quoteAs: NONE },
    scales: { of: () => 1 },
    ofDepth: new Set(["weighed"])
  } as unknown as Books
  meetPool(books, USUAL, 1)
  const told = [WEIGHED, USUAL].map(pool => {
    synced(books, pool, 500, 1000)
    valuePool(books, pool)
    return [table.columns.price[pool], table.columns.depth[pool], table.columns.side[pool]]
  })
  expect(told).toEqual([
    [Number.NaN, 0, 1000],
    [2, 1000, 1000]
  ])
  swapped(books, WEIGHED, Math.SQRT2, 1000, 0, 0)
  valuePool(books, WEIGHED)
  expect(table.columns.price[WEIGHED]).toBeCloseTo(2)
})

it("weighs a pool of ranges by what is in it, where its kind declares a depth", () => {
  const table = new SlotTable(poolPricesTable)
  const books = {
    chain: testChain,
    poolPrices: table,
    pools: { columns: () => ({ kind: ["weighed"] }) },
    pair: { quoteIs0: false, inUnits: () => false, quoteAs: NONE },
    scales: { of: () => 1 },
    ofDepth: new Set(["weighed"])
  } as unknown as Books
  meetPool(books, WEIGHED, 1)
  const { price, depth, backed } = table.columns
  const told = (): ReadonlyArray<number> => {
    valuePool(books, WEIGHED)
    return [price, depth, backed].map(column => column[WEIGHED] as number)
  }
  synced(books, WEIGHED, 500, 3000)
  // liquidity that the event tells, if any, is no depth: far more may be in range than is there
  for (const liquidity of [Number.NaN, 1e12]) {
    swapped(books, WEIGHED, 2, liquidity, 7, -28)
    expect(told()).toEqual([4, 3000, 3000])
  }
  synced(books, WEIGHED, 400, 3400)
  expect(told()).toEqual([4, 3400, 3400])
  synced(books, WEIGHED, 0, 0)
  expect(told()).toEqual([Number.NaN, 0, 0])
})
