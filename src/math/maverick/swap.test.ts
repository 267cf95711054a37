import { expect, it } from "vitest"
import { type MaverickPool, swapExactIn } from "./swap.ts"
import { tickLiquidity, tickSqrtPrice } from "./tick.ts"

const E18 = 10n ** 18n

// KyberNetwork/kyberswap-dex-lib, maverick/v2/data/mavweth.json: MAV and WETH at Ethereum's block
// 22664531, with the outcomes of pool_simulator_test.go.
const mavWeth: MaverickPool = {
  tickSpacing: 2232,
  activeTick: 47,
  ticks: new Map([
    [46, { reserveA: 46200160096971231027495n, reserveB: 0n }],
    [47, { reserveA: 42544041264211846529759n, reserveB: 931114965770597n }],
    [59, { reserveA: 0n, reserveB: 15464504535479n }],
    [91, { reserveA: 0n, reserveB: 12543131756855n }]
  ]),
  feeAIn: 10n ** 16n,
  feeBIn: 10n ** 16n,
  protocolFee: 0n
}

it("swaps to the wei of published outcomes", () => {
  expect(swapExactIn(mavWeth, true, E18)).toMatchObject({
    amountIn: E18,
    amountOut: 22034312672685n,
    activeTick: 47
  })
  expect(swapExactIn(mavWeth, true, 20n * E18)?.amountOut).toBe(440665698723087n)
})

it("drains the ticks one after another and gives back what is left", () => {
  const all = swapExactIn(mavWeth, true, 10n ** 40n)
  expect(all?.amountOut).toBe(931114965770597n + 15464504535479n + 12543131756855n)
  expect(all?.activeTick).toBe(91)
  expect((all?.amountIn ?? 0n) < 10n ** 40n).toBe(true)
  expect(all?.ticks.get(59)?.reserveB).toBe(0n)
})

it("leaves in the tick what the protocol does not take of the fee", () => {
  const taking = { ...mavWeth, protocolFee: 250n }
  const [plain, taken] = [mavWeth, taking].map(pool => swapExactIn(pool, true, E18))
  const reserves = [plain, taken].map(swap => swap?.ticks.get(47)?.reserveA ?? 0n) as [
    bigint,
    bigint
  ]
  expect(reserves[0] - reserves[1]).toBe(25n * 10n ** 14n)
  expect(taken?.amountOut).toBe(plain?.amountOut)
})

it("knows the prices of ticks, one at tick 0, and none beyond the last", () => {
  expect(tickSqrtPrice(1, 0)).toBe(E18)
  expect(tickSqrtPrice(10_000, 33)).toBe(null)
  const [low, high] = [tickSqrtPrice(1, -100), tickSqrtPrice(1, 100)] as [bigint, bigint]
  expect((low * high) / E18).toBe(E18 - 1n)
  expect(tickLiquidity({ reserveA: 0n, reserveB: 0n }, low, high)).toBe(0n)
})
