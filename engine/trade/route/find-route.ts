/**
 * The best route of an order: the pools of each hop are chosen, the sale is split over paths by
 * marginal price in floating point, dear legs are taken out, and what is left is quoted exactly.
 * The best route of single pools, quoted exactly too, takes its place where that leaves more.
 */
import { MAX_UINT256 } from "../../../src/math/fixed-point.ts"
import type { PoolMarket } from "../pools/pool-market.ts"
import { gasOfLegs, type LegGas } from "./leg-gas.ts"
import type { PlannedLeg } from "./planned-leg.ts"
import type { PoolCurves } from "./pool-curves.ts"
import { bestPurchase } from "./purchase.ts"
import type {
  Candidate,
  Loss,
  NoRouteReason,
  Route,
  RouteLeg,
  RouteOptions,
  RouteOrder
} from "./route.ts"
import { bestSale } from "./sale.ts"

/** Whole percents of parts of their sum, which add up to 100: the largest rests are rounded up. */
const percentsOf = (amounts: ReadonlyArray<bigint>): ReadonlyArray<number> => {
  const sum = amounts.reduce((total, amount) => total + amount, 0n)
  if (sum === 0n) return amounts.map(() => 0)
  const floors = amounts.map(amount => Number((amount * 100n) / sum))
  const rests = amounts.map((amount, i) => ({ i, rest: (amount * 100n) % sum }))
  rests.sort((a, b) => (a.rest < b.rest ? 1 : a.rest > b.rest ? -1 : a.i - b.i))
  const missing = 100 - floors.reduce((total, floor) => total + floor, 0)
  for (const { i } of rests.slice(0, missing)) floors[i] = (floors[i] as number) + 1
  return floors
}

const routeLegs = (legs: ReadonlyArray<PlannedLeg>, sold: string): ReadonlyArray<RouteLeg> => {
  const percents = new Map<PlannedLeg, number>()
  for (const token of new Set(legs.map(({ tokenIn }) => tokenIn))) {
    const own = legs.filter(({ tokenIn }) => tokenIn === token)
    const percent = percentsOf(own.map(({ amountIn }) => amountIn))
    for (const [i, leg] of own.entries()) percents.set(leg, percent[i] as number)
  }
  return legs.map(leg => ({
    ...leg,
    takesShare: leg.tokenIn !== sold,
    percent: percents.get(leg) ?? 0
  }))
}

/** Of reasons why pools gave nothing, the one that tells most. */
const TELLING: ReadonlyArray<Loss & NoRouteReason> = [
  "amount-too-small",
  "too-large",
  "no-liquidity",
  "unknown-state"
]

const noRoute = (lost: ReadonlyArray<Candidate>): Route => {
  const reasons = new Set(lost.map(one => one.lost))
  const reason = TELLING.find(one => reasons.has(one))
  const isEmpty = lost.length === 0
  return { ok: false, reason: reason ?? (isEmpty ? "no-pool" : "no-liquidity"), lost }
}

const refusedOrder = ({ tokenIn, tokenOut, amount }: RouteOrder): NoRouteReason | null => {
  if (tokenIn === tokenOut) return "same-token"
  return amount <= 0n || amount > MAX_UINT256 ? "bad-amount" : null
}

const FREE: LegGas = () => 0n

/** The best route of an order on the states of a market. Tokens in lower case. */
export const findRoute = (
  market: PoolMarket,
  order: RouteOrder,
  options: RouteOptions,
  curves: PoolCurves
): Route => {
  const refused = refusedOrder(order)
  if (refused !== null) return { ok: false, reason: refused, lost: [] }
  const { gas } = options
  const best = order.exact === "in" ? bestSale : bestPurchase
  const { plan, lost } = best({ market, curves, options }, order, gas?.leg ?? FREE)
  if (plan === null) return noRoute(lost)
  const { legs, amountIn, amountOut, firstCost } = plan
  return {
    ok: true,
    legs: routeLegs(legs, order.tokenIn),
    amountIn,
    amountOut,
    priceBefore: 1 / (firstCost * firstCost),
    gasCost: gas === null ? null : gas.base + gasOfLegs(legs, gas.leg),
    lost
  }
}
