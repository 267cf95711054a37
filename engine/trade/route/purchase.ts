/** The best plan of an order that buys at least so much. */
import { MAX_UINT256 } from "../../../src/math/fixed-point.ts"
import { soldFor } from "../../../src/math/price-curve/curve.ts"
import type { Search } from "./hop.ts"
import { isPlan, leastSale, wholeUp } from "./least-sale.ts"
import { gasOfLegs, type LegGas } from "./leg-gas.ts"
import { type Path, splitOver } from "./path.ts"
import type { Candidate, Loss, RouteOrder } from "./route.ts"
import {
  ban,
  type Found,
  type Ground,
  losing,
  MOST_ROUNDS,
  newSearch,
  worthySplit
} from "./sale.ts"
import { type Failure, type Plan, settle } from "./settle.ts"
import { cheapestSingle } from "./single-purchase.ts"
import { lostOf, pathsOf } from "./token-paths.ts"

/** Guesses of how large a sale the purchase is. */
const MOST_GUESSES = 60
/** By how much a guess that buys nothing, or too little, grows at least. */
const FROM_NOTHING = 1n << 10n
const FROM_LITTLE = 4
/** Where four times as much buys only this much more, there is no more. */
const MORE = 1 + 1e-6
/** Curves are made for sales this much larger, as settling may need more than they tell. */
const ROOM = 1.001
/** What a split's sale may be above the least one. */
const TOLERANCE = 1e-9

interface Sized {
  readonly search: Search
  readonly paths: ReadonlyArray<Path>
  /** about what has to be sold; null where liquidity ends before that */
  readonly sale: number | null
}

/** Paths for the sale that buys so much. */
const sizedPaths = (ground: Ground, order: RouteOrder, banned: Map<string, Loss>): Sized => {
  const wanted = Number(order.amount)
  let [most, last] = [1n, 0]
  for (let guesses = 1; ; guesses++) {
    const search = newSearch(ground, banned)
    const paths = pathsOf(search, order, ground.options, most)
    const { curve, sold, bought } = splitOver(paths, Number(most))
    const isLast = guesses === MOST_GUESSES || most === MAX_UINT256
    if (bought >= wanted) {
      const sale = soldFor(curve, wanted) ?? sold
      const enough = wholeUp(sale * ROOM) + 1n
      if (isLast || enough * 2n >= most) return { search, paths, sale }
      most = enough
      last = 0
      continue
    }
    if (isLast || (bought > 0 && bought < last * MORE)) return { search, paths, sale: null }
    const factor = Math.max(FROM_LITTLE, (wanted / bought) * ROOM)
    most = bought === 0 ? most * FROM_NOTHING : wholeUp(Number(most) * factor)
    if (most > MAX_UINT256) most = MAX_UINT256
    last = bought
  }
}

/** The best split that buys so much; `gas` is in the sold token. */
const leastSplit = (
  paths: ReadonlyArray<Path>,
  sale: number,
  wanted: bigint,
  gas: LegGas,
  removed: Array<Candidate>
): Plan | Failure | null => {
  const { cost } = splitOver(paths, sale)
  const price = 1 / (cost * cost)
  const split = worthySplit(paths, sale, pool => Number(gas(pool)) * price, losing(removed))
  if (split.flows.length === 0) return null
  // What was taken out costs a little more of the rest.
  const estimate = soldFor(splitOver(split.paths, sale * 2).curve, Number(wanted)) ?? sale
  const sell = (amount: bigint) => settle(splitOver(split.paths, Number(amount)), amount)
  return leastSale(sell, wholeUp(estimate), wanted, price, TOLERANCE)
}

const netOf = ({ legs, amountIn }: Plan, gas: LegGas): bigint => amountIn + gasOfLegs(legs, gas)

/** `gas` is in the sold token. */
export const bestPurchase = (ground: Ground, order: RouteOrder, gas: LegGas): Found => {
  const banned = new Map<string, Loss>()
  const { amount } = order
  let singles: ReadonlyArray<Path> | null = null
  for (let round = 0; ; round++) {
    const { search, paths, sale } = sizedPaths(ground, order, banned)
    singles ??= paths
    const removed: Array<Candidate> = []
    const isTried = round < MOST_ROUNDS && sale !== null
    const split = isTried ? leastSplit(paths, sale, amount, gas, removed) : null
    if (split !== null && !isPlan(split)) {
      ban(banned, split)
      continue
    }
    const ceiling = split === null ? null : netOf(split, gas)
    const plan = cheapestSingle(singles, amount, gas, ceiling) ?? split
    return { plan, lost: lostOf(search.lost, removed, paths, plan?.legs ?? []) }
  }
}
