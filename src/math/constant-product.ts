/**
 * The constant-product market of Uniswap V2 and its forks: reserves `x`, `y` keep `x * y` from
 * falling, and the fee is taken from the input before it counts. Formulas: Uniswap v2 Core
 * whitepaper (2020), section 3.2.1: with fee `f`, `(x + in * (1 - f)) * (y - out) >= x * y`.
 * Rounded as the contracts do it: against the trader.
 *
 * Fees are in pips (1e-6), so 0.3 % is 3000. A common factor of fee and its denominator cancels
 * exactly, so forks that count in 1/1000 or 1/10000 give the same integers.
 */
import { divRoundingUp, PIPS } from "./fixed-point.ts"

/**
 * The most that can be taken out for an exact input, in raw units; always less than `reserveOut`.
 * Zero where the input is too small to move a unit. Reserves above zero, `0 <= feePips < 1e6`.
 */
export const amountOutOf = (
  amountIn: bigint,
  reserveIn: bigint,
  reserveOut: bigint,
  feePips: bigint
): bigint => {
  const counted = amountIn * (PIPS - feePips)
  return (counted * reserveOut) / (reserveIn * PIPS + counted)
}

/**
 * The input, in raw units, that buys an exact output: the smallest integer above the real-valued
 * solution, which is what `getAmountIn` of the periphery library returns (its rounding adds one
 * even to a whole quotient). `null` where the reserve does not hold the output.
 */
export const amountInFor = (
  amountOut: bigint,
  reserveIn: bigint,
  reserveOut: bigint,
  feePips: bigint
): bigint | null =>
  amountOut >= reserveOut
    ? null
    : (reserveIn * amountOut * PIPS) / ((reserveOut - amountOut) * (PIPS - feePips)) + 1n

/**
 * The smallest input the pair itself accepts for an output: its invariant check, without the
 * periphery's extra unit. `null` where the reserve does not hold the output.
 */
export const smallestAmountInFor = (
  amountOut: bigint,
  reserveIn: bigint,
  reserveOut: bigint,
  feePips: bigint
): bigint | null =>
  amountOut >= reserveOut
    ? null
    : divRoundingUp(reserveIn * amountOut * PIPS, (reserveOut - amountOut) * (PIPS - feePips))
