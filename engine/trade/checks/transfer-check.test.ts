/** Trials of tokens on an Anvil, beside pools of the real Uniswap contracts. */
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openRouterMarket, type RouterMarket } from "../../../test/support/router-market.ts"
import { deployPairFactory, openPair } from "../../../test/support/router-pools.ts"
import { testContract } from "../../../test/support/test-pools.ts"
import { openChainNode } from "../chain-node.ts"
import type { TokenCheck } from "../token-check.ts"
import { SlotFinder } from "../token-slots.ts"
import { afterTax, beforeTax, buyTax, sellTax, taxOf } from "../transfer-taxes.ts"
import { openTokenChecks } from "./token-checks.ts"
import { checkTransfers } from "./transfer-check.ts"

type Hex = `0x${string}`

const ONE = 10n ** 18n
const NO_TAXES = { fromPool: 0, toTaker: 0, fromTaker: 0, toPool: 0 }
const RULES = { tax: 0, trap: 1, wait: 2 } as const

let market: RouterMarket
let pairs: Hex

beforeAll(async () => {
  market = await openRouterMarket()
  pairs = await deployPairFactory(market)
})
afterAll(() => market?.close())

/** A token of the test contracts with a pair beside it, which holds so much of it. */
const listed = async (name: string, held = 1000n * ONE) => {
  const { a, deploy, transact, owner } = market
  const contract = testContract(name)
  const token = await deploy(contract.code())
  await transact(token, contract.call("mint", owner, held))
  return { contract, token, pool: await openPair(market, pairs, [token, held], [a, 1000n * ONE]) }
}

const guarded = async (rule: keyof typeof RULES, perMillion = 0n) => {
  const { contract, token, pool } = await listed("TestGuardedToken")
  await market.transact(token, contract.call("guard", pool, RULES[rule], perMillion))
  return { token, pool }
}

const checked = ({ token, pool }: { readonly token: Hex; readonly pool: Hex }) =>
  Effect.gen(function* () {
    const node = yield* openChainNode([market.url])
    const place = { token, pool, router: market.router }
    return yield* checkTransfers(node, place, new SlotFinder(node))
  }).pipe(Effect.scoped, Effect.runPromise)

it("finds nothing of tokens that move as they should, also of such as answer nothing", async () => {
  for (const name of ["BareToken", "TestSilentToken"]) {
    expect(await checked(await listed(name))).toEqual({
      ...{ state: "moves", taxes: NO_TAXES }
    } satisfies TokenCheck)
  }
})

it("finds what a token takes of each transfer, or of those with its pool", async () => {
  expect(await checked(await listed("TestFeeToken"))).toEqual({
    state: "moves",
    taxes: { fromPool: 10_000, toTaker: 10_000, fromTaker: 10_000, toPool: 10_000 }
  } satisfies TokenCheck)
  expect(await checked(await guarded("tax", 37_500n))).toEqual({
    state: "moves",
    taxes: { ...NO_TAXES, fromPool: 37_500, toPool: 37_500 }
  } satisfies TokenCheck)
})

it("finds tokens that can be bought and not sold, by the token's own words", async () => {
  expect(await checked(await guarded("trap"))).toEqual({
    ...{ state: "refuses", on: "sell", reason: "only the owner sells" }
  } satisfies TokenCheck)
})

it("lets tokens pass that make a buyer wait for the next block", async () => {
  expect(await checked(await guarded("wait"))).toEqual({
    ...{ state: "moves", taxes: NO_TAXES }
  } satisfies TokenCheck)
})

it("says nothing of a token of which the pool has next to nothing", async () => {
  expect(await checked(await listed("BareToken", 10_000n))).toEqual({
    ...{ state: "unknown", reason: "the pool has too little of it" }
  } satisfies TokenCheck)
})

it("tries a token beside a pool once, and says what failed", () =>
  Effect.gen(function* () {
    const { token, pool } = yield* Effect.promise(() => listed("TestFeeToken"))
    const node = yield* openChainNode([market.url])
    let calls = 0
    const counted: typeof node = {
      ...node,
      call: (...call) => {
        calls++
        return node.call(...call)
      }
    }
    const checks = yield* openTokenChecks(counted, market.router)
    const both = yield* Effect.all([checks.check(token, pool), checks.check(token, pool)], {
      concurrency: "unbounded"
    })
    expect(both[1]).toBe(both[0])
    expect(yield* checks.check(token, pool)).toBe(both[0])
    expect(calls).toBe(2)
    const none = yield* openTokenChecks(yield* openChainNode([]), market.router)
    expect(yield* none.check(token, pool)).toEqual({
      ...{ state: "unknown", reason: "no endpoint is configured" }
    })
  }).pipe(Effect.scoped, Effect.runPromise))

it("tells taxes and what arrives in millionths, as tokens round", () => {
  expect([taxOf(1000n, 990n), taxOf(10n ** 20n, 10n ** 20n - 25n * 10n ** 15n)]).toEqual([
    10_000, 250
  ])
  expect(taxOf(5n, 7n)).toBe(0)
  expect([afterTax(999n, 10_000), afterTax(100n, 0), beforeTax(990n, 10_000)]).toEqual([
    990n,
    100n,
    1000n
  ])
  const taxes = { fromPool: 100_000, toTaker: 100_000, fromTaker: 0, toPool: 50_000 }
  expect([buyTax(taxes), sellTax(taxes)]).toEqual([1 - 0.9 * 0.9, 1 - 0.95])
})
