/** The liquidity of a token: the depth of the pools that price it. */
import type { RowsView } from "../../engine/query.ts"
import { thresholds } from "../../src/rules/price-recipe.ts"
import { pricesOutput } from "./output.ts"
import { isEligible } from "./pool-book.ts"

/**
 * Returns the dollars on the quote side of the pools that price a token, thin pools too, without
 * virtual ones; null where there are none. For an anchor, pools that have been silent too long
 * before its newest one are left out, as in its price.
 */
export const liquidityOf = (context: Pick<RowsView, "output">, token: number): number | null => {
  const { poolsOf, poolLiquidOf, isAnchor, books } = context.output(pricesOutput)
  const all = poolsOf(token, 1000)
  if (all.length === 0) return null
  const { ts } = books.poolPrices.columns
  const tsOf = (pool: number) => ts[pool] as number
  const newest = Math.max(...all.filter(pool => isEligible(books, pool, tsOf(pool))).map(tsOf))
  const isHeard = (pool: number) => newest - tsOf(pool) < thresholds.anchorSilentSeconds
  const heard = isAnchor(token) ? all.filter(isHeard) : all
  return heard.map(poolLiquidOf).reduce((sum, depth) => sum + depth, 0)
}
