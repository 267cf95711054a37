import { expect, it } from "vitest"
import { random } from "../../../test/support/seed.ts"
import { mulDivRoundingUp, PIPS } from "../fixed-point.ts"
import { amount0Between, amount1Between, sqrtPriceAfterInput } from "./sqrt-price.ts"
import { stepExactIn } from "./swap-step.ts"

/** What Uniswap V4 (v4-core 1.0, SwapMath) takes and pays in a step of an exact input. */
const v4Step = (
  current: bigint,
  target: bigint,
  liquidity: bigint,
  amount: bigint,
  fee: bigint
) => {
  const down = current >= target
  const afterFee = (amount * (PIPS - fee)) / PIPS
  const needed = down
    ? amount0Between(target, current, liquidity, true)
    : amount1Between(current, target, liquidity, true)
  const reached = afterFee >= needed
  const sqrtPrice = reached ? target : sqrtPriceAfterInput(current, liquidity, afterFee, down)
  if (sqrtPrice === null) return null
  const feeAmount = fee === PIPS ? needed : mulDivRoundingUp(needed, fee, PIPS - fee)
  return {
    sqrtPrice,
    taken: reached ? needed + feeAmount : amount,
    paid: down
      ? amount1Between(sqrtPrice, current, liquidity, false)
      : amount0Between(current, sqrtPrice, liquidity, false)
  }
}

it("takes and pays what V4's form of the step does, also around the target", () => {
  const { bits, integer, boolean, pick } = random("steps")
  let short = 0
  for (let i = 0; i < 20_000; i++) {
    const current = bits(integer(60, 150)) + (1n << 33n)
    const distance = bits(integer(1, 32)) + 1n
    const target = boolean() ? current + distance : current - distance
    const liquidity = bits(integer(1, 110)) + 1n
    const fee = pick([0n, 100n, 3000n, 999_999n, PIPS])
    const whole = v4Step(current, target, liquidity, 1n << 220n, fee === PIPS ? 0n : fee)
    const amount = boolean() ? bits(100) + 1n : (whole?.taken ?? 1n) - BigInt(integer(-2, 2))
    if (amount <= 0n) continue
    const step = stepExactIn(current, target, liquidity, amount, fee)
    const other = v4Step(current, target, liquidity, amount, fee)
    expect(
      step && { sqrtPrice: step.sqrtPrice, taken: step.amountIn + step.fee, paid: step.amountOut }
    ).toEqual(other)
    if (step !== null && step.sqrtPrice !== target) short++
  }
  expect(short).toBeGreaterThan(1000)
})

it("takes all of an input as a fee of 100 %, and leaves the price", () => {
  const current = 1n << 96n
  expect(stepExactIn(current, current / 2n, 10n ** 18n, 5n, PIPS)).toEqual({
    sqrtPrice: current,
    amountIn: 0n,
    amountOut: 0n,
    fee: 5n
  })
})
