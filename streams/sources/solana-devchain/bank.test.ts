/** What the simulated chain's blocks hold, against the decoder and formulas that were made of real ones. */

import type { Address, Instruction } from "@solana/kit"
import { Effect } from "effect"
import { beforeAll, expect, it } from "vitest"
import { random } from "../../../test/support/random.ts"
import { seed } from "../../../test/support/seed.ts"
import { landed as landedIn } from "../../../test/support/solana-bank.ts"
import { cpmmOutput } from "../../solana/raydium-cpmm/quote.ts"
import { Bank } from "./bank.ts"
import { type Genesis, makeGenesis, type User } from "./genesis.ts"
import type { Curve } from "./market-addresses.ts"
import { signed } from "./sign.ts"
import { curveState, poolReserves, tokensOf } from "./states.ts"
import { cpmmSwap, curveSwap } from "./swap-instructions.ts"

let genesis: Genesis
let bank: Bank

beforeAll(async () => {
  console.log(`bank: SEED=${seed}`)
  genesis = await Effect.runPromise(makeGenesis({ seed: "bank", users: 6, pooled: 2, curves: 2 }))
  bank = new Bank(genesis, 100, 1_700_000_000)
})

const reserve = (pool: Genesis["pools"][number], i: 0 | 1): bigint => poolReserves(bank, pool)[i]

type Pool = Genesis["pools"][number]

/** Sends one transaction and makes its block. */
const landed = async (payer: User, ...instructions: ReadonlyArray<Instruction>) => {
  const { counts, ...one } = await landedIn(bank, payer, ...instructions)
  return { ...one, events: [...counts.values()].reduce((sum, { events }) => sum + events, 0) }
}

const poolSwap = (
  pool: Pool,
  user: User,
  isFirstIn: boolean,
  exact: "in" | "out",
  [amount, limit]: readonly [bigint, bigint]
) => {
  const accounts = pool.mints.map(mint => user.accounts.get(mint)) as [Address, Address]
  return cpmmSwap({ pool, user: user.signer, accounts, isFirstIn, exact, amount, limit })
}

it("swaps in pools as the venue's formula says, and their vaults confirm its events", async () => {
  const { int, pick } = random(`${seed} cpmm`)
  for (let round = 0; round < 40; round++) {
    const [pool, user] = [pick(genesis.pools), pick(genesis.users)]
    const isFirstIn = int(2) === 0
    const [from, to] = isFirstIn ? ([0, 1] as const) : ([1, 0] as const)
    const facts = { in: reserve(pool, from), out: reserve(pool, to), feeRate: 2_500n }
    const sent = 1_000_000n + BigInt(int(1_000_000_000))
    const got = cpmmOutput({ ...facts, feeOfInput: null, feeOfOutput: null }, sent)
    const swap = poolSwap(pool, user, isFirstIn, "in", [sent, got])
    const { swaps, checks } = await landed(user, swap)
    expect(checks.map(({ verdict }) => verdict)).toEqual(["ok"])
    expect(swaps).toMatchObject([
      {
        ...{ pool: pool.address, trader: user.signer.address, event: "SwapEvent" },
        in: { mint: pool.mints[from], vault: pool.vaults[from], amount: sent },
        out: { mint: pool.mints[to], vault: pool.vaults[to], amount: got },
        after: { kind: "reserves", in: facts.in + sent, out: facts.out - got }
      }
    ])
  }
})

it("asks for the least that gives an exact output", async () => {
  const [pool, user] = [genesis.pools[0] as Pool, genesis.users[0] as User]
  const wanted = 12_345_678n
  const facts = { in: reserve(pool, 0), out: reserve(pool, 1), feeRate: 2_500n }
  const quote = (sent: bigint) =>
    cpmmOutput({ ...facts, feeOfInput: null, feeOfOutput: null }, sent)
  const { swaps, checks } = await landed(
    user,
    poolSwap(pool, user, true, "out", [wanted, 10n ** 12n])
  )
  const sent = swaps[0]?.in.amount ?? 0n
  expect(checks.map(({ verdict }) => verdict)).toEqual(["ok"])
  expect(swaps[0]?.out.amount).toBe(wanted)
  expect([quote(sent) >= wanted, quote(sent - 2n) < wanted]).toEqual([true, true])
})

it("fails where less would come than asked for, and holds no swap then", async () => {
  const [pool, user] = [genesis.pools[0] as Pool, genesis.users[0] as User]
  const before = [reserve(pool, 0), reserve(pool, 1)]
  const { transaction, swaps } = await landed(
    user,
    poolSwap(pool, user, true, "in", [10n ** 9n, 10n ** 15n])
  )
  expect([transaction.failed, swaps]).toEqual([true, []])
  expect(bank.head.transactions[0]?.meta).toMatchObject({
    err: { InstructionError: [0, { Custom: 6005 }] },
    fee: 5000
  })
  expect([reserve(pool, 0), reserve(pool, 1)]).toEqual(before)
})

/** What pump.fun's formulas give of a curve's virtual reserves (../shared/reference/solana.md, 3.10). */
const curveCost = (tokens: bigint, virtual: readonly [tokens: bigint, sol: bigint]) =>
  (tokens * virtual[1]) / (virtual[0] - tokens) + 1n

const virtualOf = (curve: Curve): readonly [bigint, bigint] => {
  const { virtualTokens, virtualLamports } = curveState(bank, curve)
  return [virtualTokens, virtualLamports]
}

it("buys and sells on curves, told twice, against the lamports of the curve", async () => {
  const { int, pick } = random(`${seed} curve`)
  for (let round = 0; round < 30; round++) {
    const [curve, user] = [pick(genesis.curves), pick(genesis.users)]
    const account = user.accounts.get(curve.mint) as Address
    const virtual = virtualOf(curve)
    const has = tokensOf(bank, account)
    const isBuy = has === 0n || int(2) === 0
    const tokens = isBuy ? 10n ** 9n + BigInt(int(1e9)) * 1000n : has / BigInt(1 + int(3))
    const sol = isBuy ? curveCost(tokens, virtual) : (tokens * virtual[1]) / (virtual[0] + tokens)
    const limit = isBuy ? 10n ** 12n : 0n
    const call = isBuy ? "buy" : "sell"
    const swap = curveSwap({ curve, user: user.signer, account, call, amount: tokens, limit })
    const { swaps, checks, events } = await landed(user, swap)
    expect(checks.map(({ verdict }) => verdict)).toEqual(["ok"])
    const sides = [
      { mint: curve.mint, amount: tokens },
      { native: true, amount: sol }
    ]
    const after = [virtual[0] + (isBuy ? -tokens : tokens), virtual[1] + (isBuy ? sol : -sol)]
    const [given, got] = isBuy ? [1, 0] : [0, 1]
    expect(swaps).toMatchObject([
      {
        ...{ pool: curve.address, trader: user.signer.address, event: "TradeEvent" },
        ...{ in: sides[given], out: sides[got] },
        after: { kind: "reserves", in: after[given], out: after[got] }
      }
    ])
    // by its log and by a call to itself
    expect(events).toBe(2)
  }
})

it("spends no more than was given, and ends a curve with its last token", async () => {
  const [curve, user] = [genesis.curves[0] as Curve, genesis.users[0] as User]
  const account = user.accounts.get(curve.mint) as Address
  const amounts = { curve, user: user.signer, account, limit: 1n } as const
  const spent = 3_000_000_000n
  const buy = curveSwap({ ...amounts, call: "buy_exact_sol_in", amount: spent })
  const { swaps } = await landed(user, buy)
  const sol = swaps[0]?.in.amount ?? 0n
  const fees = (sol * 95n + 9_999n) / 10_000n + (sol * 30n + 9_999n) / 10_000n
  expect([sol + fees <= spent, spent - sol - fees < 10n]).toEqual([true, true])
  const all = { ...amounts, call: "buy", amount: 10n ** 15n, limit: 10n ** 12n } as const
  await landed(user, curveSwap(all))
  expect(curveState(bank, curve).stage).toBe("sold")
  const late = await landed(user, curveSwap({ ...all, amount: 1n }))
  expect(late.transaction.failed).toBe(true)
  expect(bank.head.transactions[0]?.meta.err).toEqual({ InstructionError: [0, { Custom: 6005 }] })
})

it("takes no transaction twice, none of an unknown block, and skips slots", async () => {
  const [pool, user] = [genesis.pools[0] as Pool, genesis.users[1] as User]
  const swap = poolSwap(pool, user, true, "in", [10n ** 6n, 0n])
  const sent = await signed(user.signer, bank.head.blockhash, [swap])
  expect(bank.send(sent)).toBeTypeOf("string")
  expect(bank.send(sent)).toMatchObject({ reason: "This transaction has already been processed" })
  const unknown = await signed(user.signer, user.signer.address, [swap])
  expect(bank.send(unknown)).toMatchObject({ reason: "Blockhash not found" })
  const parent = bank.head
  const block = bank.produce(parent.slot + 3, parent.blockTime + 1)
  expect(block).toMatchObject({
    ...{ slot: parent.slot + 3, parentSlot: parent.slot, blockHeight: parent.blockHeight + 1 },
    previousBlockhash: parent.blockhash
  })
  expect(bank.at(parent.slot + 1)).toBeNull()
  expect(block.transactions).toHaveLength(1)
})

it("replaces blocks by others in a fork, with the state of the block before them", async () => {
  const [pool, user] = [genesis.pools[0] as Pool, genesis.users[1] as User]
  const base = bank.head
  const before = reserve(pool, 0)
  const swap = poolSwap(pool, user, true, "in", [10n ** 7n, 0n])
  await landed(user, swap)
  const [old] = [bank.head]
  await landed(user, poolSwap(pool, user, true, "in", [10n ** 8n, 0n]))
  expect(bank.fork(2)).toBe(true)
  expect([bank.head, reserve(pool, 0)]).toEqual([base, before])
  // the very transaction lands in another block
  const again = await landed(user, swap)
  expect(again.transaction.signature).toBe(old.transactions[0]?.transaction.signatures[0])
  expect([bank.head.slot, bank.head.parentSlot]).toEqual([old.slot, base.slot])
  expect(bank.fork(1_000)).toBe(false)
})
