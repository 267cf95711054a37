/** A token's way on the simulated chain: it launches, is sold on its curve, and ends in a pool. */
import type { Address } from "@solana/kit"
import { Effect } from "effect"
import { beforeAll, expect, it } from "vitest"
import { failureOf, landed, loggedOf } from "../../../test/support/solana-bank.ts"
import { addressAt, textAt, u64At } from "../../solana/payload.ts"
import { CURVE_START } from "./account-data.ts"
import { derived, METADATA, TOKEN_2022, tokenAccountOf, WSOL } from "./addresses.ts"
import { Bank } from "./bank.ts"
import { type Genesis, makeGenesis, type User } from "./genesis.ts"
import { computeLimit, createToken, migrateCurve, openTokenAccount } from "./launch-instructions.ts"
import { type Launch, makeMarket } from "./market.ts"
import { launchAddresses } from "./market-addresses.ts"
import { answerCall } from "./rpc.ts"
import { ammReserves, curveState, tokensOf } from "./states.ts"
import { ammSwap, curveSwap } from "./swap-instructions.ts"

const TAGS = {
  created: "1b72a94ddeeb6376",
  complete: "5f72619cd42e9808",
  migrated: "bde95db95c94ea94",
  pool: "b1310cd2a076a774",
  bought: "67f4521f2cf57777",
  sold: "3e2f370aa503dc2a"
}
/** Lamports that a complete curve has: its virtual ones are 30 SOL at the start. */
const SOLD_LAMPORTS = 85_005_359_057n
const MIGRATION_FEE = 15_000_001n

let genesis: Genesis
let bank: Bank
let launch: Launch
let user: User
let tokens: Address

beforeAll(async () => {
  genesis = await Effect.runPromise(makeGenesis({ seed: "launch", users: 2, pooled: 1, curves: 1 }))
  bank = new Bank(genesis, 100, 1_700_000_000)
  const market = await Effect.runPromise(makeMarket(genesis))
  await Effect.runPromise(market.read(bank))
  launch = market.nextLaunch as Launch
  user = launch.creator
  tokens = await Effect.runPromise(
    tokenAccountOf(user.signer.address, launch.mint.address, TOKEN_2022)
  )
})

const dataOf = (address: Address): Buffer => {
  const answer = answerCall(bank, "getMultipleAccounts", [[address]])
  const { value } = answer as { readonly value: ReadonlyArray<{ readonly data: [string] } | null> }
  return Buffer.from(value[0]?.data[0] ?? "", "base64")
}

/** Name and symbol of the metadata in a mint of Token-2022: type 19 of the entries from 166 on. */
const nameIn = (data: Buffer) => {
  let at = 166
  while (data.readUInt16LE(at) !== 19) at += 4 + data.readUInt16LE(at + 2)
  const name = textAt(data, at + 4 + 64)
  const symbol = textAt(data, name?.end ?? 0)
  return [addressAt(data, at + 4 + 32), name?.text, symbol?.text]
}

const buyFor = (amount: bigint) =>
  curveSwap({
    ...{ curve: launch.curve, user: user.signer, account: tokens, amount, limit: 1n },
    call: "buy_exact_sol_in"
  })

it("launches a token that holds its name, on a curve, whose creator buys at once", async () => {
  const { curve, mint, name, symbol } = launch
  const addresses = await Effect.runPromise(launchAddresses(mint.address))
  const page = "https://tokens.example/one.json"
  const create = createToken({
    ...{ ...addresses, name, symbol, page, user: user.signer, mint, curve }
  })
  const opening = openTokenAccount(user.signer, tokens, curve)
  const one = await landed(bank, user, create, opening, buyFor(1_000_000_000n))
  expect(failureOf(bank)).toBeNull()
  expect(one.poolEvents).toMatchObject([
    {
      event: "CreateEvent",
      facts: { kind: "created", pool: curve.address, mints: [mint.address, WSOL] }
    }
  ])
  expect(one.checks).toEqual([{ verdict: "ok" }])
  // (1000000000 - 1) * 10000 / 10125 lamports go into the curve
  const [net, bought] = [987_654_320n, 34_199_203_154_141n]
  expect(bought).toBe((CURVE_START.virtualTokens * net) / (CURVE_START.virtualLamports + net))
  expect(one.swaps).toMatchObject([
    {
      pool: curve.address,
      trader: user.signer.address,
      out: { mint: mint.address, amount: bought }
    }
  ])
  const [created] = loggedOf(one.transaction, TAGS.created)
  const texts = 8 + 12 + name.length + symbol.length + page.length
  if (created === undefined) throw new Error("no event")
  expect([0, 32, 64, 96, 168].map(i => addressAt(created, texts + i))).toEqual([
    ...[mint.address, curve.address, user.signer.address, curve.creator, TOKEN_2022]
  ])
  const { virtualTokens, virtualLamports, tokens: forSale, supply } = CURVE_START
  expect([128, 136, 144, 152, 160].map(i => u64At(created, texts + i))).toEqual([
    ...[BigInt(bank.head.blockTime), virtualTokens, virtualLamports, forSale, supply]
  ])
  expect(created.length).toBe(texts + 201)
  const data = dataOf(mint.address)
  expect(nameIn(data)).toEqual([mint.address, name, symbol])
  // no authority may mint; the supply, its decimals
  expect([data.readUInt32LE(0), u64At(data, 36), data[44]]).toEqual([0, supply, 6])
  expect(tokensOf(bank, curve.tokens)).toBe(supply - bought)
})

it("has names of the tokens that it begins with where Metaplex has them", async () => {
  const [mint] = genesis.pooledMints
  const seeds = [Buffer.from("metadata"), METADATA, mint as Address] as const
  const [metadata] = await Effect.runPromise(derived(METADATA, ...seeds))
  const data = dataOf(metadata)
  const trimmed = (at: number) => textAt(data, at)?.text.replaceAll("\0", "")
  expect([data[0], addressAt(data, 33)]).toEqual([4, mint])
  expect([trimmed(65), trimmed(101)]).toEqual([
    expect.stringMatching(/^\w+ \w+ 1$/),
    expect.any(String)
  ])
})

it("refuses to graduate a curve that is not sold", async () => {
  await landed(bank, user, await migration())
  expect(failureOf(bank)).toEqual({ InstructionError: [0, { Custom: 6006 }] })
})

const held = async () => {
  const { pool, curve } = launch
  const of = (mint: Address, program?: Address) =>
    Effect.runPromise(tokenAccountOf(pool.authority, mint, program))
  return [
    await of(curve.mint, TOKEN_2022),
    await of(WSOL),
    await of(pool.lpMint, TOKEN_2022)
  ] as const
}

const migration = async () => {
  const { curve, pool } = launch
  const { withdrawer } = genesis
  return migrateCurve({ curve, pool, user: user.signer, withdrawer, held: await held() })
}

it("completes a curve with its last token, and says so once by log and once by call", async () => {
  const { curve } = launch
  const one = await landed(bank, user, buyFor(100_000_000_000n))
  expect(one.checks).toEqual([{ verdict: "ok" }])
  expect(curveState(bank, curve)).toMatchObject({ stage: "sold", lamports: SOLD_LAMPORTS })
  const [complete] = loggedOf(one.transaction, TAGS.complete)
  if (complete === undefined) throw new Error("no event")
  expect([8, 40, 72].map(i => addressAt(complete, i))).toEqual([
    ...[user.signer.address, curve.mint, curve.address]
  ])
  expect(one.counts.get(10)).toEqual({ events: 2, noParent: 0, otherEvents: 2 })
  const graduated = { kind: "graduated", pool: curve.address, mint: curve.mint, to: null }
  expect(one.poolEvents).toMatchObject([{ event: "CompleteEvent", facts: graduated }])
})

it("puts all that a complete curve has into a pool, and burns the liquidity", async () => {
  const { curve, pool } = launch
  const left = CURVE_START.supply - CURVE_START.tokens
  const one = await landed(bank, user, computeLimit(400_000), await migration())
  expect(failureOf(bank)).toBeNull()
  const sol = SOLD_LAMPORTS - MIGRATION_FEE
  expect(ammReserves(bank, pool)).toEqual([left, sol])
  const [migrated] = loggedOf(one.transaction, TAGS.migrated)
  const [created] = loggedOf(one.transaction, TAGS.pool)
  if (migrated === undefined || created === undefined) throw new Error("no event")
  expect([8, 40, 96, 136].map(i => addressAt(migrated, i))).toEqual([
    ...[user.signer.address, curve.mint, curve.address, pool.address]
  ])
  expect([72, 80, 88].map(i => u64At(migrated, i))).toEqual([left, sol, MIGRATION_FEE])
  // Python: math.isqrt(206900000000000 * 84990359056)
  const liquidity = 4_193_388_282_604n
  expect([116, 124, 148, 156, 164].map(i => u64At(created, i))).toEqual([
    ...[left, sol, 100n, liquidity, liquidity - 100n]
  ])
  const [base, quote, lp] = await held()
  expect([base, quote, lp].map(account => tokensOf(bank, account))).toEqual([0n, 0n, 0n])
  expect(u64At(dataOf(pool.lpMint), 36)).toBe(0n)
  // pump.fun tells its own event, PumpSwap the pool, each twice; nothing is a swap
  const other = { events: 0, noParent: 0, otherEvents: 2 }
  expect([one.counts.get(10), one.counts.get(11), one.swaps]).toEqual([other, other, []])
  const of = { pool: pool.address, mints: [curve.mint, WSOL], fee: null, spacing: null }
  const { pool: at, mints } = of
  const of0 = { pool: at, mints, owner: addressAt(created, 18), position: null }
  const deposit = { ...of0, before: [0n, 0n] }
  const end = { pool: curve.address, mint: curve.mint, to: pool.address }
  expect(one.poolEvents.map(({ venue, event, facts }) => [venue.name, event, facts])).toEqual([
    ["pumpfun", "CompletePumpAmmMigrationEvent", { kind: "graduated", ...end }],
    ["pumpswap", "CreatePoolEvent", { kind: "created", ...of }],
    ["pumpswap", "CreatePoolEvent", { kind: "liquidity", ...deposit, amounts: [left, sol] }]
  ])
  expect(curveState(bank, curve)).toMatchObject({ stage: "graduated", lamports: 0n })
  await landed(bank, user, computeLimit(400_000), await migration())
  expect(failureOf(bank)).toEqual({ InstructionError: [1, { Custom: 6006 }] })
})

/** A fee in basis points, rounded against the user. */
const fee = (quote: bigint, points: bigint) => (quote * points + 9_999n) / 10_000n

it("is bought and sold in the pool then, with the fees of the venue", async () => {
  const { pool } = launch
  const wrapped = user.accounts.get(WSOL) as Address
  const common = { pool, user: user.signer, accounts: [tokens, wrapped] as const }
  const trade = async (call: "buy" | "sell", amount: bigint) => {
    const [base, quote] = ammReserves(bank, pool)
    const has = tokensOf(bank, wrapped)
    const isBuy = call === "buy"
    const worth = isBuy
      ? (quote * amount + base - amount - 1n) / (base - amount)
      : (quote * amount) / (base + amount)
    const [lp, others] = [fee(worth, 20n), 2n * fee(worth, 5n)]
    const limit = isBuy ? worth + lp + others : worth - lp - others
    const one = await landed(bank, user, ammSwap({ ...common, call, amount, limit }))
    expect([failureOf(bank), one.checks]).toEqual([null, [{ verdict: "ok" }]])
    const inVault = isBuy ? worth + lp : worth - lp
    expect(one.swaps).toMatchObject([
      {
        ...{ pool: pool.address, trader: user.signer.address, instruction: call },
        in: isBuy ? { mint: WSOL, amount: inVault } : { mint: launch.mint.address, amount },
        out: isBuy ? { mint: launch.mint.address, amount } : { mint: WSOL, amount: inVault }
      }
    ])
    expect(tokensOf(bank, wrapped) - has).toBe(isBuy ? -limit : limit)
    expect(loggedOf(one.transaction, isBuy ? TAGS.bought : TAGS.sold)[0]?.length).toBe(360)
    const again = ammSwap({ ...common, call, amount, limit: isBuy ? 1n : 10n ** 15n })
    await landed(bank, user, again)
    expect(failureOf(bank)).toEqual({ InstructionError: [0, { Custom: 6004 }] })
  }
  await trade("buy", 1_234_567_890_123n)
  await trade("sell", 777_777_777_777n)
})
