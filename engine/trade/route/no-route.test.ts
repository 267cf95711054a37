import { expect, it } from "vitest"
import { rounds } from "../../../test/support/rounds.ts"
import { kindOf, LISTED, marketOf } from "../../../test/support/route-markets.ts"
import { random } from "../../../test/support/seed.ts"
import type { TradePool } from "../pools/pool-market.ts"
import { findRoute } from "./find-route.ts"
import { PoolCurves } from "./pool-curves.ts"
import type { RouteOptions } from "./route.ts"

const pair = (
  number: number,
  tokens: readonly [string, string],
  reserves: readonly [bigint, bigint] | null,
  dex = "pairs_v2"
): TradePool => {
  const pool = `0x${number}`
  const facts = { pool, tokens, fee: 3000, tickSpacing: null, decimals: [18, 18] }
  return { pool, dex, kind: kindOf("uniswap-v2"), facts, state: { pool, reserves }, ...LISTED }
}

const search = (
  pools: ReadonlyArray<TradePool>,
  amount: bigint,
  options: Partial<RouteOptions> = {},
  exact: "in" | "out" = "in"
) =>
  findRoute(
    marketOf(pools),
    { tokenIn: "a", tokenOut: "z", amount, exact },
    { anchors: ["m", "n"], gas: null, onlyDex: null, ...options },
    new PoolCurves()
  )

const legsOf = (route: ReturnType<typeof search>) =>
  route.ok
    ? route.legs.map(({ pool, amountIn, amountOut }) => [pool.pool, amountIn, amountOut])
    : []

const E9 = 10n ** 9n

it("says why there is no route, and of which venue", () => {
  expect(search([], 1n)).toEqual({ ok: false, reason: "no-pool", lost: [] })
  // pools of a path that ends nowhere lost nothing
  expect(search([pair(3, ["a", "m"], [E9, E9])], 1n)).toEqual({
    ...{ ok: false, reason: "no-pool", lost: [] }
  })
  const lost = { pool: "0x1", dex: "pairs_v2", tokenIn: "a", tokenOut: "z" }
  expect(search([pair(1, ["a", "z"], null)], 1n)).toEqual({
    ok: false,
    reason: "unknown-state",
    lost: [{ ...lost, lost: "unknown-state" }]
  })
  expect(search([pair(1, ["a", "z"], [0n, 0n])], 1n)).toMatchObject({ reason: "no-liquidity" })
  expect(search([pair(1, ["a", "z"], [E9, 1n])], 1n)).toMatchObject({
    ok: false,
    reason: "amount-too-small"
  })
  expect(search([pair(1, ["a", "z"], [E9, E9])], E9, {}, "out")).toMatchObject({ ok: false })
})

it("says that too little is sold where a hop buys nothing that the next one could sell", () => {
  const pools = [
    pair(1, ["a", "m"], [E9 * E9, E9]),
    pair(2, ["a", "m"], [E9 * E9, 2n * E9]),
    pair(3, ["m", "z"], [E9, E9])
  ]
  const lost = { dex: "pairs_v2", tokenIn: "a", tokenOut: "m", lost: "amount-too-small" }
  const reason = "amount-too-small"
  expect(search(pools, 1000n)).toEqual({
    ...{ ok: false, reason },
    lost: ["0x2", "0x1"].map(pool => ({ pool, ...lost }))
  })
})

it("takes a token's whole input in percents, and the shares of what was bought", () => {
  const pools = [
    pair(1, ["a", "z"], [E9, E9]),
    pair(2, ["a", "z"], [3n * E9, 3n * E9]),
    pair(3, ["a", "m"], [E9, E9]),
    pair(4, ["m", "z"], [E9, E9])
  ]
  const route = search(pools, E9)
  expect(
    route.ok && route.legs.map(({ pool, percent, takesShare }) => [pool.pool, percent, takesShare])
  ).toEqual([
    ["0x1", 22, false],
    ["0x2", 67, false],
    ["0x3", 11, false],
    ["0x4", 100, true]
  ])
  // The two-hop path has half the depth of a pair and twice the fee.
  expect(route.ok && route.priceBefore).toBeCloseTo(0.997, 12)
})

it("leaves out what adds less than its gas, and other venues than the only one", () => {
  const pools = [
    pair(1, ["a", "z"], [E9, E9]),
    pair(2, ["a", "z"], [E9, E9], "other_v2"),
    pair(3, ["a", "m"], [E9, E9]),
    pair(4, ["m", "z"], [E9, E9])
  ]
  const one = [["0x1", 1_000_000n, 996_006n]]
  // Halves buy 498 more.
  expect(legsOf(search(pools, 1_000_000n, { gas: { base: 9n, leg: () => 600n } }))).toEqual(one)
  expect(search(pools, 1_000_000n, { gas: { base: 9n, leg: () => 400n } })).toMatchObject({
    gasCost: 809n,
    amountOut: 996_502n
  })
  expect(legsOf(search(pools, 1_000_000n, { onlyDex: "pairs_v2", maxHops: 1 }))).toEqual(one)
})

it("goes through two anchors where it is told that it may", () => {
  const pools = [
    pair(1, ["a", "m"], [E9, E9]),
    pair(2, ["m", "n"], [E9, E9]),
    pair(3, ["n", "z"], [E9, E9])
  ]
  expect(search(pools, 1_000_000n)).toMatchObject({ ok: false, reason: "no-pool" })
  expect(legsOf(search(pools, 1_000_000n, { maxHops: 3 }))).toEqual([
    ["0x1", 1_000_000n, 996_006n],
    ["0x2", 996_006n, 992_032n],
    ["0x3", 992_032n, 988_078n]
  ])
})

it("sells all of an order that pairs take, however few units lie between its hops", () => {
  const chance = random("whole sale")
  const reserve = (): bigint => BigInt(Math.ceil(10 ** (9 + chance.next() * 12)))
  for (let run = 0; run < rounds(400); run++) {
    const reserves = (): readonly [bigint, bigint] => [reserve(), reserve()]
    const hops = [
      [1, 2].map(number => pair(number, ["a", "m"], reserves())),
      [3, 4].map(number => pair(number, ["m", "z"], reserves()))
    ]
    const amount = BigInt(Math.ceil(10 ** (5 + chance.next() * 14)))
    const route = search(hops.flat(), amount)
    if (!route.ok) expect(route.reason, `run ${run}`).toBe("amount-too-small")
    else expect(route.amountIn, `run ${run}`).toBe(amount)
  }
})
