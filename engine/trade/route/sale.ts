/** The best plan of an order that sells exactly so much. */
import type { PoolMarket } from "../pools/pool-market.ts"
import { type Hop, legKey, type Search } from "./hop.ts"
import { gasOfLegs, type LegGas } from "./leg-gas.ts"
import { type Path, type Split, splitOver } from "./path.ts"
import type { PoolCurves } from "./pool-curves.ts"
import { type DueOf, type OnLoss, withoutDearLegs, withoutSharing } from "./prune.ts"
import type { Candidate, Loss, RouteOptions, RouteOrder } from "./route.ts"
import { type Failure, type Plan, settle } from "./settle.ts"
import { bestSingle } from "./single-sale.ts"
import { lostOf, pathsOf } from "./token-paths.ts"

/** What a leg has to add at least, as a part of all: far below what a split is held to. */
const LEAST_GAIN = 1e-8
/** Times that a split is made anew because a leg of it is refused. */
export const MOST_ROUNDS = 12

/** A plan, and the pools that have no part in it. */
export interface Found {
  readonly plan: Plan | null
  readonly lost: ReadonlyArray<Candidate>
}

/** What a search is given besides the order. */
export interface Ground {
  readonly market: PoolMarket
  readonly curves: PoolCurves
  readonly options: RouteOptions
}

export const newSearch = (
  { market, curves, options: { onlyDex } }: Ground,
  banned: Map<string, Loss>
): Search => ({ market, curves, onlyDex, banned, lost: [] })

/** Takes note of pools that are taken out of a split. */
export const losing =
  (removed: Array<Candidate>): OnLoss =>
  (path, place, { pool }, lost) => {
    const { tokenIn, tokenOut } = path.hops[place] as Hop
    removed.push({ pool: pool.pool, dex: pool.dex, tokenIn, tokenOut, lost })
  }

/** The split of a sale that may and should be executed; `gas` is of a leg on a pool, in the bought
 *  token. */
export const worthySplit = (
  paths: ReadonlyArray<Path>,
  most: number,
  gas: DueOf,
  lose: OnLoss
): Split => {
  const split = withoutSharing(splitOver(paths, most), most, lose)
  return withoutDearLegs(split, most, gas, LEAST_GAIN, lose)
}

export const ban = (banned: Map<string, Loss>, { pool, tokenIn, tokenOut, reason }: Failure) =>
  banned.set(legKey(pool.pool, tokenIn, tokenOut), reason)

/** The best split that can be executed as quoted; null where there is none. */
const bestSplit = (
  paths: ReadonlyArray<Path>,
  amount: bigint,
  gas: LegGas,
  lose: OnLoss
): Plan | Failure | null => {
  const split = worthySplit(paths, Number(amount), pool => Number(gas(pool)), lose)
  return split.flows.length === 0 ? null : settle(split, amount)
}

/** `gas` is in the bought token. */
export const bestSale = (ground: Ground, order: RouteOrder, gas: LegGas): Found => {
  const banned = new Map<string, Loss>()
  const { amount } = order
  // A pool that refuses a part may still be the best for the whole.
  let singles: ReadonlyArray<Path> | null = null
  for (let round = 0; ; round++) {
    const search = newSearch(ground, banned)
    const paths = pathsOf(search, order, ground.options, amount)
    singles ??= paths
    const removed: Array<Candidate> = []
    const isTried = round < MOST_ROUNDS && paths.length > 0
    const split = isTried ? bestSplit(paths, amount, gas, losing(removed)) : null
    if (split !== null && "reason" in split) {
      ban(banned, split)
      continue
    }
    const floor = split === null ? null : split.amountOut - gasOfLegs(split.legs, gas)
    const plan = bestSingle(singles, amount, gas, floor) ?? split
    return { plan, lost: lostOf(search.lost, removed, paths, plan?.legs ?? []) }
  }
}
