/**
 * Gas that swaps take on an Anvil, beside what is told of them: of one to eight legs of each kind
 * whose contracts are at hand, side by side and one after the other, in pools that have traded.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { sqrtRatioAtTick } from "../../../src/math/concentrated/tick-math.ts"
import { uniswapV3 } from "../../../streams/evm/uniswap-v3/venue.ts"
import type { PoolModel } from "../../../streams/venue.ts"
import { openRouterMarket, type RouterMarket } from "../../../test/support/router-market.ts"
import {
  deployPairFactory,
  deployRangeFactory,
  openPair,
  openRangePool,
  quoteFromLogs
} from "../../../test/support/router-pools.ts"
import { testContract } from "../../../test/support/test-pools.ts"
import { gasOf } from "./leg-gas.ts"
import { NATIVE, type RouterLeg, WHOLE } from "./router-call.ts"

type Hex = `0x${string}`
type Legs = ReadonlyArray<RouterLeg>
type Venue = Parameters<typeof quoteFromLogs>[1]

const ONE = 10n ** 18n
const MOST_LEGS = 8

let market: RouterMarket
beforeAll(async () => {
  market = await openRouterMarket()
})
afterAll(() => market?.close())

/** Told gas may be as much below what is used, and as much above it. */
const BELOW = 0.95
const ABOVE = 1.25

const expectTold = (told: number, used: number, what: string): void => {
  expect(told, `${what}: ${told} told, ${used} used`).toBeGreaterThan(used * BELOW)
  expect(told, `${what}: ${told} told, ${used} used`).toBeLessThan(used * ABOVE)
}

const toldOf = (legs: Legs, crossed = 0): number => {
  const tokens = new Set(legs.flatMap(({ tokenIn, tokenOut }) => [tokenIn, tokenOut]))
  const converts = (leg: RouterLeg) => leg.kind === "wrap" || leg.kind === "unwrap"
  // the native unit and the token that wraps it are one
  if (legs.some(converts)) tokens.delete(NATIVE)
  return gasOf(
    legs.map(({ kind }, i) => ({ kind, crossed: i === 0 ? crossed : 0 })),
    tokens.size
  )
}

/** The legs side by side, each with an equal part. */
const sideBySide = (legs: Legs): Legs =>
  legs.map((leg, i): RouterLeg => ({ ...leg, share: WHOLE / BigInt(legs.length - i) }))

const used = async (legs: Legs, amountIn: bigint, recipient: Hex = market.owner) => {
  const [{ tokenIn }, { tokenOut }] = [legs[0], legs.at(-1)] as [RouterLeg, RouterLeg]
  return (await market.execute(market.order({ tokenIn, tokenOut, amountIn, legs, recipient }))).gas
}

const expectSplits = async (all: Legs): Promise<void> => {
  // the first trade of a pool writes words that later ones change
  await used(sideBySide(all), ONE * BigInt(MOST_LEGS))
  for (let count = 1; count <= MOST_LEGS; count++) {
    const legs = sideBySide(all.slice(0, count))
    expectTold(toldOf(legs), await used(legs, ONE * BigInt(count)), `${count} legs`)
  }
}

const pairLeg = (pool: Hex, tokenIn: Hex, tokenOut: Hex): RouterLeg => {
  return { kind: "uniswap-v2", fee: 3000, pool, tokenIn, tokenOut, share: WHOLE }
}

it("tells what one to eight pairs of Uniswap V2 take", async () => {
  const { a, b } = market
  const legs: Array<RouterLeg> = []
  while (legs.length < MOST_LEGS) {
    const factory = await deployPairFactory(market)
    legs.push(pairLeg(await openPair(market, factory, [a, 1000n * ONE], [b, 3000n * ONE]), a, b))
  }
  await expectSplits(legs)
})

const rangeLeg = (factory: Hex, pool: Hex, tokenIn: Hex, tokenOut: Hex): RouterLeg => {
  return { kind: "uniswap-v3", fee: 3000, factory, pool, tokenIn, tokenOut, share: WHOLE }
}

it("tells what one to eight pools of Uniswap V3 take", async () => {
  const { a, b } = market
  const legs: Array<RouterLeg> = []
  while (legs.length < MOST_LEGS) {
    const factory = await deployRangeFactory(market, "uniswap")
    legs.push(rangeLeg(factory, await openRangePool(market, factory, [a, b], 3000, 10_000), a, b))
  }
  await expectSplits(legs)
})

it("tells what one to eight pools of Uniswap V4 take", async () => {
  const { a, b, poolManager, initialize, addLiquidity } = market
  const legs: Array<RouterLeg> = []
  for (let fee = 3000; legs.length < MOST_LEGS; fee++) {
    const key = { currency0: a, currency1: b, fee, tickSpacing: 60, hooks: NATIVE }
    await initialize(key, sqrtRatioAtTick(10_000))
    await addLiquidity(key, 9000, 11_040, 10n ** 21n)
    await addLiquidity(key, 3000, 18_000, 10n ** 21n)
    legs.push({
      ...{ kind: "uniswap-v4", fee, tickSpacing: 60, hooks: NATIVE, hookData: "0x" },
      ...{ pool: poolManager, tokenIn: a, tokenOut: b, share: WHOLE }
    })
  }
  await expectSplits(legs)
})

/** How many ticks a sale to a pool goes over, as its log tells. */
const crossedBy = async ({ pool, tokenIn }: RouterLeg, factory: Hex, amount: bigint) => {
  const { a, b } = market
  const counts: PoolModel<ReturnType<typeof uniswapV3.pool.initial>> = {
    ...uniswapV3.pool,
    quote: (...sale) => ({
      ...{ ok: true, amountIn: amount },
      amountOut: BigInt(uniswapV3.pool.crossed?.(...sale) ?? -1)
    })
  }
  const venue = {
    id: "uniswap_v3",
    kind: "uniswap-v3",
    factory: factory as Venue["factory"]
  }
  const facts = { pool, tokens: [a, b] as const, fee: 3000, tickSpacing: 60 }
  return Number(await quoteFromLogs(market, venue, counts, facts, tokenIn as Hex, amount))
}

it("tells what ticks add that a sale goes over", async () => {
  const { a, b, provider, transact } = market
  const factory = await deployRangeFactory(market, "uniswap")
  const pool = await openRangePool(market, factory, [a, b], 3000, 10_000)
  for (let step = 1; step <= 4; step++) {
    const [lower, upper] = [9960 - 60 * step, 9960 + 60 * step]
    const range = testContract("TestProvider").call("provide", pool, lower, upper, 10n ** 20n)
    await transact(provider, range)
  }
  const [there, back] = [rangeLeg(factory, pool, a, b), rangeLeg(factory, pool, b, a)]
  const met = new Set<number>()
  for (let round = 0; round < 6; round++) {
    for (const [leg, amount] of [
      [there, BigInt(4 * round + 1) * ONE],
      [back, BigInt(12 * round + 2) * ONE]
    ] as const) {
      const crossed = await crossedBy(leg, factory, amount)
      const gas = await used([leg], amount)
      // a tick that was never gone over costs more, once
      if (round < 3) continue
      met.add(crossed)
      expectTold(toldOf([leg], crossed), gas, `${crossed} ticks`)
    }
  }
  expect(Math.max(...met)).toBeGreaterThan(2)
})

it("tells what tokens between, conversions and a new taker add", async () => {
  const { a, b, c, six, weth } = market
  const factory = await deployPairFactory(market)
  const between = async (tokenIn: Hex, tokenOut: Hex): Promise<RouterLeg> => {
    const held = [tokenIn, 1000n * ONE] as const
    return pairLeg(
      await openPair(market, factory, held, [tokenOut, 1000n * ONE]),
      tokenIn,
      tokenOut
    )
  }
  const route = [await between(a, b), await between(b, c), await between(c, weth)]
  route.push(await between(weth, six))
  await used(route, ONE)
  for (let count = 1; count <= route.length; count++) {
    const legs = route.slice(0, count)
    expectTold(toldOf(legs), await used(legs, ONE), `${count} in a row`)
  }
  const whole = { pool: weth, share: WHOLE }
  const wrap: RouterLeg = { kind: "wrap", ...whole, tokenIn: NATIVE, tokenOut: weth }
  const unwrap: RouterLeg = { kind: "unwrap", ...whole, tokenIn: weth, tokenOut: NATIVE }
  const [, , toWeth] = route as [RouterLeg, RouterLeg, RouterLeg]
  const fromWeth = { ...toWeth, tokenIn: weth, tokenOut: c }
  for (const legs of [
    [wrap],
    [wrap, fromWeth],
    [toWeth, unwrap],
    [unwrap]
  ] as ReadonlyArray<Legs>) {
    const kinds = legs.map(({ kind }) => kind).join(", ")
    expectTold(toldOf(legs), await used(legs, ONE, market.victim), kinds)
  }
  const stranger: Hex = `0x${"5f".repeat(20)}`
  expectTold(toldOf([route[0] as RouterLeg]), await used(route.slice(0, 1), ONE, stranger), "new")
})
