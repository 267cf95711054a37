/** The route of one pool a hop that pays most for a sale, by exact quotes. */
import { boughtFor } from "../../../src/math/price-curve/curve.ts"
import { gasOfLegs, type LegGas } from "./leg-gas.ts"
import type { Path } from "./path.ts"
import type { Plan } from "./settle.ts"
import { type Chain, MARGIN_UNITS, marginOf, sellThrough } from "./single-chain.ts"

/** More than any chain of the path buys. */
const mostAlong = ({ hops }: Path, amount: number): number =>
  hops.reduce((left, { pools }) => {
    let largest = 0
    for (const { curve } of pools) largest = Math.max(largest, boughtFor(curve, left))
    return largest * (1 + marginOf(pools)) + MARGIN_UNITS
  }, amount)

interface Estimate {
  readonly chain: Chain
  /** the chain does not buy more */
  readonly most: number
}

/** Every chain of the path; of two hops no pool comes twice. */
const chainsOf = (path: Path, amount: number): ReadonlyArray<Estimate> => {
  let estimates: ReadonlyArray<Estimate> = [{ chain: { path, pools: [] }, most: amount }]
  for (const { pools } of path.hops) {
    estimates = estimates.flatMap(({ chain, most }) =>
      pools.flatMap(pool => {
        if (chain.pools.some(other => other.pool.pool === pool.pool.pool)) return []
        const bought = boughtFor(pool.curve, most) * (1 + marginOf([pool])) + MARGIN_UNITS
        return [{ chain: { path, pools: [...chain.pools, pool] }, most: bought }]
      })
    )
  }
  return estimates
}

/**
 * The best of all such routes by what is left after the gas of its legs; null where none is above
 * `floor`.
 */
export const bestSingle = (
  paths: ReadonlyArray<Path>,
  amount: bigint,
  gas: LegGas,
  floor: bigint | null
): Plan | null => {
  /** what of it is left is less, whichever pools serve it */
  const leastDue = ({ hops }: Path): number =>
    hops.reduce((sum, { pools }) => {
      const dues = pools.map(({ pool }) => Number(gas(pool)))
      return sum + (dues.length === 0 ? 0 : Math.min(...dues))
    }, 0)
  const isOpen = (left: number): boolean => least === null || left > Number(least)
  let best: Plan | null = null
  let least = floor
  const chains = paths
    .filter(path => isOpen(mostAlong(path, Number(amount)) - leastDue(path)))
    .flatMap(path => chainsOf(path, Number(amount)))
    .map(({ chain, most }) => ({ chain, left: most - Number(gasOfLegs(chain.pools, gas)) }))
    .sort((a, b) => b.left - a.left)
  for (const { chain, left } of chains) {
    if (!isOpen(left)) break
    const plan = sellThrough(chain, amount)
    if (plan === null) continue
    const net = plan.amountOut - gasOfLegs(plan.legs, gas)
    if (least !== null && net <= least) continue
    best = plan
    least = net
  }
  return best
}
