/** Swaps through the real Uniswap contracts: outputs to the wei of our own quotes, and refusals. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sqrtRatioAtTick } from "../../../src/math/concentrated/tick-math.ts"
import { uniswapV2 } from "../../../streams/evm/uniswap-v2/venue.ts"
import { uniswapV3 } from "../../../streams/evm/uniswap-v3/venue.ts"
import { uniswapV4 } from "../../../streams/evm/uniswap-v4/venue.ts"
import { openRouterMarket, type RouterMarket } from "../../../test/support/router-market.ts"
import {
  deployPairFactory,
  deployRangeFactory,
  openPair,
  openRangePool,
  quoteFromLogs
} from "../../../test/support/router-pools.ts"
import { random } from "../../../test/support/seed.ts"
import { testContract } from "../../../test/support/test-pools.ts"
import { poolIdOf } from "../../../test/support/v4-market.ts"
import { NATIVE, type RouterLeg, WHOLE } from "./router-call.ts"

type Hex = `0x${string}`

const ONE = 10n ** 18n

let market: RouterMarket
let pairs: Hex
let ranges: Hex
let pairAB: Hex
let pairBSix: Hex
let rangeAB: Hex
let rangeBC: Hex
let rangeAWeth: Hex
let nativeKey: Parameters<RouterMarket["initialize"]>[0]

beforeAll(async () => {
  market = await openRouterMarket()
  const { a, b, c, six, weth, initialize, addLiquidity } = market
  pairs = await deployPairFactory(market)
  ranges = await deployRangeFactory(market, "uniswap")
  pairAB = await openPair(market, pairs, [a, 1000n * ONE], [b, 3000n * ONE])
  pairBSix = await openPair(market, pairs, [b, 1000n * ONE], [six, 2_000_000n * 10n ** 6n])
  rangeAB = await openRangePool(market, ranges, [a, b], 3000, 10_000)
  rangeBC = await openRangePool(market, ranges, [b, c], 500, -5000)
  rangeAWeth = await openRangePool(market, ranges, [a, weth], 3000, 120)
  nativeKey = { currency0: NATIVE, currency1: b, fee: 3000, tickSpacing: 60, hooks: NATIVE }
  await initialize(nativeKey, sqrtRatioAtTick(300))
  await addLiquidity(nativeKey, -6000, 6000, 10n ** 21n, 500n * ONE)
  const key = { ...nativeKey, currency0: a }
  await initialize(key, sqrtRatioAtTick(-300))
  await addLiquidity(key, -6000, 6000, 10n ** 21n)
})
afterAll(() => market?.close())

const address = (of: Hex) => of as Parameters<typeof quoteFromLogs>[1]["factory"]

const quotes = {
  pair: (pool: Hex, tokens: readonly [Hex, Hex], tokenIn: Hex, amount: bigint) => {
    const venue = { id: "uniswap_v2", kind: "uniswap-v2", factory: address(pairs) }
    const facts = { pool, tokens, fee: 3000, tickSpacing: null }
    return quoteFromLogs(market, venue, uniswapV2.pool, facts, tokenIn, amount)
  },
  range: (pool: Hex, tokens: readonly [Hex, Hex], fee: number, tokenIn: Hex, amount: bigint) => {
    const venue = { id: "uniswap_v3", kind: "uniswap-v3", factory: address(ranges) }
    const facts = { pool, tokens, fee, tickSpacing: fee === 500 ? 10 : 60 }
    return quoteFromLogs(market, venue, uniswapV3.pool, facts, tokenIn, amount)
  },
  managed: (key: typeof nativeKey, tokenIn: Hex, amount: bigint) => {
    const venue = { id: "uniswap_v4", kind: "uniswap-v4", factory: address(market.poolManager) }
    const tokens = [key.currency0, key.currency1] as const
    const facts = { pool: poolIdOf(key), tokens, fee: key.fee, tickSpacing: key.tickSpacing }
    return quoteFromLogs(market, venue, uniswapV4.pool, facts, tokenIn, amount)
  }
}

const whole = { share: WHOLE }

const pairLeg = (pool: Hex, tokenIn: Hex, tokenOut: Hex): RouterLeg => {
  return { kind: "uniswap-v2", fee: 3000, pool, tokenIn, tokenOut, ...whole }
}
const rangeLeg = (pool: Hex, tokenIn: Hex, tokenOut: Hex, fee: number): RouterLeg => {
  return { kind: "uniswap-v3", fee, factory: ranges, pool, tokenIn, tokenOut, ...whole }
}
const managedLeg = (tokenIn: Hex, tokenOut: Hex): RouterLeg => ({
  ...{ kind: "uniswap-v4", fee: 3000, tickSpacing: 60, hooks: NATIVE, hookData: "0x" },
  ...{ pool: market.poolManager, tokenIn, tokenOut, ...whole }
})
const wrapLeg = (): RouterLeg => {
  const { weth } = market
  return { kind: "wrap", pool: weth, tokenIn: NATIVE, tokenOut: weth, ...whole }
}
const unwrapLeg = (): RouterLeg => {
  const { weth } = market
  return { kind: "unwrap", pool: weth, tokenIn: weth, tokenOut: NATIVE, ...whole }
}

/** Nothing stays with the router, and nobody may take anything from it. */
const expectEmpty = async () => {
  const { a, b, c, six, weth, router, balanceOf } = market
  for (const token of [a, b, c, six, weth, NATIVE]) {
    expect(await balanceOf(token, router)).toBe(0n)
  }
}

describe("swaps", () => {
  it("trades a Uniswap V2 pair as quoted, in both directions", async () => {
    const { a, b, order, execute } = market
    for (const [tokenIn, tokenOut] of [[a, b] as const, [b, a] as const]) {
      const quoted = await quotes.pair(pairAB, [a, b], tokenIn, ONE)
      const legs = [pairLeg(pairAB, tokenIn, tokenOut)]
      const { received, told } = await execute(
        order({ tokenIn, tokenOut, legs, minimumOut: quoted })
      )
      expect([received, told]).toEqual([quoted, quoted])
      await expectEmpty()
    }
  })

  it("trades a Uniswap V3 pool as quoted, across ticks", async () => {
    const { a, b, order, execute } = market
    for (const [tokenIn, tokenOut] of [[a, b] as const, [b, a] as const]) {
      const amountIn = 40n * ONE
      const quoted = await quotes.range(rangeAB, [a, b], 3000, tokenIn, amountIn)
      const legs = [rangeLeg(rangeAB, tokenIn, tokenOut, 3000)]
      const { received } = await execute(order({ tokenIn, tokenOut, amountIn, legs }))
      expect(received).toBe(quoted)
      await expectEmpty()
    }
  })

  it("trades a Uniswap V4 pool as quoted, of tokens and of the native unit", async () => {
    const { a, b, order, execute } = market
    const key = { ...nativeKey, currency0: a }
    const trades = [
      [key, a, b],
      [key, b, a],
      [nativeKey, NATIVE, b],
      [nativeKey, b, NATIVE]
    ] as const
    for (const [of, tokenIn, tokenOut] of trades) {
      const quoted = await quotes.managed(of, tokenIn, ONE)
      const recipient = market.victim
      const legs = [managedLeg(tokenIn, tokenOut)]
      const { received } = await execute(order({ tokenIn, tokenOut, legs, recipient }))
      expect(received).toBe(quoted)
      await expectEmpty()
    }
  })

  it("splits an order over pools, by share and by amount", async () => {
    const { a, b, order, execute } = market
    const amountIn = 10n * ONE + 7n
    const share = 6n * 10n ** 17n
    const first = (amountIn * share) / WHOLE
    const expected =
      (await quotes.pair(pairAB, [a, b], a, first)) +
      (await quotes.range(rangeAB, [a, b], 3000, a, amountIn - first))
    const legs = [
      { ...pairLeg(pairAB, a, b), share },
      rangeLeg(rangeAB, a, b, 3000)
    ] as ReadonlyArray<RouterLeg>
    const { received } = await execute(order({ tokenIn: a, tokenOut: b, amountIn, legs }))
    expect(received).toBe(expected)
    const again =
      (await quotes.pair(pairAB, [a, b], a, first)) +
      (await quotes.range(rangeAB, [a, b], 3000, a, amountIn - first))
    const exact = legs.map(({ share: _, ...leg }: RouterLeg & { share?: bigint }, i) => ({
      ...leg,
      amount: i === 0 ? first : amountIn - first
    })) as ReadonlyArray<RouterLeg>
    const told = await execute(order({ tokenIn: a, tokenOut: b, amountIn, legs: exact }))
    expect(told.received).toBe(again)
    await expectEmpty()
  })

  it("trades through two pools, and a token of six decimals", async () => {
    const { a, b, c, six, order, execute } = market
    const between = await quotes.pair(pairAB, [a, b], a, ONE)
    const quoted = await quotes.range(rangeBC, [b, c], 500, b, between)
    const legs = [pairLeg(pairAB, a, b), rangeLeg(rangeBC, b, c, 500)]
    expect((await execute(order({ tokenIn: a, tokenOut: c, legs }))).received).toBe(quoted)
    const dollars = await quotes.pair(pairBSix, [b, six], b, ONE)
    const sold = order({ tokenIn: b, tokenOut: six, legs: [pairLeg(pairBSix, b, six)] })
    expect((await execute(sold)).received).toBe(dollars)
    const amountIn = 1_500_001n
    const bought = await quotes.pair(pairBSix, [b, six], six, amountIn)
    const back = order({ tokenIn: six, tokenOut: b, amountIn, legs: [pairLeg(pairBSix, six, b)] })
    expect((await execute(back)).received).toBe(bought)
    await expectEmpty()
  })

  it("takes and gives the native unit through its wrapped token", async () => {
    const { a, weth, order, execute, victim } = market
    const quoted = await quotes.range(rangeAWeth, [a, weth], 3000, weth, ONE)
    const legs = [wrapLeg(), rangeLeg(rangeAWeth, weth, a, 3000)]
    expect((await execute(order({ tokenIn: NATIVE, tokenOut: a, legs }))).received).toBe(quoted)
    const back = await quotes.range(rangeAWeth, [a, weth], 3000, a, ONE)
    const out = order({
      ...{ tokenIn: a, tokenOut: NATIVE, recipient: victim },
      legs: [rangeLeg(rangeAWeth, a, weth, 3000), unwrapLeg()]
    })
    expect((await execute(out)).received).toBe(back)
    await expectEmpty()
  })

  it("gives back what no pool took, to the caller", async () => {
    const { a, b, weth, owner, order, execute, balanceOf, victim } = market
    const before = await balanceOf(a, owner)
    const recipient = victim
    const half = { ...pairLeg(pairAB, a, b), share: WHOLE / 4n } as RouterLeg
    await execute(order({ tokenIn: a, tokenOut: b, amountIn: 4n * ONE, legs: [half], recipient }))
    expect(await balanceOf(a, owner)).toBe(before - ONE)
    // the pool has not as much: it takes what it can
    const wethBefore = await balanceOf(weth, owner)
    const legs = [wrapLeg(), rangeLeg(rangeAWeth, weth, a, 3000)]
    const amountIn = 900n * ONE
    await execute(order({ tokenIn: NATIVE, tokenOut: a, amountIn, legs, recipient }))
    expect(await balanceOf(weth, owner)).toBeGreaterThan(wethBefore)
    await expectEmpty()
  })

  it("trades tokens that take a fee, by what arrives", async () => {
    const { a, deploy, transact, owner, order, execute, tried, router, balanceOf } = market
    const fee = testContract("TestFeeToken")
    const token = await deploy(fee.code())
    await transact(token, fee.call("mint", owner, 10_000n * ONE))
    await transact(token, fee.call("approve", router, 10_000n * ONE))
    const pair = await openPair(market, pairs, [token, 1000n * ONE], [a, 1000n * ONE])
    const arrives = (ONE * 99n * 99n) / 10_000n
    const quoted = await quotes.pair(pair, [token, a], token, arrives)
    const sold = order({ tokenIn: token, tokenOut: a, legs: [pairLeg(pair, token, a)] })
    expect((await execute(sold)).received).toBe(quoted)
    const bought = order({ tokenIn: a, tokenOut: token, legs: [pairLeg(pair, a, token)] })
    const out = await quotes.pair(pair, [token, a], a, ONE)
    const first = out - out / 100n
    const received = first - first / 100n
    expect(await tried({ ...bought, minimumOut: received })).toBe(received)
    expect(await tried({ ...bought, minimumOut: received + 1n })).toBe(
      `toolittlereceived(${received}, ${received + 1n})`
    )
    expect(await balanceOf(token, router)).toBe(0n)
  })

  it("quotes as it executes, whatever is sold", async () => {
    const { a, b, order, execute } = market
    const chance = random("router swaps")
    for (let i = 0; i < 12; i++) {
      const [tokenIn, tokenOut] = chance.boolean() ? [a, b] : [b, a]
      const amountIn = chance.bits(chance.integer(8, 66)) + 1000n
      const key = { ...nativeKey, currency0: a }
      const kind = chance.pick(["pair", "range", "managed"] as const)
      const [quoted, leg] = await {
        pair: async () =>
          [
            await quotes.pair(pairAB, [a, b], tokenIn, amountIn),
            pairLeg(pairAB, tokenIn, tokenOut)
          ] as const,
        range: async () =>
          [
            await quotes.range(rangeAB, [a, b], 3000, tokenIn, amountIn),
            rangeLeg(rangeAB, tokenIn, tokenOut, 3000)
          ] as const,
        managed: async () =>
          [await quotes.managed(key, tokenIn, amountIn), managedLeg(tokenIn, tokenOut)] as const
      }[kind]()
      const { received } = await execute(order({ tokenIn, tokenOut, amountIn, legs: [leg] }))
      expect([kind, received]).toEqual([kind, quoted])
    }
    await expectEmpty()
  })
})
