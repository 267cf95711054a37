import { expect, it } from "vitest"
import type { Event } from "../../event.ts"
import type { PoolFacts } from "../../venue.ts"
import { type EventMeaning, eventOf } from "../../venue-laws.ts"
import type { poolAddress } from "../create2.ts"
import { swapMeaning } from "../range-pool-laws.ts"
import { algebraPoolModel, quoteExactOutput } from "./pool.ts"
import { algebra } from "./venue.ts"

const POOL = `0x${"ab".repeat(20)}`
const facts: PoolFacts = {
  pool: POOL,
  tokens: ["0x1", "0x2"],
  fee: null,
  tickSpacing: null,
  decimals: [18, 18]
}
const Q96 = 1n << 96n
const unknown = { ok: false, reason: "unknown-state" }

const told = (name: string, value: bigint, index: number | null = null): Event =>
  eventOf({ kind: "PoolParameterSet", pool: POOL, name, index, value })
const initialized = eventOf({
  kind: "PoolInitialized",
  pool: POOL,
  sqrtPriceX96: Q96,
  tick: 0
})
const mint: EventMeaning = {
  kind: "LiquidityChanged",
  pool: POOL,
  venueKind: "uniswap-v3",
  owner: null,
  sender: null,
  tickLower: -60_000,
  tickUpper: 60_000,
  liquidity: 10n ** 18n,
  amount0: 0n,
  amount1: 0n
}
const minted = eventOf(mint)
const swapped = (venueKind: string): Event =>
  eventOf(
    swapMeaning(
      {
        sender: POOL,
        recipient: POOL,
        amount0: 0n,
        amount1: 0n,
        sqrtPriceX96: Q96,
        liquidity: 10n ** 18n,
        tick: 0
      },
      POOL,
      venueKind
    )
  )
const after = (...events: ReadonlyArray<Event>) =>
  events.reduce(algebraPoolModel.fold, algebraPoolModel.initial(facts))
const sold = (events: ReadonlyArray<Event>, tokenIn = 0, amount = 1_000_000n) =>
  algebraPoolModel.quote(after(...events), facts, tokenIn, 1 - tokenIn, amount)

it("quotes at the fee last told, and not before one was", () => {
  expect(sold([initialized, minted])).toEqual(unknown)
  const history = [initialized, minted, told("fee", 500n), told("fee", 3000n)]
  expect(sold(history)).toEqual({ ok: true, amountIn: 1_000_000n, amountOut: 996_999n })
  expect(quoteExactOutput(after(...history), 0, 1, 996_999n)).toMatchObject({
    amountIn: 1_000_000n
  })
})

it("takes the fee of the direction where there are two", () => {
  const history = [initialized, minted, told("fee", 1000n, 0), told("fee", 3000n, 1)]
  expect(sold(history, 0)).toMatchObject({ amountOut: 998_999n })
  expect(sold(history, 1)).toMatchObject({ amountOut: 996_999n })
})

it("stops where the generation does, and says nothing where it matters which one", () => {
  const fee = told("fee", 100n)
  // each stop rounds, and a far way has rows of single ticks that rows of 60 do not have
  const far = (extra: ReadonlyArray<Event>) => sold([initialized, ...extra, minted], 0, 10n ** 19n)
  expect(far([fee, told("communityFee", 0n)])).toMatchObject({ amountOut: 909082643876716065n })
  expect(far([fee, told("tickSpacing", 10n)])).toMatchObject({ amountOut: 909082643876715972n })
  expect(far([fee])).toEqual(unknown)
  expect(sold([initialized, fee, minted])).toMatchObject({ ok: true })
})

it("knows V1.9 by ticks that V1 cannot have", () => {
  const odd = eventOf({ ...mint, tickLower: -60_001, tickUpper: 60_001 })
  const far = algebraPoolModel.quote(
    after(initialized, told("fee", 100n), odd),
    facts,
    0,
    1,
    10n ** 19n
  )
  expect(far).toMatchObject({ ok: true })
})

it("leaves swaps that a plugin may price to the plugin", () => {
  const integral = [initialized, told("pluginConfig", 1n), told("fee", 3000n), minted]
  expect(sold(integral)).toEqual(unknown)
  expect(sold([...integral, swapped("algebra")])).toEqual(unknown)
  // before 1.2, as the short Swap proves, a plugin sets the pool's fee and tells it
  expect(sold([...integral, swapped("uniswap-v3")])).toMatchObject({ amountOut: 996_999n })
  expect(sold([...integral, told("pluginConfig", 2n)])).toMatchObject({ amountOut: 996_999n })
})

it("goes by its own ticks, whatever spacing facts tell", () => {
  const spaced = { ...facts, tickSpacing: 200 }
  const state = [initialized, minted, told("fee", 3000n)].reduce(
    algebraPoolModel.fold,
    algebraPoolModel.initial(spaced)
  )
  expect(algebraPoolModel.quote(state, spaced, 0, 1, 1000n)).toMatchObject({ ok: true })
})

it("finds Camelot's pool of WETH and USDC on Arbitrum", () => {
  const venue = {
    id: "camelot_v3",
    kind: "algebra",
    factory: "0x1a3c9b1d2f0529d97f2afc5136cc23e58f1fd35b",
    deployer: "0x6dd3fb9653b10e806650f107c3b5a0a6ff974f65",
    initCodeHash: "0x6c1bebd370ba84753516bc1393c0d0a6c645856da55f5393ac8ab3d6dbc861d3"
  } as unknown as Parameters<typeof poolAddress>[0]
  const tokens = [
    "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
    "0x82af49447d8a07e3bd95bd0d56f35241523fbab1"
  ] as const
  expect(algebra.derivePools(venue, ...tokens)).toMatchObject([
    { pool: "0xb1026b8e7276e7ac75410f1fcbbe21796e8f7526", fee: null }
  ])
})
