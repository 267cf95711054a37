/** What stands behind a token's price. */
import type { QueryContext } from "../../engine/query.ts"
import { thresholds } from "../../src/rules/price-recipe.ts"
import { pricesOutput } from "./output.ts"

/**
 * Dollars on the quote side of the pools that price the token, thin ones too; null for none. Of an
 * anchor without those whose word has lost its weight: silent for too long before the newest one.
 */
export const liquidityOf = (
  context: Pick<QueryContext, "output">,
  token: number
): number | null => {
  const { poolsOf, poolDepthOf, isAnchor, books } = context.output(pricesOutput)
  const all = poolsOf(token, 1000)
  if (all.length === 0) return null
  const { ts } = books.pools.table.columns
  const tsOf = (pool: number) => ts[pool] as number
  const newest = Math.max(...all.filter(pool => books.pools.isEligible(pool, tsOf(pool))).map(tsOf))
  const isHeard = (pool: number) => newest - tsOf(pool) < thresholds.anchorSilentSeconds
  const heard = isAnchor(token) ? all.filter(isHeard) : all
  return heard.map(poolDepthOf).reduce((sum, depth) => sum + depth, 0)
}
