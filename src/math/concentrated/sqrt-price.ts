/**
 * Amounts between two square-root prices, and prices after amounts, for constant liquidity `L`
 * (Uniswap v3 Core whitepaper, section 6.2.3): `dy = L * d(sqrtP)` and `dx = L * d(1 / sqrtP)`.
 * Square-root prices are Q64.96; everything is non-negative. Rounding is the contracts': what the
 * pool receives is rounded up, what it pays down, so the pool never loses a unit.
 */
import { divRoundingUp, MAX_UINT160, MAX_UINT256, mulDivRoundingUp, Q96 } from "../fixed-point.ts"

/** Token 0 between two square-root prices, in any order, both above zero. */
export const amount0Between = (
  sqrtA: bigint,
  sqrtB: bigint,
  liquidity: bigint,
  roundUp: boolean
): bigint => {
  const low = sqrtA < sqrtB ? sqrtA : sqrtB
  const high = sqrtA < sqrtB ? sqrtB : sqrtA
  const scaled = (liquidity << 96n) * (high - low)
  return roundUp ? divRoundingUp(divRoundingUp(scaled, high), low) : scaled / high / low
}

/** Token 1 between two square-root prices, in any order. */
export const amount1Between = (
  sqrtA: bigint,
  sqrtB: bigint,
  liquidity: bigint,
  roundUp: boolean
): bigint => {
  const distance = sqrtA < sqrtB ? sqrtB - sqrtA : sqrtA - sqrtB
  return roundUp ? divRoundingUp(liquidity * distance, Q96) : (liquidity * distance) >> 96n
}

/**
 * The square-root price after `amount` of token 0 came in (`add`) or went out, rounded up; `null`
 * where the liquidity does not hold what should go out. Where the exact product leaves 256 bits
 * the contracts divide first, which rounds differently; so does this.
 */
const afterAmount0 = (
  sqrtPrice: bigint,
  liquidity: bigint,
  amount: bigint,
  add: boolean
): bigint | null => {
  if (amount === 0n) return sqrtPrice
  const scaled = liquidity << 96n
  const product = amount * sqrtPrice
  if (add) {
    const denominator = scaled + product
    return product <= MAX_UINT256 && denominator <= MAX_UINT256
      ? mulDivRoundingUp(scaled, sqrtPrice, denominator)
      : divRoundingUp(scaled, scaled / sqrtPrice + amount)
  }
  if (product > MAX_UINT256 || scaled <= product) return null
  return mulDivRoundingUp(scaled, sqrtPrice, scaled - product)
}

/**
 * The square-root price after `amount` of token 1 came in (`add`) or went out, rounded down;
 * `null` where the price would leave its range.
 */
const afterAmount1 = (
  sqrtPrice: bigint,
  liquidity: bigint,
  amount: bigint,
  add: boolean
): bigint | null => {
  if (add) {
    const next = sqrtPrice + (amount << 96n) / liquidity
    return next <= MAX_UINT160 ? next : null
  }
  const quotient = divRoundingUp(amount << 96n, liquidity)
  return sqrtPrice > quotient ? sqrtPrice - quotient : null
}

/** The square-root price after an exact input; liquidity above zero. */
export const sqrtPriceAfterInput = (
  sqrtPrice: bigint,
  liquidity: bigint,
  amountIn: bigint,
  zeroForOne: boolean
): bigint | null =>
  zeroForOne
    ? afterAmount0(sqrtPrice, liquidity, amountIn, true)
    : afterAmount1(sqrtPrice, liquidity, amountIn, true)

/** The square-root price after an exact output; liquidity above zero. */
export const sqrtPriceAfterOutput = (
  sqrtPrice: bigint,
  liquidity: bigint,
  amountOut: bigint,
  zeroForOne: boolean
): bigint | null =>
  zeroForOne
    ? afterAmount1(sqrtPrice, liquidity, amountOut, false)
    : afterAmount0(sqrtPrice, liquidity, amountOut, false)
