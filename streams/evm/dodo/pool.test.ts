import { expect, it } from "vitest"
import type { PoolFacts } from "../../venue.ts"
import { type EventMeaning, eventOf } from "../../venue-laws.ts"
import { marketModel } from "./pool.ts"

const POOL = `0x${"d0".repeat(20)}`
const [WETH, USDT] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const
const facts: PoolFacts = {
  pool: POOL,
  tokens: [WETH, USDT],
  fee: null,
  tickSpacing: null,
  decimals: [18, 6]
}

const set = (name: string, value: bigint): EventMeaning => ({
  kind: "PoolParameterSet",
  pool: POOL,
  name,
  index: null,
  value
})

const swap = (token0: string, token1: string, amount0In: bigint, amount1Out: bigint) =>
  ({
    kind: "SwapExecuted",
    pool: POOL,
    venueKind: "dodo",
    sender: null,
    recipient: null,
    amount0In,
    amount0Out: 0n,
    amount1In: 0n,
    amount1Out,
    sqrtPriceX96: null,
    liquidity: null,
    tick: null,
    fee: null,
    token0,
    token1,
    index0: null,
    index1: null
  }) as const

// KyberNetwork/kyberswap-dex-lib, dodo/dsp/pool_simulator_test.go: Arbitrum's block 215792414.
const told = {
  lpFee: 80000000000000n,
  mtFee: 20000000000000n,
  i: 3723935145n,
  k: 100000000000000n,
  rState: 1n,
  baseTarget: 270192202826890n,
  quoteTarget: 1005850n,
  baseReserve: 33336489800302n,
  quoteReserve: 1888512n
}

const after = (...more: ReadonlyArray<EventMeaning>) =>
  [...Object.entries(told).map(([name, value]) => set(name, value)), ...more]
    .map(event => eventOf(event))
    .reduce(marketModel.fold, marketModel.initial(facts))

it("quotes to the wei of published swaps", () => {
  expect(marketModel.quote(after(), facts, 0, 1, 10n ** 16n)).toEqual({
    ok: true,
    amountIn: 10n ** 16n,
    amountOut: 1888321n
  })
  expect(marketModel.quote(after(), facts, 1, 0, 10n ** 7n)).toEqual({
    ok: true,
    amountIn: 10n ** 7n,
    amountOut: 33330403871110n
  })
  expect(marketModel.quote(after(), facts, 0, 1, 10n ** 17n)).toEqual({
    ok: false,
    reason: "no-liquidity"
  })
})

it("follows a swap that comes out as computed, and forgets the reserves at any other", () => {
  const state = after(set("rState", 2n), swap(WETH, USDT, 10n ** 16n, 1888321n))
  // Gross 1888509: the curve's; the maintainer's 37 of it leave too.
  expect(state.told).toMatchObject({
    rState: 2n,
    baseReserve: told.baseReserve + 10n ** 16n,
    quoteReserve: 1888512n - 1888321n - 37n
  })
  const unknown = { ok: false, reason: "unknown-state" }
  for (const event of [
    swap(WETH, USDT, 10n ** 16n, 1888320n),
    swap(`0x${"33".repeat(20)}`, USDT, 10n ** 16n, 1888321n),
    set("totalShares", 5n),
    set("lpFee", 5n)
  ]) {
    expect(marketModel.quote(after(event), facts, 0, 1, 10n ** 16n)).toEqual(unknown)
  }
})
