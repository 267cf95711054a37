/** Liquidity of the simulated chain's pools, against the venue's formulas (its public source). */
import type { Address } from "@solana/kit"
import { Effect } from "effect"
import { beforeAll, expect, it } from "vitest"
import { failureOf, landed, loggedOf } from "../../../test/support/solana-bank.ts"
import { addressAt, u64At } from "../../solana/payload.ts"
import { cpmmOutput } from "../../solana/raydium-cpmm/quote.ts"
import { POOL_FEE_RECEIVER, TOKEN, tokenAccountOf } from "./addresses.ts"
import { Bank } from "./bank.ts"
import { type Genesis, makeGenesis, type User } from "./genesis.ts"
import { openTokenAccount } from "./launch-instructions.ts"
import { cpmmInitialize, cpmmLiquidity, type PoolHolding } from "./liquidity-instructions.ts"
import { makeMarket } from "./market.ts"
import type { CpmmPool } from "./market-addresses.ts"
import { poolLiquidity, poolReserves, tokensOf } from "./states.ts"
import { cpmmSwap } from "./swap-instructions.ts"

const LP_CHANGE = "79a3cdc939da753c"

let genesis: Genesis
let bank: Bank
/** of the first two wallets, in the pool that is opened below */
let holdings: ReadonlyArray<PoolHolding>
let users: ReadonlyArray<User>

const holdingIn = async (pool: CpmmPool, user: User): Promise<PoolHolding> => ({
  ...{ pool, user: user.signer },
  accounts: pool.mints.map(mint => user.accounts.get(mint)) as [Address, Address],
  lpTokens: await Effect.runPromise(tokenAccountOf(user.signer.address, pool.lpMint))
})

beforeAll(async () => {
  const plan = { seed: "liquidity", users: 2, pooled: 2, curves: 0 }
  genesis = await Effect.runPromise(makeGenesis(plan))
  bank = new Bank(genesis, 100, 1_700_000_000)
  const market = await Effect.runPromise(makeMarket(genesis))
  users = genesis.users
  const pool = market.nextOpening as CpmmPool
  holdings = await Promise.all(users.map(user => holdingIn(pool, user)))
})

const at = (i: number) => ({ holding: holdings[i] as PoolHolding, user: users[i] as User })

/** The numbers of an `LpChangeEvent` behind its pool, and what it is: 0 deposit, 1 withdraw. */
const changeOf = (payload: Buffer | undefined) => {
  if (payload?.length !== 97) throw new Error("no event of a change")
  return {
    pool: addressAt(payload, 8),
    numbers: [40, 48, 56, 64, 72, 80, 88].map(place => u64At(payload, place)),
    kind: payload[96]
  }
}

it("opens a pool of a wallet's tokens: the root of both is its liquidity, less 100 units", async () => {
  const { holding, user } = at(0)
  const { pool } = holding
  const amounts = [20_000_000_000n, 31_415_926_535n] as const
  const paid = tokensOf(bank, POOL_FEE_RECEIVER)
  const { transaction, poolEvents } = await landed(bank, user, cpmmInitialize(holding, amounts))
  expect([transaction.failed, failureOf(bank)]).toEqual([false, null])
  const facts = { pool: pool.address, mints: pool.mints, fee: null, spacing: null }
  const { mints } = pool
  const deposit = { kind: "liquidity", pool: pool.address, mints, owner: user.signer.address }
  expect(poolEvents).toMatchObject([
    { event: "initialize", facts: { kind: "created", ...facts } },
    { event: "initialize", facts: { ...deposit, amounts, before: [0n, 0n] } }
  ])
  // Python: math.isqrt(20000000000 * 31415926535)
  expect(poolLiquidity(bank, pool)).toEqual({
    ...{ liquidity: 25_066_282_745n, openSeconds: bank.head.blockTime + 1 }
  })
  expect(tokensOf(bank, holding.lpTokens)).toBe(25_066_282_645n)
  expect(poolReserves(bank, pool)).toEqual(amounts)
  expect(tokensOf(bank, POOL_FEE_RECEIVER) - paid).toBe(150_000_000n)
  const state = bank.account(pool.address)
  if (!state.exists) throw new Error("no pool")
  expect([8, 40, 72, 104, 136, 168, 200, 232, 264, 296].map(i => addressAt(state.data, i))).toEqual(
    [
      ...[pool.config, user.signer.address, ...pool.vaults, pool.lpMint, ...pool.mints],
      ...[TOKEN, TOKEN, pool.observation]
    ]
  )
  // authority's bump, status, decimals of liquidity and of both tokens
  expect([...state.data.subarray(328, 333)]).toEqual([pool.authorityBump, 0, 9, 6, 6])
})

it("is traded in from the second after, as the formula says", async () => {
  const { holding, user } = at(1)
  const { pool, accounts } = holding
  const [reserveIn, reserveOut] = poolReserves(bank, pool)
  const facts = { in: reserveIn, out: reserveOut, feeRate: 2_500n }
  const got = cpmmOutput({ ...facts, feeOfInput: null, feeOfOutput: null }, 5_000_000n)
  const swap = { pool, user: user.signer, accounts, isFirstIn: true, exact: "in" } as const
  const call = cpmmSwap({ ...swap, amount: 5_000_000n, limit: got })
  const { swaps, checks } = await landed(bank, user, call)
  expect(checks).toEqual([{ verdict: "ok" }])
  expect(swaps).toMatchObject([{ pool: pool.address, out: { amount: got }, inIsFirst: true }])
})

it("takes what liquidity is worth rounded up, and gives it rounded down", async () => {
  const { holding, user } = at(1)
  const { pool, accounts, lpTokens } = holding
  const token = { mint: pool.lpMint, program: TOKEN }
  const opening = openTokenAccount(user.signer, lpTokens, token)
  const move = async (call: "deposit" | "withdraw", liquidity: bigint) => {
    const before = poolReserves(bank, pool)
    const { liquidity: all } = poolLiquidity(bank, pool)
    const has = accounts.map(one => tokensOf(bank, one))
    const lp = call === "deposit" ? 0n : tokensOf(bank, lpTokens)
    const up = call === "deposit" ? all - 1n : 0n
    const worth = before.map(reserve => (reserve * liquidity + up) / all) as [bigint, bigint]
    const change = cpmmLiquidity({ ...holding, call, liquidity, limits: worth })
    const { transaction, counts, poolEvents } = await landed(bank, user, opening, change)
    expect(failureOf(bank)).toBeNull()
    expect(changeOf(loggedOf(transaction, LP_CHANGE)[0])).toEqual({
      ...{ pool: pool.address, kind: call === "deposit" ? 0 : 1 },
      numbers: [all, ...before, ...worth, 0n, 0n]
    })
    expect(counts.get(3)).toEqual({ events: 0, noParent: 0, otherEvents: 1 })
    const sign = call === "deposit" ? 1n : -1n
    const owner = user.signer.address
    const facts = { pool: pool.address, owner, position: null, amounts: worth.map(n => sign * n) }
    expect(poolEvents).toMatchObject([
      { event: "LpChangeEvent", facts: { kind: "liquidity", ...facts } }
    ])
    expect(poolReserves(bank, pool)).toEqual(before.map((one, i) => one + sign * worth[i as 0 | 1]))
    expect(poolLiquidity(bank, pool).liquidity).toBe(all + sign * liquidity)
    expect(tokensOf(bank, lpTokens)).toBe(lp + sign * liquidity)
    expect(accounts.map(one => tokensOf(bank, one))).toEqual(
      has.map((one, i) => one - sign * worth[i as 0 | 1])
    )
  }
  await move("deposit", 1_234_567_891n)
  await move("withdraw", 234_567_893n)
  await move("withdraw", 999_999_998n)
})

it("refuses what costs more, pays less, or is not there, with the venue's numbers", async () => {
  const { holding, user } = at(0)
  const tried = async (call: "deposit" | "withdraw", liquidity: bigint, limit: bigint) => {
    await landed(bank, user, cpmmLiquidity({ ...holding, call, liquidity, limits: [limit, limit] }))
    return failureOf(bank)
  }
  const custom = (number: number) => ({ InstructionError: [0, { Custom: number }] })
  expect(await tried("deposit", 10n ** 9n, 1000n)).toEqual(custom(6005))
  expect(await tried("withdraw", 10n ** 9n, 10n ** 12n)).toEqual(custom(6005))
  // worth nothing of either
  expect(await tried("withdraw", 1n, 0n)).toEqual(custom(6006))
  // the token program has no more to burn
  expect(await tried("withdraw", 10n ** 11n, 0n)).toEqual(custom(1))
  const again = cpmmInitialize(holding, [10n ** 6n, 10n ** 6n])
  await landed(bank, user, again)
  expect(failureOf(bank)).toMatchObject({ InstructionError: [0, { Custom: 0 }] })
})
