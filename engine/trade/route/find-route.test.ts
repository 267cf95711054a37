import { describe, expect, it } from "vitest"
import { stateOf } from "../../../test/support/law-swaps.ts"
import { rounds } from "../../../test/support/rounds.ts"
import { LISTED, marketOf, tradePoolOf } from "../../../test/support/route-markets.ts"
import { randomPair, randomRanges } from "../../../test/support/route-pools.ts"
import { type Random, random } from "../../../test/support/seed.ts"
import { type OraclePool, splitBound } from "../../../test/support/split-oracle.ts"
import { kindsUnderLaw } from "../../../test/support/venue-laws.ts"
import { quotePool, type TradePool } from "../pools/pool-market.ts"
import { findRoute } from "./find-route.ts"
import { gasOfLegs } from "./leg-gas.ts"
import { PoolCurves } from "./pool-curves.ts"
import type { Route, RouteOptions, RouteOrder } from "./route.ts"

type Found = Extract<Route, { ok: true }>

/**
 * Executes the legs one after the other by exact quotes, and holds the route to what comes of it.
 */
const executes = (route: Found, order: RouteOrder): void => {
  const held = new Map<string, bigint>([[order.tokenIn, route.amountIn]])
  const used = new Set<string>()
  for (const { pool, tokenIn, tokenOut, amountIn, amountOut } of route.legs) {
    expect(used.has(pool.pool), "a pool serves one leg").toBe(false)
    used.add(pool.pool)
    const quote = quotePool(pool, tokenIn, tokenOut, amountIn)
    expect(quote).toEqual({ ok: true, amountIn, amountOut })
    const left = (held.get(tokenIn) ?? 0n) - amountIn
    expect(left >= 0n, "a leg sells what is there").toBe(true)
    held.set(tokenIn, left)
    held.set(tokenOut, (held.get(tokenOut) ?? 0n) + amountOut)
  }
  const { tokenOut } = order
  expect(held.get(tokenOut)).toBe(route.amountOut)
  for (const [token, left] of held) if (token !== tokenOut) expect(left).toBe(0n)
  const percents = new Map<string, number>()
  for (const { tokenIn, percent } of route.legs)
    percents.set(tokenIn, (percents.get(tokenIn) ?? 0) + percent)
  for (const percent of percents.values()) expect(percent).toBe(100)
}

/** Legs of different gas, by the pool. */
const dearBy =
  (most: bigint) =>
  ({ pool }: TradePool): bigint =>
    most / BigInt(1 + (pool.charCodeAt(pool.length - 1) % 3))

const netOf = ({ legs, amountOut }: Found, { gas }: RouteOptions): bigint =>
  amountOut - (gas === null ? 0n : gasOfLegs(legs, gas.leg))

/** The best that one pool, or one and then another, leaves after gas; by asking all of them. */
const bestSingleNet = (
  pools: ReadonlyArray<TradePool>,
  { tokenIn, tokenOut, amount }: RouteOrder,
  { anchors, gas }: RouteOptions
): bigint | null => {
  const between = (a: string, b: string) =>
    pools.filter(({ facts }) => facts.tokens.includes(a) && facts.tokens.includes(b))
  const due = (...legs: ReadonlyArray<TradePool>) =>
    gas === null
      ? 0n
      : gasOfLegs(
          legs.map(pool => ({ pool })),
          gas.leg
        )
  const nets: Array<bigint> = []
  for (const pool of between(tokenIn, tokenOut)) {
    const quote = quotePool(pool, tokenIn, tokenOut, amount)
    if (quote.ok && quote.amountOut > 0n) nets.push(quote.amountOut - due(pool))
  }
  for (const anchor of anchors) {
    for (const first of between(tokenIn, anchor)) {
      const into = quotePool(first, tokenIn, anchor, amount)
      if (!into.ok || into.amountOut === 0n) continue
      for (const second of between(anchor, tokenOut)) {
        if (second.pool === first.pool) continue
        const out = quotePool(second, anchor, tokenOut, into.amountOut)
        if (!out.ok || out.amountOut === 0n || out.amountIn < into.amountOut) continue
        nets.push(out.amountOut - due(first, second))
      }
    }
  }
  return nets.reduce<bigint | null>((best, net) => (best === null || net > best ? net : best), null)
}

const withoutPools = (route: Route) => ({
  ...route,
  ...(route.ok && { legs: route.legs.map(leg => ({ ...leg, pool: leg.pool.pool })) })
})

/** A market of three tokens at prices of wide spread, with pairs and ranges between all. */
const randomMarket = (chance: Random): ReadonlyArray<OraclePool> => {
  const price = () => 10 ** (chance.next() * 12 - 6)
  const [inOut, inMiddle] = [price(), price()]
  const size = 10 ** (18 + chance.next() * 6)
  const sorted = [
    { token0: "in", token1: "out", size, price: inOut },
    { token0: "in", token1: "middle", size, price: inMiddle },
    { token0: "middle", token1: "out", size: size * inMiddle, price: inOut / inMiddle }
  ]
  return sorted.flatMap(pair =>
    Array.from({ length: chance.integer(0, 5) }, () =>
      (chance.boolean() ? randomPair : randomRanges)(chance, pair)
    )
  )
}

const options: RouteOptions = { anchors: ["middle"], gas: null, onlyDex: null }
const search = (pools: ReadonlyArray<TradePool>, order: RouteOrder, given = options): Route =>
  findRoute(marketOf(pools), order, given, new PoolCurves())

describe("a route over pairs and ranges", () => {
  it("comes within 1e-6 of what duality says is the most, and executes exactly", () => {
    const chance = random("route optimum")
    let found = 0
    for (let run = 0; run < rounds(150); run++) {
      const drawn = randomMarket(chance)
      const pools = drawn.map(tradePoolOf)
      const amount = BigInt(Math.ceil(10 ** (15 + chance.next() * 9)))
      const order: RouteOrder = { tokenIn: "in", tokenOut: "out", amount, exact: "in" }
      const route = search(pools, order)
      if (!route.ok) continue
      executes(route, order)
      if (route.amountIn < amount) continue
      found++
      const bound = splitBound(drawn, "in", "out", ["middle"], Number(amount))
      const reached = Number(route.amountOut) / bound
      expect(reached, `run ${run}: a bound is above all`).toBeLessThan(1 + 1e-9)
      expect(reached, `run ${run}: ${route.legs.length} legs`).toBeGreaterThan(1 - 1e-6)
    }
    expect(found).toBeGreaterThan(rounds(100))
  })

  it("buys what is asked for, selling 1e-6 more than needed at most", () => {
    const chance = random("route purchase")
    let found = 0
    for (let run = 0; run < rounds(100); run++) {
      const drawn = randomMarket(chance)
      const pools = drawn.map(tradePoolOf)
      const amount = BigInt(Math.ceil(10 ** (15 + chance.next() * 9)))
      const order: RouteOrder = { tokenIn: "in", tokenOut: "out", amount, exact: "in" }
      const sale = search(pools, order)
      if (!sale.ok || sale.amountIn < amount) continue
      const asked: RouteOrder = { ...order, amount: sale.amountOut, exact: "out" }
      const route = search(pools, asked)
      if (!route.ok) throw new Error(`run ${run}: ${route.reason}`)
      executes(route, asked)
      found++
      expect(route.amountOut >= sale.amountOut, `run ${run}`).toBe(true)
      const needed = Number(route.amountIn) / Number(amount)
      expect(needed, `run ${run}`).toBeLessThan(1 + 1e-6)
    }
    expect(found).toBeGreaterThan(rounds(60))
  })
})

const kinds = await kindsUnderLaw()

/** Pools of all kinds as their laws make them, between three tokens, some of them between all. */
const mixedPools = (chance: Random, count: number): ReadonlyArray<TradePool> =>
  Array.from({ length: count }, (_, number) => {
    const { kind, laws } = chance.pick(kinds)
    const one = laws.pool(chance)
    const id = `0x${number.toString(16).padStart(40, "0")}`
    const names = chance.shuffle([
      "in",
      "middle",
      "out",
      ...one.facts.tokens.map((_, i) => `t${i}`)
    ])
    const known = names.filter(name => ["in", "middle", "out"].includes(name))
    const tokens = one.facts.tokens.map((_, i) => known[i] ?? `t${i}`)
    const facts = { ...one.facts, pool: id, tokens }
    return { pool: id, dex: kind.kind, kind, facts, state: stateOf(kind, one), ...LISTED }
  })

describe("a route over pools of all kinds", () => {
  it("executes exactly and is never worse than the best single route", () => {
    const chance = random("route kinds")
    let [found, split] = [0, 0]
    for (let run = 0; run < rounds(200); run++) {
      const pools = mixedPools(chance, chance.integer(1, 9))
      const amount = chance.bits(chance.integer(1, 90)) + 1n
      const order: RouteOrder = { tokenIn: "in", tokenOut: "out", amount, exact: "in" }
      const further = chance.boolean() ? null : chance.bits(chance.integer(1, 60))
      const gas = further === null ? null : { base: 0n, leg: dearBy(further) }
      const given = { ...options, gas }
      const single = bestSingleNet(pools, order, given)
      const route = search(pools, order, given)
      if (single !== null) {
        if (!route.ok) throw new Error(`run ${run}: ${route.reason}`)
        found++
        const net = netOf(route, given)
        expect(net >= single, `run ${run}: ${net} of ${single}`).toBe(true)
      }
      if (route.ok) {
        executes(route, order)
        if (route.legs.length > 2) split++
      }
      const again = search(chance.shuffle(pools), order, given)
      expect(withoutPools(again), `run ${run}: shuffled`).toEqual(withoutPools(route))
    }
    expect(found).toBeGreaterThan(rounds(60))
    expect(split).toBeGreaterThan(0)
  })

  it("withstands amounts of all sizes", () => {
    const chance = random("route amounts")
    for (let run = 0; run < rounds(60); run++) {
      const pools = mixedPools(chance, 8)
      for (const amount of [
        0n,
        1n,
        2n,
        1n << 112n,
        (1n << 255n) - 1n,
        (1n << 256n) - 1n,
        1n << 256n
      ]) {
        for (const exact of ["in", "out"] as const) {
          const order: RouteOrder = { tokenIn: "in", tokenOut: "out", amount, exact }
          const route = search(pools, order)
          if (route.ok) executes(route, order)
          if (route.ok && exact === "out") expect(route.amountOut >= amount).toBe(true)
          if (amount === 0n || amount === 1n << 256n)
            expect(route).toEqual({ ok: false, reason: "bad-amount", lost: [] })
        }
      }
    }
  })
})
