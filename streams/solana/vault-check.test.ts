import { expect, it } from "vitest"
import { decodeTransaction } from "./decode-transaction.ts"
import {
  lamportsOf,
  type Made,
  type MadeInstruction,
  made,
  payloadOf,
  transferOf
} from "./made-transaction.ts"
import { madeSwap as swap } from "./meteora-dlmm/made-swap.ts"
import { pumpfun } from "./pumpfun/venue.ts"
import { checkVaults } from "./vault-check.ts"
import { venuesByProgram as venues } from "./venues.ts"

const verdicts = (parts: Made) => {
  const transaction = made(parts)
  return checkVaults(transaction, decodeTransaction(transaction, venues).swaps)
}

const OK = { verdict: "ok" }
const vaults = (x: bigint, y: bigint): NonNullable<Made["tokens"]> => ({
  X: ["mint X", 1_000n, 1_000n + x],
  Y: ["mint Y", 1_000n, 1_000n - y]
})

it("is ok where the vaults changed by the amounts", () => {
  expect(verdicts({ instructions: [swap(100n, 70n)], tokens: vaults(100n, 70n) })).toEqual([OK])
})

it.each([
  ["gained less", 99n, 70n, "X", -1n],
  ["gained more", 101n, 70n, "X", 1n],
  ["lost more", 100n, 71n, "Y", -1n],
  ["lost less", 100n, 69n, "Y", 1n]
])("is bad where a vault %s", (_, x, y, vault, difference) => {
  expect(verdicts({ instructions: [swap(100n, 70n)], tokens: vaults(x, y) })).toEqual([
    { verdict: "bad", vault, difference }
  ])
})

it("adds the swaps of a transaction up, and a wrong one spoils all on its vaults", () => {
  const instructions = [swap(100n, 70n), swap(10n, 7n)]
  expect(verdicts({ instructions, tokens: vaults(110n, 77n) })).toEqual([OK, OK])
  const bad = { verdict: "bad", vault: "X", difference: -10n }
  expect(verdicts({ instructions, tokens: vaults(100n, 77n) })).toEqual([bad, bad])
})

it("takes what others move into a vault for theirs", () => {
  const instructions = [transferOf("me", "X", 5n), swap(100n, 70n), transferOf("Y", "me", 2n)]
  expect(verdicts({ instructions, tokens: vaults(105n, 72n) })).toEqual([OK])
})

it("takes transfers within a swap for the swap's, which the event tells", () => {
  const one = swap(100n, 70n)
  const instructions = [{ ...one, calls: [transferOf("me", "X", 100n), ...(one.calls ?? [])] }]
  expect(verdicts({ instructions, tokens: vaults(100n, 70n) })).toEqual([OK])
})

it.each([
  ["of balances", { balances: false }, "the node told no balances"],
  ["of the vault", { tokens: {} }, "the node told no balance of the vault"]
])("is unchecked without what the node should tell %s", (_, parts, reason) => {
  expect(verdicts({ instructions: [swap(100n, 70n)], ...parts })).toEqual([
    { verdict: "unchecked", reason }
  ])
})

it("is unchecked where a rule is not proven and the vaults differ", () => {
  const instructions = [swap(100n, 70n, 3n)]
  expect(verdicts({ instructions, tokens: vaults(100n, 70n) })).toEqual([OK])
  expect(verdicts({ instructions, tokens: vaults(97n, 70n) })).toEqual([
    { verdict: "unchecked", reason: "host fees are not proven" }
  ])
})

const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"

const beside = (...calls: ReadonlyArray<MadeInstruction>): MadeInstruction => ({
  ...{ ...swap(0n, 0n), data: payloadOf("0102030405060708", 8, []), calls }
})

it("lets an instruction of the venue that moves nothing excuse no difference", () => {
  const parts = { instructions: [swap(100n, 70n), beside()], tokens: vaults(100n, 90n) }
  expect(verdicts(parts)).toEqual([{ verdict: "bad", vault: "Y", difference: -20n }])
  const moving = beside(transferOf("Y", "me", 20n))
  expect(verdicts({ ...parts, instructions: [swap(100n, 70n), moving] })).toEqual([OK])
})

it("is unchecked where the venue calls the token program besides, and nothing tells what for", () => {
  const batch = { program: TOKEN_PROGRAM, accounts: ["Y", "me"], data: Uint8Array.of(255, 0) }
  const parts = { instructions: [swap(100n, 70n), beside(batch)], tokens: vaults(100n, 90n) }
  expect(verdicts(parts)).toEqual([
    { verdict: "unchecked", reason: "another instruction of the venue works on the vault" }
  ])
})

it("counts lamports that were sent to a vault before and are synced now", () => {
  const sync = { program: TOKEN_PROGRAM, accounts: ["X"], data: Uint8Array.of(17) }
  const instructions = [lamportsOf("me", "X", 5n), sync, swap(100n, 70n)]
  // 40 of before became part of the amount, besides 5 that came with this transaction
  const tokens = vaults(145n, 70n)
  expect(verdicts({ instructions, tokens, lamports: { X: 105 } })).toEqual([OK])
  expect(verdicts({ instructions, tokens, lamports: { X: 104 } })).toEqual([
    {
      verdict: "unchecked",
      reason: "lamports that were sent to the vault became part of its amount"
    }
  ])
  const unsynced = [swap(100n, 70n)]
  expect(verdicts({ instructions: unsynced, tokens, lamports: { X: 100 } })).toEqual([
    { verdict: "bad", vault: "X", difference: 45n }
  ])
})

it("is unchecked where a token may keep a fee of what is sent to the vault besides", () => {
  const instructions = [transferOf("me", "X", 50n), swap(100n, 70n)]
  const of2022 = (x: bigint) => {
    const one = made({ instructions, tokens: vaults(x, 70n) })
    const tokenBalances = new Map(
      [...one.tokenBalances].map(([account, told]) => [account, { ...told, program: TOKEN_2022 }])
    )
    const { swaps } = decodeTransaction(one, venues)
    return checkVaults({ ...one, tokenBalances }, swaps)
  }
  expect(of2022(148n)).toEqual([
    {
      verdict: "unchecked",
      reason: "a transfer fee of what was sent to the vault besides may be unsaid"
    }
  ])
  expect(of2022(151n)).toEqual([{ verdict: "bad", vault: "X", difference: 1n }])
  expect(of2022(99n)).toEqual([{ verdict: "bad", vault: "X", difference: -51n }])
  expect(verdicts({ instructions, tokens: vaults(148n, 70n) })).toEqual([
    { verdict: "bad", vault: "X", difference: -2n }
  ])
})

const trade = (isBuy: number): MadeInstruction => ({
  program: pumpfun.program,
  accounts: ["0", "1", "mint", "curve", "tokens", "mine", "me"],
  data: payloadOf(isBuy === 1 ? "66063d1201daebea" : "33e685a4017f83ad", 24, []),
  logs: [
    `Program data: ${Buffer.from(
      payloadOf("bddb7fd34ee661ee", 113, [
        [40, 500n],
        [48, 7_000n],
        [56, isBuy, 1]
      ])
    ).toString("base64")}`
  ]
})

it("checks the lamports of a curve, with rent that is paid beside", () => {
  const tokens = { tokens: ["mint", 9_000n, 2_000n] } as const
  const rent = lamportsOf("payer", "curve", 90n)
  const buy = (curve: number) =>
    verdicts({ instructions: [rent, trade(1)], tokens, lamports: { curve } })
  expect(buy(590)).toEqual([OK])
  expect(buy(500)).toEqual([{ verdict: "bad", vault: "curve", difference: -90n }])
  const sold = { tokens: ["mint", 2_000n, 9_000n] } as const
  expect(verdicts({ instructions: [trade(0)], tokens: sold, lamports: { curve: -500 } })).toEqual([
    OK
  ])
})
