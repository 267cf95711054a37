/**
 * State and quotes of a Slipstream pool: V3's, with a fee that no event tells. The one that was
 * read counts as long as every swap comes out by it.
 */
import { MAX_INT128 } from "../../../src/math/fixed-point.ts"
import type { Event, EventOf } from "../../event.ts"
import type { PoolModel } from "../../venue.ts"
import { type RangePoolState, rangePoolModel, simulate } from "../range-pool.ts"

/** True where a sale, a purchase or a sale up to the price gives what the swap did. */
const isExplained = (state: RangePoolState, swap: EventOf<"SwapExecuted">): boolean => {
  const zeroForOne = swap.amount0In > 0n
  const [amountIn, amountOut] = zeroForOne
    ? [swap.amount0In, swap.amount1Out]
    : [swap.amount1In, swap.amount0Out]
  const { sqrtPriceX96 } = swap
  if (sqrtPriceX96 === null) return false
  const limited = { exactIn: true, amount: MAX_INT128, sqrtPriceLimitX96: sqrtPriceX96 }
  const orders = [
    { exactIn: true, amount: amountIn },
    { exactIn: false, amount: amountOut },
    limited
  ]
  return orders.some(order => {
    const outcome = simulate(state, state.fee, { zeroForOne, ...order })
    return (
      outcome?.ok === true &&
      outcome.amountIn === amountIn &&
      outcome.amountOut === amountOut &&
      outcome.sqrtPriceX96 === sqrtPriceX96
    )
  })
}

const fold = (state: RangePoolState, event: Event): RangePoolState => {
  const next = rangePoolModel.fold(state, event)
  const isToProve = event.kind === "SwapExecuted" && next !== state && state.fee !== null
  return isToProve && !isExplained(state, event) ? { ...next, fee: null } : next
}

export const slipstreamModel: PoolModel<RangePoolState> = { ...rangePoolModel, fold }
