/** Pools that trade: states as a V2 pair and a V3 pool with one range keep them, in raw units. */
import type { OtherKind } from "./kinds.ts"

export interface Token {
  /** 64 hex digits: the address padded to a word */
  readonly word: string
  readonly address: string
  readonly symbol: string
  readonly decimals: number
}

interface PoolBase {
  /** whose pool it is where it is neither Uniswap V2's nor V3's */
  readonly other?: OtherKind
  readonly address: string
  readonly tokens: readonly [Token, Token]
  /** the price it was made at, as units of token 1 per token 0, raw */
  readonly startPrice: number
}

export interface V2Pool extends PoolBase {
  readonly kind: "v2"
  reserve0: bigint
  reserve1: bigint
}

export interface V3Pool extends PoolBase {
  readonly kind: "v3"
  /** 1e-6 */
  readonly fee: number
  readonly tickSpacing: number
  sqrtPriceX96: bigint
  readonly liquidity: bigint
}

export type Pool = V2Pool | V3Pool

export const Q96 = 2n ** 96n

/** The price of token 0 in raw token 1. */
export const priceOf = (pool: Pool): number =>
  pool.kind === "v2"
    ? Number(pool.reserve1) / Number(pool.reserve0)
    : (Number(pool.sqrtPriceX96) / Number(Q96)) ** 2

/** The tick of a square root of a price, Uniswap V3 whitepaper 6.1. */
export const tickOf = (sqrtPriceX96: bigint): number =>
  Math.floor((2 * Math.log(Number(sqrtPriceX96) / Number(Q96))) / Math.log(1.0001))

/** What a swap moved; the pool received `amountIn` and paid `amountOut`. */
export interface Trade {
  readonly zeroForOne: boolean
  readonly amountIn: bigint
  readonly amountOut: bigint
}

const swapV2 = (pool: V2Pool, zeroForOne: boolean, amountIn: bigint): bigint => {
  const [reserveIn, reserveOut] = zeroForOne
    ? [pool.reserve0, pool.reserve1]
    : [pool.reserve1, pool.reserve0]
  const afterFee = amountIn * 997n
  const amountOut = (afterFee * reserveOut) / (reserveIn * 1000n + afterFee)
  pool.reserve0 += zeroForOne ? amountIn : -amountOut
  pool.reserve1 += zeroForOne ? -amountOut : amountIn
  return amountOut
}

const swapV3 = (pool: V3Pool, zeroForOne: boolean, amountIn: bigint): bigint => {
  const { sqrtPriceX96: sqrt, liquidity } = pool
  const afterFee = (amountIn * BigInt(1_000_000 - pool.fee)) / 1_000_000n
  if (zeroForOne) {
    const scaled = liquidity * Q96
    const next = (scaled * sqrt) / (scaled + afterFee * sqrt) + 1n
    pool.sqrtPriceX96 = next
    return next >= sqrt ? 0n : (liquidity * (sqrt - next)) / Q96
  }
  const next = sqrt + (afterFee * Q96) / liquidity
  pool.sqrtPriceX96 = next
  return next === sqrt ? 0n : (liquidity * Q96 * (next - sqrt)) / next / sqrt
}

/** Trades and changes the pool. `share` is the part of the reserve of the sold token, in 1e-6. */
export const trade = (pool: Pool, zeroForOne: boolean, share: number): Trade => {
  const reserve =
    pool.kind === "v2"
      ? zeroForOne
        ? pool.reserve0
        : pool.reserve1
      : zeroForOne
        ? (pool.liquidity * Q96) / pool.sqrtPriceX96
        : (pool.liquidity * pool.sqrtPriceX96) / Q96
  const amountIn = (reserve * BigInt(share)) / 1_000_000n + 1n
  return tradeExact(pool, zeroForOne, amountIn)
}

/** Trades exactly this much of the sold token. */
export const tradeExact = (pool: Pool, zeroForOne: boolean, amountIn: bigint): Trade => ({
  zeroForOne,
  amountIn,
  amountOut:
    pool.kind === "v2" ? swapV2(pool, zeroForOne, amountIn) : swapV3(pool, zeroForOne, amountIn)
})
