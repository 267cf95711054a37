/** The route of one pool a hop that pays most for a sale, by exact quotes. */
import { boughtFor } from "../../../src/math/price-curve/curve.ts"
import type { Path } from "./path.ts"
import type { Plan } from "./settle.ts"
import { type Chain, MARGIN_UNITS, marginOf, sellThrough } from "./single-chain.ts"

/** More than any chain of the path buys. */
const mostAlong = ({ hops }: Path, amount: number): number =>
  hops.reduce((left, { pools }) => {
    let most = 0
    for (const { curve } of pools) most = Math.max(most, boughtFor(curve, left))
    return most * (1 + marginOf(pools)) + MARGIN_UNITS
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
  gas: bigint,
  floor: bigint | null
): Plan | null => {
  const due = Number(gas)
  const dues = (path: Path): number => due * path.hops.length
  const isOpen = (most: number, path: Path): boolean =>
    least === null || most - dues(path) > Number(least)
  let best: Plan | null = null
  let least = floor
  const chains = paths
    .filter(path => isOpen(mostAlong(path, Number(amount)), path))
    .flatMap(path => chainsOf(path, Number(amount)))
    .sort((a, b) => b.most - dues(b.chain.path) - (a.most - dues(a.chain.path)))
  for (const { chain, most } of chains) {
    if (!isOpen(most, chain.path)) break
    const plan = sellThrough(chain, amount)
    if (plan === null) continue
    const net = plan.amountOut - BigInt(plan.legs.length) * gas
    if (least !== null && net <= least) continue
    best = plan
    least = net
  }
  return best
}
