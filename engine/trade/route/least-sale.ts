/** How little has to be sold for a purchase, by exact quotes. */
import { MAX_UINT256 } from "../../../src/math/fixed-point.ts"
import type { Failure, Plan } from "./settle.ts"

/** Sales that are tried: each comes nearer by the marginal price, or by half of what is open. */
const MOST_TRIES = 32

/** A sale's plan; null or a leg's failure where there is none. */
export type Sell = (amount: bigint) => Plan | Failure | null

export const isPlan = (plan: Plan | Failure | null): plan is Plan =>
  plan !== null && !("reason" in plan)

/** Rounded up, and no more than 256 bits. */
export const wholeUp = (amount: number): bigint =>
  amount >= Number(MAX_UINT256) ? MAX_UINT256 : BigInt(Math.ceil(amount))

/**
 * The plan of the least sale that buys `wanted`, from a guess on: the least but for the part
 * `tolerance`. `price` is what a unit more buys. Null, or the failure of the first sale tried,
 * where there is none.
 */
export const leastSale = (
  sell: Sell,
  guess: bigint,
  wanted: bigint,
  price: number,
  tolerance: number
): Plan | Failure | null => {
  let [low, step] = [0n, 1n]
  let best: Plan | null = null
  let amount = guess > 0n ? guess : 1n
  for (let tries = 0; tries < MOST_TRIES && amount <= MAX_UINT256; tries++) {
    const plan = sell(amount)
    if (!isPlan(plan)) return best ?? plan
    const gap = Number(plan.amountOut - wanted) / price
    if (plan.amountOut >= wanted) best = plan
    else if (plan.amountIn < amount) return best
    else low = amount
    if (best === null) {
      step = step * 2n > wholeUp(-gap) ? step * 2n : wholeUp(-gap)
      amount = low + step
      continue
    }
    const open = best.amountIn - low
    if (open <= 1n || Number(open) <= Number(best.amountIn) * tolerance) return best
    const along = gap >= 0 ? amount - BigInt(Math.floor(gap)) : amount + wholeUp(-gap)
    amount = along > low && along < best.amountIn ? along : low + open / 2n
  }
  return best
}
