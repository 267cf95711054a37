import { expect, it } from "vitest"
import { SlotTable } from "../../engine/store/slot-table.ts"
import { testChain } from "../../test/support/chain-config.ts"
import type { Pools } from "../pools/output.ts"
import type { Scales } from "../tokens/decimals.ts"
import type { Pair } from "./pair.ts"
import { PoolBook } from "./pool-book.ts"
import { poolPricesTable } from "./tables.ts"
import type { Worth } from "./worth.ts"

const [WEIGHED, USUAL] = [0, 1]

it("reads a price of ranges, and none of reserves, where the kind declares a depth", () => {
  const table = new SlotTable(poolPricesTable)
  const book = new PoolBook(
    testChain,
    table,
    { columns: () => ({ kind: ["weighed", "usual"] }) } as unknown as Pools,
    { quoteIs0: false, inUnits: () => false, quoteAs: 1 } as unknown as Pair,
    { of: () => 1 } as unknown as Scales,
    { ofAnchor: () => 1 } as unknown as Worth,
    new Set(["weighed"])
  )
  book.meet(USUAL, 1)
  const told = [WEIGHED, USUAL].map(pool => {
    book.synced(pool, 500, 1000)
    book.value(pool)
    return [table.columns.price[pool], table.columns.depth[pool], table.columns.side[pool]]
  })
  expect(told).toEqual([
    [Number.NaN, 0, 1000],
    [2, 1000, 1000]
  ])
  book.swapped(WEIGHED, Math.SQRT2, 1000, 0, 0)
  book.value(WEIGHED)
  expect(table.columns.price[WEIGHED]).toBeCloseTo(2)
})
