/**
 * What is known of a pool before a swap. Logs that begin in the middle of a pool's life, or leave
 * blocks out, tell its state in part: then either the swap itself shows that the part is enough, or
 * the state is unknown, with the reason.
 */
import { amount0Between, amount1Between } from "../../src/math/concentrated/sqrt-price.ts"
import type { EventOf } from "../event.ts"
import { type RangePoolState, rangePoolState } from "../evm/range-pool.ts"
import type { PairState } from "../evm/uniswap-v2/pool.ts"
import type { PoolFacts } from "../venue.ts"
import type { SwapSides } from "./swap-sides.ts"

type Swap = EventOf<"SwapExecuted">

/** Why nothing can be said of a swap. */
export const UNKNOWN = {
  facts: "the pool's tokens and factory are not known",
  first: "the pool's first swap seen",
  fee: "its fee is not known",
  ticks: "its ticks are not known, and it crossed some",
  skipped: "the log lacks what happened to the pool before",
  untold: "its state is not told by events"
} as const

const isRange = (state: unknown): state is RangePoolState =>
  typeof state === "object" && state !== null && "ticks" in state && "price" in state

const rangeOf = (state: unknown): RangePoolState | null => {
  if (isRange(state)) return state
  if (typeof state !== "object" || state === null) return null
  const [inner] = ["range", "fine"].flatMap(name => {
    const value = (state as { readonly [name: string]: unknown })[name]
    return isRange(value) ? [value] : []
  })
  return inner ?? null
}

const isPair = (state: unknown): state is PairState =>
  typeof state === "object" && state !== null && "reserves" in state

/** Why a pool's quote does not know its state. */
export const whyUnknown = (state: unknown, facts: PoolFacts): string => {
  if (facts.tokens.length === 0) return UNKNOWN.facts
  const range = rangeOf(state)
  if (range?.price === null || (isPair(state) && state.reserves === null)) return UNKNOWN.first
  if (range !== null && range.ticks === null) return UNKNOWN.ticks
  return facts.fee === null ? UNKNOWN.fee : UNKNOWN.untold
}

/**
 * The state of a range pool as one range without ticks, where ticks are not known and the swap left
 * the liquidity it found: it crossed none. Null where that does not hold.
 */
export const withinOneRange = (state: unknown, facts: PoolFacts, swap: Swap) => {
  if (!isRange(state) || state.ticks !== null || state.price === null) return null
  const { pool, price } = state
  const tickSpacing = state.tickSpacing ?? facts.tickSpacing
  if (tickSpacing === null || tickSpacing <= 0 || price.liquidity !== swap.liquidity) return null
  return rangePoolState(pool, tickSpacing, price, [])
}

/**
 * Whether the price before leads to the price after by what the swap paid, whatever the fee is:
 * else ticks were crossed out and back, or events are missing.
 */
export const pathFits = (
  { price }: RangePoolState,
  { tokenIn, amountOut }: SwapSides,
  swap: Swap
): boolean => {
  const after = swap.sqrtPriceX96
  if (price === null || after === null) return false
  const { sqrtPriceX96, liquidity } = price
  if (tokenIn === 0 ? after > sqrtPriceX96 : after < sqrtPriceX96) return false
  const paid =
    tokenIn === 0
      ? amount1Between(after, sqrtPriceX96, liquidity, false)
      : amount0Between(sqrtPriceX96, after, liquidity, false)
  // words of the tick bitmap are steps of their own, each rounded down
  return amountOut <= paid && paid - amountOut < 64n
}

/** Whether a pair's reserves before and after differ by the swap, so that nothing is missing. */
export const reservesFit = (
  before: unknown,
  after: unknown,
  amounts: Pick<Swap, "amount0In" | "amount0Out" | "amount1In" | "amount1Out">
): boolean => {
  if (!isPair(before) || !isPair(after)) return true
  if (before.reserves === null || after.reserves === null) return true
  const { amount0In, amount0Out, amount1In, amount1Out } = amounts
  return (
    before.reserves[0] + amount0In - amount0Out === after.reserves[0] &&
    before.reserves[1] + amount1In - amount1Out === after.reserves[1]
  )
}
