/**
 * Prices of Liquidity Book bins: `(1 + binStep / 10000) ^ (id - 2^23)` of token Y per X as unsigned
 * 128.128 fixed point. The contract's power is squared step by step with one truncation each, so
 * the steps are the price: Uint128x128Math.pow and PriceHelper of traderjoe-xyz/joe-v2, v2.1 and
 * v2.2.
 */
import { MAX_UINT128, MAX_UINT256 } from "../fixed-point.ts"

/** The id whose price is one. */
export const CENTRE_BIN = 2 ** 23

const SCALE = 1n << 128n
/** Exponents are below it: beyond, the contract reverts. */
const EXPONENT_LIMIT = 2 ** 21

/**
 * The price of a bin; null where the contract reverts because it leaves its type. `binStep` in
 * basis points, above zero.
 */
export const binPrice = (id: number, binStep: number): bigint | null => {
  const exponent = id - CENTRE_BIN
  if (exponent === 0) return SCALE
  let rest = Math.abs(exponent)
  if (rest >= EXPONENT_LIMIT) return null
  const base = SCALE + (BigInt(binStep) << 128n) / 10_000n
  // A base above one is inverted, so that squares stay below 2^128.
  const isInverted = base > MAX_UINT128
  let squared = isInverted ? MAX_UINT256 / base : base
  let power = SCALE
  while (rest > 0) {
    if (rest % 2 === 1) power = (power * squared) >> 128n
    squared = (squared * squared) >> 128n
    rest = Math.floor(rest / 2)
  }
  if (power === 0n) return null
  return exponent < 0 === isInverted ? power : MAX_UINT256 / power
}
