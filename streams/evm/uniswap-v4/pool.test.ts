import { expect, it } from "vitest"
import type { Event } from "../../event.ts"
import type { PoolFacts } from "../../venue.ts"
import { type EventMeaning, eventOf } from "../../venue-laws.ts"
import { leavesSwapsAlone } from "./hooks.ts"
import { hookedPoolModel, quoteExactOutput, swapFee } from "./pool.ts"

const POOL = `0x${"dd".repeat(32)}`
const facts: PoolFacts = {
  pool: POOL,
  tokens: ["0x1", "0x2"],
  fee: 3000,
  tickSpacing: 60,
  decimals: [18, 18]
}
const Q96 = 1n << 96n
const LIQUIDITY = 10n ** 18n
const unknown = { ok: false, reason: "unknown-state" }

const parameter = (name: string, value: bigint): Event =>
  eventOf({ kind: "PoolParameterSet", pool: POOL, name, index: null, value })
const minted: EventMeaning = {
  kind: "LiquidityChanged",
  pool: POOL,
  venueKind: "uniswap-v4",
  owner: null,
  sender: null,
  tickLower: -60,
  tickUpper: 60,
  liquidity: LIQUIDITY,
  amount0: 0n,
  amount1: 0n
}
const initialized: EventMeaning = {
  kind: "PoolInitialized",
  pool: POOL,
  sqrtPriceX96: Q96,
  tick: 0
}
const history = [parameter("hooks", 0n), eventOf(initialized), eventOf(minted)]
const after = (...events: ReadonlyArray<Event>) =>
  events.reduce(hookedPoolModel.fold, hookedPoolModel.initial(facts))
const sold = (events: ReadonlyArray<Event>, tokenIn = 0, known = facts) =>
  hookedPoolModel.quote(after(...events), known, tokenIn, 1 - tokenIn, 1_000_000n)

it("quotes as V3 does where there is neither hook nor protocol fee", () => {
  expect(sold(history)).toEqual({ ok: true, amountIn: 1_000_000n, amountOut: 996_999n })
  expect(quoteExactOutput(after(...history), facts, 0, 1, 996_999n)).toEqual({
    ok: true,
    amountIn: 1_000_000n,
    amountOut: 996_999n
  })
})

it("takes the pool's fee of what the protocol's leaves, rounded up, each way for itself", () => {
  expect(swapFee(3000, 0, true)).toBe(3000)
  expect(swapFee(3000, 1000, true)).toBe(3997)
  expect(swapFee(3000, 1000, false)).toBe(3000)
  expect(swapFee(3000, 1000 << 12, false)).toBe(3997)
  expect(swapFee(3001, 50, true)).toBe(3051)
  expect(swapFee(1_000_000, 1000, true)).toBe(1_000_000)
  const both = [...history, parameter("protocolFee", (500n << 12n) | 1000n)]
  expect(sold(both, 0)).toMatchObject({ amountOut: 996_002n })
  expect(sold(both, 1)).toMatchObject({ amountOut: 996_500n })
})

it("buys nothing where all of the input is fee", () => {
  const all = { ...facts, fee: 1_000_000 }
  expect(sold(history, 0, all)).toEqual({ ok: true, amountIn: 1_000_000n, amountOut: 0n })
  expect(quoteExactOutput(after(...history), all, 0, 1, 1n)).toEqual({
    ok: false,
    reason: "no-liquidity"
  })
  expect(sold(history, 0, { ...facts, fee: 1_000_001 })).toEqual(unknown)
})

it("quotes nothing where the hooks contract takes part in swaps, or nobody told of it", () => {
  const someone = 0x1234n << 14n
  for (const bit of [2n, 3n, 6n, 7n]) expect(leavesSwapsAlone(someone | (1n << bit))).toBe(false)
  for (const bit of [0n, 1n, 4n, 5n, 8n, 9n, 10n, 11n, 12n, 13n])
    expect(leavesSwapsAlone(someone | (1n << bit))).toBe(true)
  const [, ...unhooked] = history
  expect(sold(unhooked)).toEqual(unknown)
  expect(sold([parameter("hooks", someone | 0x80n), ...unhooked])).toEqual(unknown)
  expect(sold([parameter("hooks", someone | 0x3000n), ...unhooked])).toMatchObject({ ok: true })
})

it("quotes nothing at a fee that the hooks contract sets", () => {
  expect(sold(history, 0, { ...facts, fee: null })).toEqual(unknown)
})

it("quotes nothing of a pool first seen in the middle of its life", () => {
  const [hooks, , mint] = history as [Event, Event, Event]
  expect(sold([hooks, mint])).toEqual(unknown)
})

it("refuses amounts beyond int128", () => {
  const huge = hookedPoolModel.quote(
    after(...history, eventOf({ ...minted, liquidity: 2n ** 127n, tickUpper: 887_220 })),
    facts,
    1,
    0,
    2n ** 200n
  )
  expect(huge).toEqual({ ok: false, reason: "too-large" })
})
