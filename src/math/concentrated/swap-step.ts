/**
 * One step of a swap: as far as the amount reaches within one stretch of constant liquidity
 * (Uniswap v3 Core whitepaper, section 6.2.3; rounding as in the contracts' `SwapMath`). The
 * direction follows from the prices: a target below the current price means token 0 comes in.
 */
import { divRoundingUp, PIPS } from "../fixed-point.ts"
import {
  amount0Between,
  amount1Between,
  sqrtPriceAfterInput,
  sqrtPriceAfterOutput
} from "./sqrt-price.ts"

export interface SwapStep {
  /** square-root price reached, Q64.96; the target or short of it */
  readonly sqrtPrice: bigint
  /** what came in without the fee, what went out, and the fee (in the token that came in) */
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly fee: bigint
}

const received = (from: bigint, to: bigint, liquidity: bigint, zeroForOne: boolean): bigint =>
  zeroForOne ? amount0Between(to, from, liquidity, true) : amount1Between(from, to, liquidity, true)

const paid = (from: bigint, to: bigint, liquidity: bigint, zeroForOne: boolean): bigint =>
  zeroForOne
    ? amount1Between(to, from, liquidity, false)
    : amount0Between(from, to, liquidity, false)

/** A step that takes nothing in costs nothing, also where the fee is all of the input. */
const feeOn = (amountIn: bigint, feePips: bigint): bigint =>
  amountIn === 0n ? 0n : divRoundingUp(amountIn * feePips, PIPS - feePips)

/**
 * A step that has `amount` left to sell, fee included. Where the target is not reached the whole
 * rest is taken: what the price move does not need counts as fee. `null` where the contract
 * reverts. Uniswap V4 writes it otherwise (Uniswap/v4-core 1.0) and takes and pays the same.
 */
export const stepExactIn = (
  current: bigint,
  target: bigint,
  liquidity: bigint,
  amount: bigint,
  feePips: bigint
): SwapStep | null => {
  const zeroForOne = current >= target
  const afterFee = (amount * (PIPS - feePips)) / PIPS
  const toTarget = received(current, target, liquidity, zeroForOne)
  if (afterFee >= toTarget) {
    return {
      sqrtPrice: target,
      amountIn: toTarget,
      amountOut: paid(current, target, liquidity, zeroForOne),
      fee: feeOn(toTarget, feePips)
    }
  }
  const sqrtPrice = sqrtPriceAfterInput(current, liquidity, afterFee, zeroForOne)
  if (sqrtPrice === null) return null
  const amountIn = received(current, sqrtPrice, liquidity, zeroForOne)
  return {
    sqrtPrice,
    amountIn,
    amountOut: paid(current, sqrtPrice, liquidity, zeroForOne),
    // A rounded price may fall on the target after all; then the fee is the ordinary one.
    fee: sqrtPrice === target ? feeOn(amountIn, feePips) : amount - amountIn
  }
}

/** A step that has `amount` left to buy. `null` where the contract reverts. */
export const stepExactOut = (
  current: bigint,
  target: bigint,
  liquidity: bigint,
  amount: bigint,
  feePips: bigint
): SwapStep | null => {
  const zeroForOne = current >= target
  const toTarget = paid(current, target, liquidity, zeroForOne)
  const reached = amount >= toTarget
  const sqrtPrice = reached ? target : sqrtPriceAfterOutput(current, liquidity, amount, zeroForOne)
  if (sqrtPrice === null) return null
  const amountIn = received(current, sqrtPrice, liquidity, zeroForOne)
  const available = reached ? toTarget : paid(current, sqrtPrice, liquidity, zeroForOne)
  return {
    sqrtPrice,
    amountIn,
    amountOut: available > amount ? amount : available,
    fee: feeOn(amountIn, feePips)
  }
}
