/** A leg as an exact quote tells it. */
import { quotePool, type TradePool } from "../pools/pool-market.ts"
import type { Loss } from "./route.ts"

export interface PlannedLeg {
  readonly pool: TradePool
  readonly tokenIn: string
  readonly tokenOut: string
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/** Offers after which a pool that takes less each time has no leg. */
const MOST_OFFERS = 4

/**
 * The leg of selling `amount`, or what of it the pool takes: then that is quoted by itself, as its
 * rounding differs. Or why there is none.
 */
export const quoteLeg = (
  pool: TradePool,
  tokenIn: string,
  tokenOut: string,
  amount: bigint
): PlannedLeg | Loss => {
  let offered = amount
  for (let offers = 0; offers < MOST_OFFERS; offers++) {
    const quote = quotePool(pool, tokenIn, tokenOut, offered)
    if (!quote.ok) return quote.reason
    const { amountIn, amountOut } = quote
    if (amountOut === 0n) return "amount-too-small"
    if (amountIn === offered) return { pool, tokenIn, tokenOut, amountIn, amountOut }
    offered = amountIn
  }
  return "takes-less"
}
