/**
 * Adapters of venues whose contracts are not at hand, on test pools of the same interface; and of
 * pools of Uniswap V3's shape that call back by another name, on its own contracts so renamed.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Event } from "../../../streams/event.ts"
import { solidlyModel } from "../../../streams/evm/solidly/pool.ts"
import { uniswapV3 } from "../../../streams/evm/uniswap-v3/venue.ts"
import { openRouterMarket, type RouterMarket } from "../../../test/support/router-market.ts"
import {
  deployRangeFactory,
  openRangePool,
  openTestPool,
  quoteFromLogs
} from "../../../test/support/router-pools.ts"
import { testContract } from "../../../test/support/test-pools.ts"
import type { Adapter } from "./adapters.ts"
import { NATIVE, type RouterLeg, WHOLE } from "./router-call.ts"

type Hex = `0x${string}`

const ONE = 10n ** 18n
const PRICE = 3n * ONE
/** Pools that Balancer's test vaults know. */
const V2_POOL: Hex = `0x${"1".padStart(64, "0")}`
const V3_POOL: Hex = "0x0000000000000000000000000000000000000001"

let market: RouterMarket
beforeAll(async () => {
  market = await openRouterMarket()
})
afterAll(() => market?.close())

/** What a test pool pays: its price, less three in a thousand of the input. */
const paid = (amount: bigint, sellsFirst: boolean): bigint => {
  const counted = (amount * 997n) / 1000n
  return sellsFirst ? (counted * PRICE) / ONE : (counted * ONE) / PRICE
}

const legOf = (adapter: Adapter, pool: Hex, tokenIn: Hex, tokenOut: Hex): RouterLeg => {
  return { ...adapter, pool, tokenIn, tokenOut, share: WHOLE }
}

/** Executes one leg of the whole input, and sees that the router and the pool are left with nothing. */
const trade = async (adapter: Adapter, pool: Hex, tokenIn: Hex, tokenOut: Hex) => {
  const { order, execute, balanceOf, allowance, router, victim } = market
  const legs = [legOf(adapter, pool, tokenIn, tokenOut)]
  const { received } = await execute(order({ tokenIn, tokenOut, legs, recipient: victim }))
  for (const token of [tokenIn, tokenOut]) {
    expect(await balanceOf(token, router)).toBe(0n)
    if (token !== NATIVE) expect(await allowance(token, router, pool)).toBe(0n)
  }
  return received
}

describe("pools that are paid first", () => {
  it.each(["TestBinPair", "TestDodoPool", "TestMaverickPool"] as const)(
    "trades a %s",
    async name => {
      const { a, b } = market
      const kinds = {
        TestBinPair: "liquidity-book",
        TestDodoPool: "dodo",
        TestMaverickPool: "maverick-v2"
      } as const
      const pool = await openTestPool(market, name, [a, b], PRICE)
      for (const sellsFirst of [true, false]) {
        const [tokenIn, tokenOut] = sellsFirst ? [a, b] : [b, a]
        const received = await trade({ kind: kinds[name], sellsFirst }, pool, tokenIn, tokenOut)
        expect(received).toBe(paid(ONE, sellsFirst))
      }
    }
  )

  it("trades Solidly's pair as quoted", async () => {
    const { a, b } = market
    const pool = await openTestPool(market, "TestSolidlyPair", [a, b])
    const facts = { pool, tokens: [a, b], fee: 3000, tickSpacing: null, decimals: [18, 18] }
    for (const tokenIn of [a, b]) {
      const tokenOut = tokenIn === a ? b : a
      const [reserve0, reserve1] = [
        await market.balanceOf(a, pool),
        await market.balanceOf(b, pool)
      ]
      const events = [
        { kind: "PoolParameterSet", pool, name: "stable", index: null, value: 0n },
        { kind: "PoolParameterSet", pool, name: "version", index: null, value: 2n },
        { kind: "ReservesSynced", pool, reserve0, reserve1 }
      ] as unknown as ReadonlyArray<Event>
      const start = solidlyModel.initial(facts)
      const state = events.reduce((one, event) => solidlyModel.fold(one, event), start)
      const place = tokenIn === a ? 0 : 1
      const quote = solidlyModel.quote(state, facts, place, 1 - place, ONE)
      expect(quote).toEqual({
        ...{ ok: true, amountIn: ONE },
        amountOut: await trade({ kind: "solidly" }, pool, tokenIn, tokenOut)
      })
    }
  })
})

describe("pools that take by allowance", () => {
  it.each(["curve-stable", "curve-crypto"] as const)("trades a pool of %s", async kind => {
    const { a, b } = market
    const pool = await openTestPool(market, "TestCurvePool", [a, b], PRICE)
    expect(await trade({ kind, from: 0, to: 1 }, pool, a, b)).toBe(paid(ONE, true))
    expect(await trade({ kind, from: 1, to: 0 }, pool, b, a)).toBe(paid(ONE, false))
    const withNative = await openTestPool(market, "TestCurvePool", [NATIVE, b], PRICE)
    expect(await trade({ kind, from: 0, to: 1 }, withNative, NATIVE, b)).toBe(paid(ONE, true))
    expect(await trade({ kind, from: 1, to: 0 }, withNative, b, NATIVE)).toBe(paid(ONE, false))
  })

  it("takes back what a pool leaves of its allowance, and gives back what it leaves", async () => {
    const { a, b, owner, balanceOf } = market
    const pool = await openTestPool(market, "TestModestCurvePool", [a, b], PRICE)
    const before = await balanceOf(a, owner)
    expect(await trade({ kind: "curve-stable", from: 0, to: 1 }, pool, a, b)).toBe(
      paid(ONE / 2n, true)
    )
    expect(before - (await balanceOf(a, owner))).toBe(ONE / 2n)
  })

  it("trades tokens that answer nothing", async () => {
    const { b, deploy, transact, owner, router, allowance } = market
    const silent = testContract("TestSilentToken")
    const token = await deploy(silent.code())
    await transact(token, silent.call("mint", owner, 10n ** 25n))
    await transact(token, silent.call("approve", router, 10n ** 25n))
    for (const name of ["TestModestCurvePool", "TestCurvePool"]) {
      const pool = await openTestPool(market, name, [token, b], PRICE)
      for (let i = 0; i < 2; i++)
        await trade({ kind: "curve-stable", from: 0, to: 1 }, pool, token, b)
      expect(await allowance(token, router, pool)).toBe(0n)
    }
  })

  it("trades Balancer V2's vault", async () => {
    const { a, b } = market
    const vault = await openTestPool(market, "TestBalancerV2Vault", [a, b], PRICE)
    const adapter = { kind: "balancer-v2", poolId: V2_POOL } as const
    expect(await trade(adapter, vault, a, b)).toBe(paid(ONE, true))
    expect(await trade(adapter, vault, b, a)).toBe(paid(ONE, false))
  })
})

describe("pools that call back", () => {
  it("trades Balancer V3's vault", async () => {
    const { a, b } = market
    const vault = await openTestPool(market, "TestBalancerV3Vault", [a, b], PRICE)
    const adapter = { kind: "balancer-v3", vaultPool: V3_POOL } as const
    expect(await trade(adapter, vault, a, b)).toBe(paid(ONE, true))
    expect(await trade(adapter, vault, b, a)).toBe(paid(ONE, false))
  })

  it.each([
    ["pancake", "pancakeswap-v3"],
    ["algebra", "algebra"],
    ["uniswap", "solidly-cl"]
  ] as const)("trades pools that call back as those of %s do", async (callback, kind) => {
    const { a, b, transact, provider } = market
    const maker = await deployRangeFactory(market, callback)
    const pool = await openRangePool(market, maker, [a, b], 3000, 900)
    // factories of other shapes are asked by their own functions
    await transact(provider, testContract("TestProvider").call("list", a, b, 60, pool))
    const adapter: Adapter =
      kind === "pancakeswap-v3"
        ? { kind, fee: 3000, factory: maker }
        : kind === "algebra"
          ? { kind, factory: provider }
          : { kind, tickSpacing: 60, factory: provider }
    type Venue = Parameters<typeof quoteFromLogs>[1]
    const venue = { id: "uniswap_v3", kind: "uniswap-v3", factory: maker as Venue["factory"] }
    const facts = { pool, tokens: [a, b] as const, fee: 3000, tickSpacing: 60 }
    for (const tokenIn of [a, b]) {
      const quoted = await quoteFromLogs(market, venue, uniswapV3.pool, facts, tokenIn, ONE)
      expect(await trade(adapter, pool, tokenIn, tokenIn === a ? b : a)).toBe(quoted)
    }
    const { order, tried } = market
    const legs = [legOf({ ...adapter, factory: provider } as Adapter, maker, a, b)]
    const told = await tried(order({ tokenIn: a, tokenOut: b, legs }))
    if (kind !== "pancakeswap-v3") expect(told).toBe(`unknownpool(${maker}, ${provider})`)
  })
})
