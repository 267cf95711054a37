/** The route of one pool a hop that needs the least for a purchase, by exact quotes. */
import { soldFor } from "../../../src/math/price-curve/curve.ts"
import { isPlan, leastSale, wholeUp } from "./least-sale.ts"
import { gasOfLegs, type LegGas } from "./leg-gas.ts"
import type { Path } from "./path.ts"
import type { Plan } from "./settle.ts"
import { type Chain, MARGIN_UNITS, marginOf, sellThrough } from "./single-chain.ts"

interface Estimate {
  readonly chain: Chain
  /** what has to be sold, about */
  readonly sale: number
}

/** Every chain of the path that can buy so much, hop by hop from the last. */
const chainsOf = (path: Path, wanted: number): ReadonlyArray<Estimate> => {
  let estimates: ReadonlyArray<Estimate> = [{ chain: { path, pools: [] }, sale: wanted }]
  for (const { pools } of path.hops.toReversed()) {
    estimates = estimates.flatMap(({ chain, sale }) =>
      pools.flatMap(pool => {
        if (chain.pools.some(other => other.pool.pool === pool.pool.pool)) return []
        const sold = soldFor(pool.curve, sale)
        return sold === null ? [] : [{ chain: { path, pools: [pool, ...chain.pools] }, sale: sold }]
      })
    )
  }
  return estimates
}

/** The best of them by the sale and the gas of its legs; null where none is below `ceiling`. */
export const cheapestSingle = (
  paths: ReadonlyArray<Path>,
  wanted: bigint,
  gas: LegGas,
  ceiling: bigint | null
): Plan | null => {
  const chains = paths
    .flatMap(path => chainsOf(path, Number(wanted)))
    .map(({ chain, sale }) => {
      const sold = sale * (1 - marginOf(chain.pools)) - MARGIN_UNITS
      return { chain, sale, least: sold + Number(gasOfLegs(chain.pools, gas)) }
    })
    .sort((a, b) => a.least - b.least)
  let best: Plan | null = null
  let cheapest = ceiling
  for (const { chain, sale, least } of chains) {
    if (cheapest !== null && least >= Number(cheapest)) break
    const price = Number(wanted) / Math.max(1, sale)
    const sell = (amount: bigint) => sellThrough(chain, amount)
    const plan = leastSale(sell, wholeUp(sale), wanted, price, 0)
    if (!isPlan(plan)) continue
    const net = plan.amountIn + gasOfLegs(plan.legs, gas)
    if (cheapest !== null && net >= cheapest) continue
    best = plan
    cheapest = net
  }
  return best
}
