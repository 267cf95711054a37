/** Routes of one pool a hop. */
import type { HopPool } from "./hop.ts"
import { startOf } from "./hop.ts"
import type { Path } from "./path.ts"
import { type PlannedLeg, quoteLeg } from "./planned-leg.ts"
import type { Plan } from "./settle.ts"

/** A pool for each hop of a path. */
export interface Chain {
  readonly path: Path
  readonly pools: ReadonlyArray<HopPool>
}

/** By what part, and how many raw units, quotes may be above curves. */
export const marginOf = (pools: ReadonlyArray<HopPool>): number =>
  pools.reduce((most, { error }) => Math.max(most, error), 0)
export const MARGIN_UNITS = 2

/**
 * A sale through a chain, exactly; null where one of its pools refuses, or one behind another takes
 * less than that buys.
 */
export const sellThrough = ({ path, pools }: Chain, amount: bigint): Plan | null => {
  const legs: Array<PlannedLeg> = []
  let [left, firstCost] = [amount, 1]
  for (const [i, pool] of pools.entries()) {
    const hop = path.hops[i]
    if (hop === undefined) return null
    const leg = quoteLeg(pool.pool, hop.tokenIn, hop.tokenOut, left)
    if (typeof leg === "string" || (i > 0 && leg.amountIn < left)) return null
    legs.push(leg)
    left = leg.amountOut
    firstCost *= startOf(pool)
  }
  return { legs, amountIn: legs[0]?.amountIn ?? 0n, amountOut: left, firstCost }
}
