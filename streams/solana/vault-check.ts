/**
 * Holds the amounts of a transaction's swaps against what their vaults held before and after it:
 * all swaps on a vault together, and with them what else the transaction moved into or out of it.
 */
import { gainOf } from "./instruction-moves.ts"
import { isTokenProgram, TOKEN_2022 } from "./moves.ts"
import type { Swap, SwapSide } from "./swap.ts"
import type { Move, Transaction } from "./transaction.ts"

/** Balances contradict the swap. */
export interface BadCheck {
  readonly verdict: "bad"
  readonly vault: string
  /** what the vault gained beyond what its swaps say; below 0 what it lacks */
  readonly difference: bigint
}

export type VaultCheck =
  | { readonly verdict: "ok" }
  | BadCheck
  | { readonly verdict: "unchecked"; readonly reason: string }

/** What swaps say of one vault. */
interface Expected {
  readonly vault: string
  readonly native: boolean
  change: bigint
  slack: bigint
  /** of any swap on it: then the sum proves nothing */
  caveat: string | null
}

const NO_BALANCES = "the node told no balances"
const NO_BALANCE = "the node told no balance of the vault"

/** Whether a swap is unchecked for want of balances, which each node tells of each vault. */
export const lacksBalances = (check: VaultCheck): boolean =>
  check.verdict === "unchecked" && (check.reason === NO_BALANCES || check.reason === NO_BALANCE)

const OK: VaultCheck = { verdict: "ok" }

const unchecked = (reason: string): VaultCheck => ({ verdict: "unchecked", reason })

/** Adds what a swap says of one side to what is expected of all vaults, which are few. */
const expect = (
  all: Array<Expected>,
  { vault, native, slack }: SwapSide,
  change: bigint,
  caveat: string | null
): void => {
  const so = all.find(one => one.vault === vault && one.native === native)
  if (so === undefined) {
    all.push({ vault, native, change, slack, caveat })
    return
  }
  so.change += change
  so.slack += slack
  so.caveat ??= caveat
}

const expectedOf = (swaps: ReadonlyArray<Swap>): ReadonlyArray<Readonly<Expected>> => {
  const all: Array<Expected> = []
  for (const swap of swaps) {
    expect(all, swap.in, swap.in.amount, swap.caveat)
    expect(all, swap.out, -swap.out.amount, swap.caveat)
  }
  return all
}

/** Returns what was moved outside of the instructions that swap. */
const movesBeside = (
  { instructions }: Transaction,
  swaps: ReadonlyArray<Swap>
): ReadonlyArray<Move> => {
  const moves: Array<Move> = []
  /** the height of the swap that runs; below it everything is its own */
  let within = Number.POSITIVE_INFINITY
  for (const { path, height, move } of instructions) {
    if (height <= within) within = Number.POSITIVE_INFINITY
    if (height > within) continue
    if (swaps.some(swap => swap.path === path)) within = height
    else if (move !== null) moves.push(move)
  }
  return moves
}

/** Returns what a vault gained by the node's balances; a text says why that is unknown. */
const gainedBy = (
  { tokenBalances, lamportChanges, hasBalances }: Transaction,
  { vault, native }: Expected
): bigint | string => {
  if (!hasBalances) return NO_BALANCES
  if (native) {
    const change = lamportChanges.get(vault)
    return change === null ? "the balance is beyond the numbers of JSON" : (change ?? 0n)
  }
  const held = tokenBalances.get(vault)
  return held === undefined ? NO_BALANCE : held.after - held.before
}

/**
 * Returns whether a vault's difference may be of an instruction of a venue that is no swap that was
 * read. Lamports of a program's own account move without a transfer. An amount of tokens changes by
 * instructions of the token program alone, and those that show what they move are counted; of
 * others that an instruction calls, as a batch of several, nobody knows.
 */
const isTouched = (
  { instructions }: Transaction,
  swaps: ReadonlyArray<Swap>,
  { vault, native }: Expected
): boolean => {
  const paths = new Set(swaps.map(({ path }) => path))
  const programs = new Set(swaps.map(({ venue }) => venue.program))
  return instructions.some(({ path, height, program, accounts }, at) => {
    if (!programs.has(program) || paths.has(path) || !accounts.includes(vault)) return false
    if (native) return true
    for (let next = at + 1; next < instructions.length; next++) {
      const call = instructions[next]!
      if (call.height <= height) break
      if (isTokenProgram(call.program) && call.move === null) return true
    }
    return false
  })
}

/** Whether lamports that were sent to a vault of wrapped ones became part of its amount. */
const isSynced = ({ instructions }: Transaction, vault: string): boolean =>
  instructions.some(({ move }) => move?.synced === true && move.to === vault)

/**
 * Whether a vault's loss may be fees that its token keeps of transfers beside the swaps, which
 * plain transfers do not tell.
 */
const isSkimmed = (
  { tokenBalances }: Transaction,
  { vault }: Expected,
  beside: ReadonlyArray<Move>,
  difference: bigint
): boolean => {
  if (tokenBalances.get(vault)?.program !== TOKEN_2022) return false
  const untold = beside.filter(({ to, native, fee }) => to === vault && !native && fee === 0n)
  const sum = untold.reduce((so, { amount }) => so + amount, 0n)
  return difference < 0n && -difference <= sum
}

/**
 * What a vault of wrapped lamports gained beyond what is expected, by its lamports: transfers of
 * either kind are in them when they come, whenever its amount is synced. Null where it is unknown.
 */
const lamportDifference = (
  { lamportChanges }: Transaction,
  { vault, change }: Expected,
  beside: ReadonlyArray<Move>
): bigint | null => {
  const gained = lamportChanges.has(vault) ? (lamportChanges.get(vault) ?? null) : 0n
  if (gained === null) return null
  return gained - gainOf(beside, vault, false) - gainOf(beside, vault, true) - change
}

const isWithin = (difference: bigint | null, slack: bigint): boolean =>
  difference !== null && difference >= 0n && difference <= slack

const checkVault = (
  transaction: Transaction,
  swaps: ReadonlyArray<Swap>,
  expected: Readonly<Expected>,
  beside: ReadonlyArray<Move>
): VaultCheck => {
  const { vault, native, change, slack, caveat } = expected
  const gained = gainedBy(transaction, expected)
  if (typeof gained === "string") return unchecked(gained)
  const difference = gained - gainOf(beside, vault, native) - change
  if (isWithin(difference, slack)) return OK
  if (!native && isSynced(transaction, vault)) {
    return isWithin(lamportDifference(transaction, expected, beside), slack)
      ? OK
      : unchecked("lamports that were sent to the vault became part of its amount")
  }
  if (caveat !== null) return unchecked(caveat)
  if (!native && isSkimmed(transaction, expected, beside, difference)) {
    return unchecked("a transfer fee of what was sent to the vault besides may be unsaid")
  }
  return isTouched(transaction, swaps, expected)
    ? unchecked("another instruction of the venue works on the vault")
    : { verdict: "bad", vault, difference }
}

/** The verdict on a swap is the worse of its two vaults'. */
const verdictOf = (
  swap: Swap,
  expected: ReadonlyArray<Readonly<Expected>>,
  checks: ReadonlyArray<VaultCheck>
): VaultCheck => {
  const checkOf = ({ vault, native }: SwapSide): VaultCheck =>
    checks[expected.findIndex(one => one.vault === vault && one.native === native)] ?? OK
  const [into, from] = [checkOf(swap.in), checkOf(swap.out)]
  if (into.verdict === "bad" || from.verdict === "ok") return into
  return from.verdict === "bad" || into.verdict === "ok" ? from : into
}

/** Returns the verdict on each swap of a transaction, in their order. */
export const checkVaults = (
  transaction: Transaction,
  swaps: ReadonlyArray<Swap>
): ReadonlyArray<VaultCheck> => {
  if (swaps.length === 0) return []
  const beside = movesBeside(transaction, swaps)
  const expected = expectedOf(swaps)
  const checks = expected.map(one => checkVault(transaction, swaps, one, beside))
  return swaps.map(swap => verdictOf(swap, expected, checks))
}
