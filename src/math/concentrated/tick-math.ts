/**
 * Ticks and prices of concentrated-liquidity pools: the price at tick `i` is `1.0001^i` (Uniswap
 * v3 Core whitepaper, 2021, section 6.1), kept as its square root in Q64.96.
 *
 * The contracts multiply rounded Q128.128 factors `1.0001^(-2^k / 2)`, one for each bit of the
 * tick, so the same factors in the same order are needed to agree with them in the last bit. The
 * factors are computed here from that definition, rounded to the nearest.
 */
import { MAX_UINT256, Q96, sqrt } from "../fixed-point.ts"

/** Prices stay within 2^-128 .. 2^128, hence these ticks. */
export const MIN_TICK = -887272
export const MAX_TICK = 887272

/** `sqrtRatioAtTick(MIN_TICK)`: the lowest square-root price a pool can have. */
export const MIN_SQRT_RATIO = 4295128739n
/** `sqrtRatioAtTick(MAX_TICK)`: a pool's square-root price stays below this. */
export const MAX_SQRT_RATIO = 1461446703485210103287273052203988822378723970342n

const TICK_BITS = 20
/** Binary places of the working precision: squaring 20 times loses about 20 of them. */
const PLACES = 256n
const Q128_FROM_PLACES = PLACES - 128n

/** Factor `k` is `round(2^128 * 1.0001^(-2^k / 2))`. */
const factors: ReadonlyArray<bigint> = (() => {
  const rounded: Array<bigint> = []
  let factor = sqrt((10_000n << (2n * PLACES)) / 10_001n)
  for (let k = 0; k < TICK_BITS; k++) {
    rounded.push((factor + (1n << (Q128_FROM_PLACES - 1n))) >> Q128_FROM_PLACES)
    factor = (factor * factor) >> PLACES
  }
  return rounded
})()

/** Bits of the tick whose product is looked up rather than multiplied. */
const TABLE_BITS = 10
const TABLE_MASK = (1 << TABLE_BITS) - 1

/** The product of the low bits' factors, in the contracts' order of multiplication. */
const lowProducts: ReadonlyArray<bigint> = (() => {
  const products = [1n << 128n]
  for (let low = 1; low <= TABLE_MASK; low++) {
    const top = 31 - Math.clz32(low)
    const rest = products[low ^ (1 << top)] as bigint
    products.push((rest * (factors[top] as bigint)) >> 128n)
  }
  return products
})()

/** `sqrt(1.0001^tick) * 2^96`, rounded up. `tick` is an integer of MIN_TICK .. MAX_TICK. */
export const sqrtRatioAtTick = (tick: number): bigint => {
  const magnitude = tick < 0 ? -tick : tick
  let ratio = lowProducts[magnitude & TABLE_MASK] as bigint
  for (let k = TABLE_BITS; k < TICK_BITS; k++) {
    if ((magnitude >> k) & 1) ratio = (ratio * (factors[k] as bigint)) >> 128n
  }
  if (tick > 0) ratio = MAX_UINT256 / ratio
  const shifted = ratio >> 32n
  return shifted << 32n === ratio ? shifted : shifted + 1n
}

const LOG_SQRT_BASE = Math.log(1.0001) / 2
const Q96_NUMBER = Number(Q96)

/** The tick of a square-root price in floating point, with a fraction; off by less than 1e-6. */
export const approximateTick = (sqrtPriceX96: bigint): number =>
  Math.log(Number(sqrtPriceX96) / Q96_NUMBER) / LOG_SQRT_BASE

/**
 * The greatest tick whose square-root price is at or below the given one, which lies in
 * MIN_SQRT_RATIO .. MAX_SQRT_RATIO (the end excluded). The logarithm finds it within one tick,
 * and exact comparison settles it.
 */
export const tickAtSqrtRatio = (sqrtPriceX96: bigint): number => {
  let tick = Math.floor(approximateTick(sqrtPriceX96))
  if (tick < MIN_TICK) tick = MIN_TICK
  if (tick >= MAX_TICK) tick = MAX_TICK - 1
  while (sqrtRatioAtTick(tick) > sqrtPriceX96) tick--
  while (tick < MAX_TICK && sqrtRatioAtTick(tick + 1) <= sqrtPriceX96) tick++
  return tick
}
