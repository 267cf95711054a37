/**
 * Integer fixed-point arithmetic as EVM contracts do it: products in full precision, one rounding
 * at the end. Numbers are unbounded here; where a contract would revert because a result leaves
 * its type, the caller compares with the bounds below.
 */

/** The unit of a Q64.96 number: 2^96. */
export const Q96 = 1n << 96n

export const MAX_UINT112 = (1n << 112n) - 1n
export const MAX_UINT128 = (1n << 128n) - 1n
export const MAX_UINT160 = (1n << 160n) - 1n
export const MAX_INT128 = (1n << 127n) - 1n
export const MAX_INT256 = (1n << 255n) - 1n
export const MAX_UINT256 = (1n << 256n) - 1n

/** Fees are counted in millionths of the input ("pips", hundredths of a basis point). */
export const PIPS = 1_000_000n

/** `a * b / denominator`, rounded down. All non-negative, denominator above zero. */
export const mulDiv = (a: bigint, b: bigint, denominator: bigint): bigint => (a * b) / denominator

/** `a * b / denominator`, rounded up. All non-negative, denominator above zero. */
export const mulDivRoundingUp = (a: bigint, b: bigint, denominator: bigint): bigint =>
  divRoundingUp(a * b, denominator)

/** `a / b`, rounded up. Both non-negative, `b` above zero. */
export const divRoundingUp = (a: bigint, b: bigint): bigint => {
  const quotient = a / b
  return quotient * b === a ? quotient : quotient + 1n
}

/** The square root of a non-negative integer, rounded down (Newton's iteration from above). */
export const sqrt = (value: bigint): bigint => {
  if (value < 2n) return value
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
