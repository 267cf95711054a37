/** How a V3 swap was ordered, from what its event tells of it. */
import type { SwapOrder } from "../../src/math/concentrated/swap.ts"
import type { EventOf } from "../../streams/event.ts"
import { type RangePoolState, simulate } from "../../streams/evm/range-pool.ts"

type Swap = EventOf<"SwapExecuted">

/** The state that a Swap says it left. */
export const stateTold = ({ sqrtPriceX96, tick, liquidity }: Swap) => ({
  sqrtPriceX96,
  tick,
  liquidity
})

const outcomeOf = (state: RangePoolState, fee: number, order: SwapOrder) => {
  const outcome = simulate(state, fee, order)
  if (outcome === null || !outcome.ok) return outcome
  const { ok, ...told } = outcome
  return told
}

/**
 * How a swap was ordered, found by running it again from the state before: whichever order leaves
 * exactly what the event tells. `limit`: cut off at the price it reached.
 */
export const orderOf = (before: RangePoolState, fee: number, event: Swap) => {
  const zeroForOne = event.amount0In > 0n || event.amount1Out > 0n
  const amountIn = zeroForOne ? event.amount0In : event.amount1In
  const amountOut = zeroForOne ? event.amount1Out : event.amount0Out
  const told = { ...stateTold(event), amountIn, amountOut }
  const sqrtPriceLimitX96 = event.sqrtPriceX96 as bigint
  const orders = {
    "exact input": { zeroForOne, exactIn: true, amount: amountIn },
    "exact output": { zeroForOne, exactIn: false, amount: amountOut },
    limit: { zeroForOne, exactIn: true, amount: amountIn * 2n + 1000n, sqrtPriceLimitX96 }
  }
  const equal = (order: SwapOrder): boolean => {
    const outcome = outcomeOf(before, fee, order)
    return (
      outcome !== null &&
      "amountIn" in outcome &&
      Object.entries(told).every(([name, value]) => outcome[name as keyof typeof told] === value)
    )
  }
  return Object.entries(orders).find(([, order]) => equal(order))?.[0] ?? "none"
}
