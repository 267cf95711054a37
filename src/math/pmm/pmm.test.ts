import { expect, it } from "vitest"
import { adjusted, type PmmState, sellBase, sellQuote } from "./pmm.ts"

const E18 = 10n ** 18n

/** After the fees of the two kinds, each rounded down. */
const afterFees = (amount: bigint, lpFee: bigint, mtFee: bigint): bigint =>
  amount - (amount * lpFee) / E18 - (amount * mtFee) / E18

const sold = (
  state: PmmState,
  side: "base" | "quote",
  amount: bigint,
  [lpFee, mtFee]: readonly [bigint, bigint]
): bigint | null => {
  const ready = adjusted(state)
  const swap = ready && (side === "base" ? sellBase : sellQuote)(ready, amount)
  return swap ? afterFees(swap.amountOut, lpFee, mtFee) : null
}

// KyberNetwork/kyberswap-dex-lib, pkg/liquidity-source/dodo: pools of Arbitrum's blocks 215792414
// (dsp/pool_simulator_test.go) and 215765443 (dvm/pool_simulator_test.go).
it("sells to the wei of published swaps of stable pools", () => {
  const weth: PmmState = {
    i: 3723935145n,
    k: 100000000000000n,
    base: 33336489800302n,
    quote: 1888512n,
    baseTarget: 270192202826890n,
    quoteTarget: 1005850n,
    regime: 1
  }
  const fees = [80000000000000n, 20000000000000n] as const
  expect(sold(weth, "base", 10n ** 16n, fees)).toBe(1888321n)
  expect(sold(weth, "quote", 10n ** 7n, fees)).toBe(33330403871110n)
  expect(sold(weth, "quote", 10n ** 8n, fees)).toBe(33332883981369n)
  expect(sold(weth, "base", 10n ** 17n, fees)).toBe(null)
  const slp: PmmState = {
    i: 538000000000000000000000000n,
    k: 100000000000000000n,
    base: 233467n,
    quote: 1117670600914973n,
    baseTarget: 1036546n,
    quoteTarget: 536995355922673n,
    regime: 1
  }
  const more = [2400000000000000n, 600000000000000n] as const
  expect(sold(slp, "base", 10n ** 7n, more)).toBe(1107962735102249n)
  expect(sold(slp, "base", 10n ** 8n, more)).toBe(1113774511602268n)
  expect(sold(slp, "quote", 10n ** 19n, more)).toBe(232761n)
  expect(sold(slp, "quote", 10n ** 20n, more)).toBe(232766n)
  expect(sold(slp, "quote", 10n ** 21n, more)).toBe(null)
})

it("sells to the wei of published swaps of vending machines", () => {
  const dai: PmmState = {
    i: 100000n,
    k: E18,
    base: 15580539464573n,
    quote: 54845488636364795n,
    baseTarget: 2923221347601320894515n,
    quoteTarget: 0n,
    regime: 1
  }
  const fees = [2400000000000000n, 600000000000000n] as const
  expect(sold(dai, "base", 10n ** 17n, fees)).toBe(54672434201713829n)
  expect(sold(dai, "base", E18, fees)).toBe(54680100516436846n)
  expect(sold(dai, "quote", 100n * E18, fees)).toBe(15525282928850n)
  expect(sold(dai, "quote", 1000n * E18, fees)).toBe(15532945934166n)
  const empty = { ...dai, i: 10000000n, k: E18 / 2n, base: 1001n, quote: 0n }
  expect(sold(empty, "quote", 10n ** 17n, fees)).toBe(null)
})

it("walks through the balanced point and past it", () => {
  const flat: PmmState = {
    i: 2n * E18,
    k: 0n,
    base: 90n,
    quote: 220n,
    baseTarget: 100n,
    quoteTarget: 200n,
    regime: 1
  }
  const at = adjusted(flat) as PmmState
  expect(at.baseTarget).toBe(100n)
  expect(sellBase(at, 4n)).toEqual({ amountOut: 8n, regime: 1 })
  expect(sellBase(at, 10n)).toEqual({ amountOut: 20n, regime: 0 })
  expect(sellBase(at, 15n)).toEqual({ amountOut: 30n, regime: 2 })
  expect(sellQuote(at, 20n)).toEqual({ amountOut: 10n, regime: 1 })
})
