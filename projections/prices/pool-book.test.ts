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
