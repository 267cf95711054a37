/**
 * The gas limits of transactions on an Anvil: enough for what an estimate cannot know, which is
 * where the same transaction runs out of gas with the estimate of a wallet, or with what is told.
 */
import { createPublicClient, createTestClient, http } from "viem"
import { afterAll, beforeAll, expect, it } from "vitest"
import { sqrtRatioAtTick } from "../../../src/math/concentrated/tick-math.ts"
import { openRouterMarket, type RouterMarket } from "../../../test/support/router-market.ts"
import {
  deployPairFactory,
  deployRangeFactory,
  openPair,
  openRangePool
} from "../../../test/support/router-pools.ts"
import { testContract } from "../../../test/support/test-pools.ts"
import { gasLimitOf, gasOf } from "./leg-gas.ts"
import { NATIVE, type RouterLeg, routerCall, WHOLE } from "./router-call.ts"

type Hex = `0x${string}`

const ONE = 10n ** 18n
/** Nobody has anything at it. */
const STRANGER: Hex = `0x${"5f".repeat(20)}`

let market: RouterMarket
beforeAll(async () => {
  market = await openRouterMarket()
})
afterAll(() => market?.close())

const callOf = (leg: RouterLeg, amountIn: bigint, recipient: Hex) => {
  const { tokenIn, tokenOut } = leg
  return routerCall(market.order({ tokenIn, tokenOut, amountIn, legs: [leg], recipient }), null)
}

const toldOf = ({ kind }: RouterLeg): bigint => BigInt(gasOf([{ kind, crossed: 0 }], 2))
const limitOf = (leg: RouterLeg): bigint => gasLimitOf(toldOf(leg), { kinds: [leg.kind], taxed: 0 })

/** What a wallet estimates: the least limit with which it ends well now. */
const estimateOf = (data: Hex, value: bigint): Promise<bigint> => {
  const client = createPublicClient({ transport: http(market.url) })
  return client.estimateGas({ account: market.owner, to: market.router, data, value })
}

/** Sends the same call with each limit, all in one block, the first calls before them. */
const endsOf = async (
  leg: RouterLeg,
  amountIn: bigint,
  limits: ReadonlyArray<bigint>,
  movers: ReadonlyArray<bigint> = []
) => {
  const { router, send, receipts } = market
  for (const amount of movers) await send(router, callOf(leg, amount, market.owner).data)
  const { data } = callOf(leg, amountIn, STRANGER)
  for (const gas of limits) await send(router, data, Number(gas))
  return (await receipts()).slice(movers.length).map(({ status }) => status === "0x1")
}

const pairLeg = async (): Promise<RouterLeg> => {
  const { a, b } = market
  const factory = await deployPairFactory(market)
  const pool = await openPair(market, factory, [a, 1000n * ONE], [b, 3000n * ONE])
  return { kind: "uniswap-v2", fee: 3000, pool, tokenIn: a, tokenOut: b, share: WHOLE }
}

/** The tick that pools begin at, and ticks below it that nobody has crossed. */
const TICK = 10_000
const BELOW = [9420, 9540] as const

const rangeLeg = async (): Promise<RouterLeg> => {
  const { a, b, provider, transact } = market
  const factory = await deployRangeFactory(market, "uniswap")
  const pool = await openRangePool(market, factory, [a, b], 3000, TICK)
  for (const lower of BELOW) {
    const range = testContract("TestProvider").call("provide", pool, lower, lower + 60, ONE)
    await transact(provider, range)
  }
  return { kind: "uniswap-v3", fee: 3000, factory, pool, tokenIn: a, tokenOut: b, share: WHOLE }
}

/** Of the next pool of Uniswap V4, since no two of its pools have one key. */
let nextFee = 3000

const managedLeg = async (): Promise<RouterLeg> => {
  const { a, b, poolManager, initialize, addLiquidity } = market
  const key = { currency0: a, currency1: b, fee: nextFee++, tickSpacing: 60, hooks: NATIVE }
  await initialize(key, sqrtRatioAtTick(TICK))
  await addLiquidity(key, 9360, 10_560, 10n ** 21n)
  await addLiquidity(key, 3960, 15_960, 10n ** 21n)
  for (const lower of BELOW) await addLiquidity(key, lower, lower + 60, ONE)
  const { fee, tickSpacing, hooks } = key
  return {
    ...{ kind: "uniswap-v4", fee, tickSpacing, hooks, hookData: "0x", pool: poolManager },
    ...{ tokenIn: a, tokenOut: b, share: WHOLE }
  }
}

it("is enough for the first trade of a pool, paid to whoever had none of the token", async () => {
  const clock = createTestClient({ mode: "anvil", transport: http(market.url) })
  for (const open of [pairLeg, rangeLeg, managedLeg]) {
    const leg = await open()
    // pairs write their sums over time in a later second alone
    await clock.increaseTime({ seconds: 5 })
    expect([leg.kind, ...(await endsOf(leg, ONE, [toldOf(leg), limitOf(leg)]))]).toEqual([
      ...[leg.kind, false, true]
    ])
  }
})

it("is enough where the pool moves over five ticks more before the block", async () => {
  const amount = 20n * ONE
  for (const open of [rangeLeg, managedLeg]) {
    const leg = await open()
    const { data, value } = callOf(leg, amount, STRANGER)
    const estimate = await estimateOf(data, value)
    expect([leg.kind, ...(await endsOf(leg, amount, [estimate, limitOf(leg)], [amount]))]).toEqual([
      ...[leg.kind, false, true]
    ])
  }
})

it("grows with what is told, with legs over ticks, and with tokens that take a fee", () => {
  expect(gasLimitOf(151_501n, { kinds: ["uniswap-v2"], taxed: 0 })).toBe(272_252n)
  expect(gasLimitOf(151_501n, { kinds: ["uniswap-v2"], taxed: 1 })).toBe(522_252n)
  expect(gasLimitOf(300_000n, { kinds: ["wrap", "uniswap-v3", "liquidity-book"], taxed: 0 })).toBe(
    450_000n + 150_000n + 75_000n
  )
})
