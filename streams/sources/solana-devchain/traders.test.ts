/** Some hundred slots of a seed: what wallets do in them, and that no vault contradicts it. */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { beforeAll, expect, it } from "vitest"
import { decoded } from "../../../test/support/solana-bank.ts"
import { checkedOf } from "../../../test/support/solana-checked.ts"
import type { Swap } from "../../solana/swap.ts"
import { CPMM } from "./addresses.ts"
import { Bank, type Block } from "./bank.ts"
import { makeGenesis } from "./genesis.ts"
import { makeMarket } from "./market.ts"
import { fairPricesOf } from "./moment.ts"
import { startNode } from "./node.ts"
import { planSlot } from "./traders.ts"

const SLOT_MS = 400
const PLAN = { users: 12, pooled: 3, curves: 2, port: 0, slotMs: SLOT_MS }
const START_MS = 1_790_000_000_000

const TAGS = {
  created: "1b72a94ddeeb6376",
  complete: "5f72619cd42e9808",
  migrated: "bde95db95c94ea94",
  pool: "b1310cd2a076a774",
  liquidity: "79a3cdc939da753c"
}

/** The blocks of a seed's first slots; some of the newest may be taken back by a fork on the way. */
const blocksOf = (seed: string, slots: number, fork: { at: number; depth: number } | null = null) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START_MS)
    const node = yield* startNode({ ...PLAN, seed })
    const blocks = () => node.bank.slots(0, Number.MAX_SAFE_INTEGER).map(one => node.bank.at(one))
    for (let i = 0; i < slots; i++) {
      if (i === fork?.at) expect(node.bank.fork(fork.depth)).toBe(true)
      yield* TestClock.adjust(SLOT_MS)
      yield* node.step
    }
    return blocks().filter((one): one is Block => one !== null)
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.runPromise)

let blocks: ReadonlyArray<Block>
beforeAll(async () => {
  blocks = await blocksOf("f", 180)
})

/** How often an event was told, by log. */
const told = (tag: string): number => {
  const begin = Buffer.from(tag, "hex").toString("base64").slice(0, 10)
  return blocks
    .flatMap(({ transactions }) => transactions.flatMap(({ meta }) => meta.logMessages))
    .filter(line => line.startsWith(`Program data: ${begin}`)).length
}

/** Of who buys in the slot in which another bought the last of a curve. */
const LATE = '{"InstructionError":[0,{"Custom":6005}]}'

/** Why transactions failed, each reason once. */
const failuresIn = (all: ReadonlyArray<Block>): ReadonlyArray<string> => {
  const errors = all.flatMap(({ transactions }) => transactions.map(({ meta }) => meta.err))
  return [...new Set(errors.filter(one => one !== null).map(one => JSON.stringify(one)))]
}

/** How many pools were opened: calls of Raydium CPMM with so many accounts. */
const openedPools = (): number =>
  blocks
    .flatMap(({ transactions }) => transactions.map(({ transaction }) => transaction.message))
    .flatMap(({ accountKeys, instructions }) =>
      instructions.filter(
        ({ programIdIndex, accounts }) =>
          accountKeys[programIdIndex] === CPMM && accounts.length === 20
      )
    ).length

/** The first token's reserve by the second's, so that both directions of swaps agree. */
const priceOf = ({ inIsFirst, after }: Swap): number | null => {
  if (after?.kind !== "reserves" || inIsFirst === null) return null
  const [one, other] = [Number(after.in), Number(after.out)]
  return inIsFirst ? one / other : other / one
}

it("launches, graduates, opens pools and moves liquidity, and vaults confirm every swap", () => {
  const { table, bad, remarks } = checkedOf(blocks)
  expect([bad, [...remarks], failuresIn(blocks)]).toEqual([[], [], [LATE]])
  const [cpmm, curve, amm] = [3, 10, 11].map(number => table.get(number))
  for (const venue of [cpmm, curve, amm]) {
    expect(venue?.swaps).toBeGreaterThan(10)
    expect(venue).toMatchObject({ ok: venue?.swaps, bad: 0, unchecked: 0, noParent: 0 })
  }
  // pump.fun and PumpSwap tell each event twice, of which one is in the log
  const { created, complete, migrated, pool, liquidity } = TAGS
  const [launches, ends] = [told(created), told(complete)]
  expect([launches > 0, ends > 0]).toEqual([true, true])
  expect([told(migrated), told(pool)]).toEqual([ends, ends])
  expect(cpmm?.otherEvents).toBe(told(liquidity))
  expect(curve?.otherEvents).toBe(2 * (launches + ends + ends))
  expect(amm?.otherEvents).toBe(2 * ends)
  expect(told(liquidity)).toBeGreaterThan(10)
  expect(openedPools()).toBe(1)
})

it("tells each creation, first and later deposit, withdrawal and graduation once", () => {
  const { created, complete, migrated, pool, liquidity } = TAGS
  const counted = new Map<string, number>()
  for (const { venue, facts } of blocks.flatMap(decoded).flatMap(one => one.poolEvents)) {
    const key = `${venue.name} ${facts.kind}`
    counted.set(key, (counted.get(key) ?? 0) + 1)
  }
  expect(Object.fromEntries(counted)).toEqual({
    "pumpfun created": told(created),
    "pumpfun graduated": told(complete) + told(migrated),
    "pumpswap created": told(pool),
    "pumpswap liquidity": told(pool),
    "raydium-cpmm created": openedPools(),
    "raydium-cpmm liquidity": told(liquidity) + openedPools()
  })
})

it("moves prices with every swap", () => {
  const prices = new Map<string, Array<number | null>>()
  for (const swap of blocks.flatMap(decoded).flatMap(({ swaps }) => swaps))
    prices.set(swap.pool, [...(prices.get(swap.pool) ?? []), priceOf(swap)])
  expect(prices.size).toBeGreaterThan(5)
  for (const all of prices.values()) {
    expect(all).not.toContain(null)
    expect(new Set(all).size).toBe(all.length)
  }
})

it("makes the same blocks of the same seed, and others of another", async () => {
  const again = await blocksOf("f", 40)
  expect(again).toEqual(blocks.slice(0, again.length))
  const others = await blocksOf("g", 10)
  expect(others.flatMap(decoded)).not.toEqual(blocks.slice(0, others.length).flatMap(decoded))
})

it("goes on after a fork that took a launch and a graduation back", async () => {
  const forked = await blocksOf("f", 100, { at: 85, depth: 31 })
  expect(checkedOf(forked).bad).toEqual([])
  for (const failure of failuresIn(forked)) expect(failure).toBe(LATE)
  for (const [i, { previousBlockhash }] of forked.entries())
    if (i > 0) expect(previousBlockhash).toBe(forked[i - 1]?.blockhash)
})

it("opens a pool, and launches a token, once in a slot", async () => {
  const plans = Effect.gen(function* () {
    const genesis = yield* makeGenesis({ ...PLAN, seed: "f" })
    const bank = new Bank(genesis, 100, START_MS / 1000)
    const market = yield* makeMarket(genesis)
    yield* market.read(bank)
    const moment = { bank, genesis, market, prices: fairPricesOf(genesis, bank) }
    // slots in which two wallets drew the same pool, and one of them a launch beside it
    return yield* Effect.forEach([6_797, 8_690, 17_420], age =>
      planSlot({ ...moment, age, timeSeconds: START_MS / 1000 + 1 })
    )
  })
  const counted = (await Effect.runPromise(plans)).map(planned => {
    const calls = planned.flatMap(({ instructions }) => instructions)
    return [20, 16].map(count => calls.filter(one => one.accounts?.length === count).length)
  })
  expect(counted).toEqual([
    [1, 0],
    [1, 0],
    [1, 1]
  ])
})
