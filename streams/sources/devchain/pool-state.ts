/** Prices of pool states in floating point: good enough to decide trades, not for accounts. */
import type { Pool, Token } from "./market.ts"

/** What a pool answers: V2's reserves, or V3's price and active liquidity. */
export interface PoolState {
  readonly a: bigint
  readonly b: bigint
}

const Q96 = 2 ** 96

/** Dollars that move the log price by 1, to first order, per dollar of the pool's depth. */
export const STIFFNESS = { v2: 0.25, v3: 0.9 } as const

/** Raw units of a number of whole tokens, rounded down, never negative. */
export const rawAmount = (token: Token, amount: number): bigint =>
  amount > 0 && Number.isFinite(amount) ? BigInt(Math.floor(amount * 10 ** token.decimals)) : 0n

/** Raw units that are worth this many dollars at the fair price. */
export const rawWorth = (token: Token, usd: number, time: number): bigint =>
  rawAmount(token, usd / token.fairUsd(time))

/** Dollars that raw units are worth at the fair price. */
export const worthUsd = (token: Token, raw: bigint, time: number): number =>
  (Number(raw) / 10 ** token.decimals) * token.fairUsd(time)

/** Units of token 1 for one of token 0 at the pool's marginal price; null for an empty pool. */
export const spotPrice = (pool: Pool, state: PoolState): number | null => {
  if (state.a === 0n || state.b === 0n) return null
  const raw = pool.kind === "v2" ? Number(state.b) / Number(state.a) : (Number(state.a) / Q96) ** 2
  return raw * 10 ** (pool.token0.decimals - pool.token1.decimals)
}

/** Units of token 1 per token 0 at which these raw amounts are worth the same. */
export const priceOfAmounts = (pool: Pool, amounts: readonly [bigint, bigint]): number =>
  (Number(amounts[1]) / Number(amounts[0])) * 10 ** (pool.token0.decimals - pool.token1.decimals)

/** Units of token 1 that one of token 0 should fetch. */
const fairRatio = (pool: Pool, time: number): number =>
  pool.token0.fairUsd(time) / pool.token1.fairUsd(time)

/**
 * How far the pool undervalues token 0, as a logarithm: 0.01 means that its fair price is 1 % above
 * the pool's, so that buying it pays.
 */
export const undervaluation = (pool: Pool, state: PoolState, time: number): number => {
  const spot = spotPrice(pool, state)
  return spot === null ? 0 : Math.log(fairRatio(pool, time) / spot)
}

/** `sqrtPriceX96` for units of token 1 per token 0. */
export const sqrtPriceX96Of = (pool: Pool, price: number): bigint =>
  BigInt(Math.floor(Math.sqrt(price * 10 ** (pool.token1.decimals - pool.token0.decimals)) * Q96))

/** The tick at units of token 1 per token 0, rounded down: the power of 1.0001 in raw terms. */
export const tickOf = (pool: Pool, price: number): number =>
  Math.floor(
    Math.log(price * 10 ** (pool.token1.decimals - pool.token0.decimals)) / Math.log(1.0001)
  )

/** The widest range a V3 pool allows, and ranges snapped to its tick spacing. */
export const fullRange = (pool: Pool): readonly [lower: number, upper: number] => {
  const most = Math.floor(887_272 / pool.tickSpacing) * pool.tickSpacing
  return [-most, most]
}

/** Ticks around a price: `width` 0.1 reaches about 10 % to each side, at least one spacing. */
export const rangeAround = (
  pool: Pool,
  price: number,
  width: number
): readonly [lower: number, upper: number] => {
  const spacing = pool.tickSpacing
  const centre = tickOf(pool, price)
  const reach = Math.log(1 + width) / Math.log(1.0001)
  return [
    Math.floor((centre - reach) / spacing) * spacing,
    Math.ceil((centre + reach) / spacing) * spacing
  ]
}
