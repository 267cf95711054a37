/** What Meteora DAMM v2 pays within its range, with a constant fee. */

const FEE_UNIT = 1_000_000_000n
const Q128 = 1n << 128n

const ceilDivide = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

export interface DammV2Pool {
  readonly liquidity: bigint
  /** the square root of the price, times 2^64 */
  readonly sqrtPrice: bigint
  /** billionths */
  readonly feeRate: bigint
  /** whether the fee is always of token B, or of what goes out */
  readonly feeInB: boolean
}

const withoutFee = (amount: bigint, rate: bigint): bigint =>
  amount - ceilDivide(amount * rate, FEE_UNIT)

/** Returns what goes out for what comes in; the end of the range is not looked at. */
export const dammV2Output = (
  { liquidity, sqrtPrice, feeRate, feeInB }: DammV2Pool,
  aToB: boolean,
  amountIn: bigint
): bigint => {
  if (aToB) {
    const next = ceilDivide(liquidity * sqrtPrice, liquidity + amountIn * sqrtPrice)
    return withoutFee((liquidity * (sqrtPrice - next)) / Q128, feeRate)
  }
  const net = feeInB ? withoutFee(amountIn, feeRate) : amountIn
  const next = sqrtPrice + (net * Q128) / liquidity
  const out = (liquidity * (next - sqrtPrice)) / (sqrtPrice * next)
  return feeInB ? out : withoutFee(out, feeRate)
}
