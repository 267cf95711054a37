import { expect, it } from "vitest"
import { sqrtRatioAtTick } from "../../../src/math/concentrated/tick-math.ts"
import { readState } from "../../../test/support/read-state.ts"
import type { Event } from "../../event.ts"
import type { PoolFacts, StateAnswer, StateCall } from "../../venue.ts"
import { eventOf } from "../../venue-laws.ts"
import { type RangePoolState, simulate } from "../range-pool.ts"
import { slipstreamModel } from "./pool.ts"
import { slipstreamStateRead } from "./read.ts"

const POOL = `0x${"bb".repeat(20)}`
const facts: PoolFacts = {
  pool: POOL,
  tokens: ["0x1", "0x2"],
  fee: null,
  tickSpacing: 200,
  decimals: [18, 18]
}
const question = { facts, factory: null, known: slipstreamModel.initial(facts), time: 0 }
const L = 10n ** 18n

/** A pool at tick 0 with liquidity from tick -200 to 200. */
const answer =
  (fee: StateAnswer) =>
  (_to: string, { abi, args: [at = 0n] = [] }: StateCall): StateAnswer => {
    if (abi.includes("slot0")) return [sqrtRatioAtTick(0), 0n, 0n, 1n, 1n, 1n]
    if (abi.includes("liquidity()")) return [L]
    if (abi.includes("fee()")) return fee
    if (abi.includes("tickBitmap")) {
      if (at === 0n) return [2n]
      return [at === BigInt.asUintN(256, -1n) ? 1n << 255n : 0n]
    }
    return [L, BigInt.asUintN(256, at === 200n ? -L : L), 0n]
  }

const swapBy = (state: RangePoolState, fee: number): Event => {
  const order = { zeroForOne: true, exactIn: true, amount: 10n ** 15n }
  const outcome = simulate(state, fee, order)
  if (!outcome?.ok) throw new Error("no swap")
  return eventOf({
    kind: "SwapExecuted",
    pool: POOL,
    venueKind: "uniswap-v3",
    sender: null,
    recipient: null,
    amount0In: outcome.amountIn,
    amount0Out: 0n,
    amount1In: 0n,
    amount1Out: outcome.amountOut,
    sqrtPriceX96: outcome.sqrtPriceX96,
    liquidity: outcome.liquidity,
    tick: outcome.tick,
    fee: null,
    token0: null,
    token1: null,
    index0: null,
    index1: null
  })
}

it("quotes by the fee that was read until a swap pays another", async () => {
  const state = await readState(slipstreamStateRead, question, answer([500n]))
  if (state === null) throw new Error("no state")
  expect(state.fee).toBe(500)
  const sold = simulate(state, 500, { zeroForOne: true, exactIn: true, amount: 10n ** 15n })
  const quote = slipstreamModel.quote(state, facts, 0, 1, 10n ** 15n)
  expect(sold).toMatchObject(quote)
  const next = slipstreamModel.fold(state, swapBy(state, 500))
  expect(next).toMatchObject({ fee: 500, price: { liquidity: L } })
  const other = slipstreamModel.fold(next, swapBy(next, 600))
  expect(other.fee).toBeNull()
  const unknown = { ok: false, reason: "unknown-state" }
  expect(slipstreamModel.quote(other, facts, 0, 1, 10n ** 15n)).toEqual(unknown)
})

it("tells nothing without a fee, or with one that takes all", async () => {
  for (const fee of [null, [1_000_000n]]) {
    expect(await readState(slipstreamStateRead, question, answer(fee))).toBeNull()
  }
})
