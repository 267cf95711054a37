import { expect, it } from "vitest"
import { tripleInvariant } from "./three-coin.ts"
import {
  type TriplePool,
  tripleAfter,
  tripleBalances,
  tripleExchange,
  tripleTokenValue
} from "./three-coin-exchange.ts"

// A pool of Ethereum (0x2889302a794da87fbf1d6db415c1492194663d13, crvUSD, tBTC, wstETH at block
// 19468099) and its outputs as KyberNetwork/kyberswap-dex-lib tests them
// (pkg/liquidity-source/curve/tricrypto-ng/pool_simulator_test.go).
const pool: TriplePool = {
  rule: "analytic",
  curve: { ann: 540_000n, gamma: 80_500_000_000_000n },
  fees: { mid: 1_000_000n, out: 140_000_000n, gamma: 400_000_000_000_000n },
  balances: [3848079508071253519125552n, 60997386412794855327n, 1028200997183081004168n],
  precisions: [1n, 1n, 1n],
  priceScale: [66313464177401058702341n, 3988288337309167729564n],
  d: 11990883592127090140834712n
}
const SUPPLY = 6209561906175920711602n
const VIRTUAL_PRICE = 1002781276086899355n

const outputs = [
  [0, 1, 50000000000000000n, 777940997580n],
  [0, 1, 500000000000000001n, 7779409210946n],
  [0, 1, 5000000000000000012n, 77794015730818n],
  [0, 1, 50000000000000000123n, 777932520003489n],
  [0, 1, 500000000000000001234n, 7778561960860400n],
  [0, 1, 5000000000000000012345n, 77709786016695971n],
  [0, 2, 50000000000000000n, 13082875266807n],
  [0, 2, 500000000000000001n, 130828739090584n],
  [0, 2, 5000000000000000012n, 1308286035086453n],
  [0, 2, 50000000000000000123n, 13082724777147855n],
  [0, 2, 500000000000000001234n, 130813699671187605n],
  [0, 2, 5000000000000000012345n, 1306791631101999948n],
  [2, 1, 50000000000000000n, 2942298304726216n],
  [2, 1, 500000000000000001n, 29411687945522080n],
  [2, 1, 5000000000000000012n, 292970319746068264n],
  [2, 1, 50000000000000000123n, 2809513964503774599n],
  [2, 1, 500000000000000001234n, 19769566246680798724n],
  [2, 1, 5000000000000000012345n, 49961193949748966896n],
  [2, 0, 500000000000000000000n, 1247392878908745428005336n],
  [2, 0, 5000000000000000000001n, 3151867100859420032898396n]
] as const

it("gives the outputs of published swaps", () => {
  for (const [i, j, amountIn, amountOut] of outputs) {
    expect(tripleExchange(pool, i, j, amountIn)?.amountOut, `${amountIn}`).toBe(amountOut)
  }
})

it("refuses what the contract does: balances too uneven", () => {
  expect(tripleExchange(pool, 2, 0, 50000000000000000000012n)).toBeNull()
})

it("has the pool's own value of a pool token, which a swap raises", () => {
  expect(tripleTokenValue(pool.d, pool.priceScale, SUPPLY)).toBe(VIRTUAL_PRICE)
  const out = tripleExchange(pool, 0, 1, 5000000000000000012345n)
  const d = out && tripleAfter(pool, out)
  expect(d && tripleTokenValue(d, pool.priceScale, SUPPLY) > VIRTUAL_PRICE).toBe(true)
})

it("solves balance and invariant for each other, by both maths", () => {
  const xp = tripleBalances(pool)
  for (const rule of ["analytic", "newton"] as const) {
    const d = tripleInvariant(rule, pool.curve, xp, 0n) as bigint
    expect(Math.abs(Number(d) / Number(pool.d) - 1)).toBeLessThan(1e-12)
    for (const [i, j, amountIn, amountOut] of outputs) {
      const out = tripleExchange({ ...pool, rule }, i, j, amountIn)
      expect(Math.abs(Number(out?.amountOut) / Number(amountOut) - 1)).toBeLessThan(1e-6)
    }
  }
})

it("tells nothing where the contract reverts", () => {
  expect(tripleInvariant("analytic", pool.curve, [1n, 0n, 1n], 0n)).toBeNull()
  const outside = { ...pool, curve: { ann: 1n, gamma: 1n } }
  expect(tripleExchange(outside, 0, 1, 10n ** 18n)).toBeNull()
})
