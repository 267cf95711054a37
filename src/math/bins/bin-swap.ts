/**
 * A swap within one Liquidity Book bin, where price is constant, and its fee: BinHelper.getAmounts,
 * FeeHelper and PairParameterHelper of traderjoe-xyz/joe-v2 (v2.1, v2.2). Fees are parts of 1e18.
 */
import { divRoundingUp, MAX_UINT128 } from "../fixed-point.ts"

const UNIT = 10n ** 18n
/** 10 %: a larger fee reverts. */
const MAX_BIN_FEE = UNIT / 10n

/** Basis points of one whole. */
export const BASIS_POINTS = 10_000

/** The fee part that does not change: factor times step, in 1e18. */
const baseFee = (baseFactor: number, binStep: number): bigint =>
  BigInt(baseFactor) * BigInt(binStep) * 10n ** 10n

/** The part that grows with the square of the volatility accumulator, rounded up. */
const variableFee = (control: number, accumulator: number, binStep: number): bigint => {
  const product = BigInt(accumulator) * BigInt(binStep)
  return control === 0 ? 0n : (product * product * BigInt(control) + 99n) / 100n
}

/** Base and variable fee in 1e18; null above what the contract allows. */
export const binFee = (
  fees: { readonly baseFactor: number; readonly variableFeeControl: number },
  accumulator: number,
  binStep: number
): bigint | null => {
  const fee =
    baseFee(fees.baseFactor, binStep) + variableFee(fees.variableFeeControl, accumulator, binStep)
  return fee > MAX_BIN_FEE ? null : fee
}

export interface BinAmounts {
  /** with the fee */
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** of the input token */
  readonly fee: bigint
}

/**
 * What a bin takes of `amountLeft` and gives for it; null where an amount leaves uint128. `price`
 * is the bin's, `forY` where X is sold. All of `reserveOut` is bought where the input allows.
 */
export const binAmounts = (
  reserveOut: bigint,
  price: bigint,
  fee: bigint,
  forY: boolean,
  amountLeft: bigint
): BinAmounts | null => {
  const maxIn = forY
    ? divRoundingUp(reserveOut << 128n, price)
    : divRoundingUp(reserveOut * price, 1n << 128n)
  const maxFee = divRoundingUp(maxIn * fee, UNIT - fee)
  if (maxIn + maxFee > MAX_UINT128) return null
  if (amountLeft >= maxIn + maxFee) {
    return { amountIn: maxIn + maxFee, amountOut: reserveOut, fee: maxFee }
  }
  const paid = divRoundingUp(amountLeft * fee, UNIT)
  const counted = amountLeft - paid
  const amountOut = forY ? (counted * price) >> 128n : (counted << 128n) / price
  return {
    amountIn: amountLeft,
    amountOut: amountOut > reserveOut ? reserveOut : amountOut,
    fee: paid
  }
}
