/**
 * Holds the amounts of a transaction's swaps against what their vaults held before and after it:
 * all swaps on a vault together, and with them what else the transaction moved into or out of it.
 */
import { gainOf } from "./instruction-moves.ts"
import type { Swap, SwapSide } from "./swap.ts"
import type { Move, Transaction } from "./transaction.ts"

export type VaultCheck =
  | { readonly verdict: "ok" }
  | { readonly verdict: "bad"; readonly vault: string; readonly difference: bigint }
  | { readonly verdict: "unchecked"; readonly reason: string }

/** What swaps say of one vault. */
interface Expected {
  readonly vault: string
  readonly native: boolean
  readonly change: bigint
  readonly slack: bigint
  /** of any swap on it: then the sum proves nothing */
  readonly caveat: string | null
}

const OK: VaultCheck = { verdict: "ok" }

const unchecked = (reason: string): VaultCheck => ({ verdict: "unchecked", reason })

const keyOf = (vault: string, native: boolean): string => (native ? `${vault} lamports` : vault)

const expectedOf = (swaps: ReadonlyArray<Swap>): ReadonlyMap<string, Expected> => {
  const all = new Map<string, Expected>()
  const add = ({ vault, native, slack }: SwapSide, gain: bigint, caveat: string | null) => {
    const key = keyOf(vault, native)
    const so = all.get(key) ?? { vault, native, change: 0n, slack: 0n, caveat }
    all.set(key, {
      ...so,
      change: so.change + gain,
      slack: so.slack + slack,
      caveat: so.caveat ?? caveat
    })
  }
  for (const swap of swaps) {
    add(swap.in, swap.in.amount, swap.caveat)
    add(swap.out, -swap.out.amount, swap.caveat)
  }
  return all
}

/** Returns what was moved outside of the instructions that swap. */
const movesBeside = (
  { instructions }: Transaction,
  swaps: ReadonlyArray<Swap>
): ReadonlyArray<Move> => {
  const paths = new Set(swaps.map(({ path }) => path))
  const moves: Array<Move> = []
  /** the height of the swap that runs; below it everything is its own */
  let within = Number.POSITIVE_INFINITY
  for (const { path, height, move } of instructions) {
    if (height <= within) within = Number.POSITIVE_INFINITY
    if (height > within) continue
    if (paths.has(path)) within = height
    else if (move !== null) moves.push(move)
  }
  return moves
}

/** Returns what a vault gained by the node's balances; a text says why that is unknown. */
const gainedBy = (
  { tokenBalances, lamportChanges, hasBalances }: Transaction,
  { vault, native }: Expected
): bigint | string => {
  if (!hasBalances) return "the node told no balances"
  if (native) {
    const change = lamportChanges.get(vault)
    return change === null ? "the balance is beyond the numbers of JSON" : (change ?? 0n)
  }
  const held = tokenBalances.get(vault)
  return held === undefined ? "the node told no balance of the vault" : held.after - held.before
}

/**
 * Returns whether an instruction of a venue that is no swap that was read works on the vault: it
 * may move lamports without a transfer, or be a swap that could not be read.
 */
const isTouched = (
  { instructions }: Transaction,
  swaps: ReadonlyArray<Swap>,
  vault: string
): boolean => {
  const paths = new Set(swaps.map(({ path }) => path))
  const programs = new Set(swaps.map(({ venue }) => venue.program))
  return instructions.some(
    ({ path, program, accounts }) =>
      programs.has(program) && !paths.has(path) && accounts.includes(vault)
  )
}

const checkVault = (
  transaction: Transaction,
  swaps: ReadonlyArray<Swap>,
  expected: Expected,
  beside: ReadonlyArray<Move>
): VaultCheck => {
  const { vault, native, change, slack, caveat } = expected
  const gained = gainedBy(transaction, expected)
  if (typeof gained === "string") return unchecked(gained)
  const difference = gained - gainOf(beside, vault, native) - change
  if (difference >= 0n && difference <= slack) return OK
  if (caveat !== null) return unchecked(caveat)
  return isTouched(transaction, swaps, vault)
    ? unchecked("another instruction of the venue works on the vault")
    : { verdict: "bad", vault, difference }
}

/** The verdict on a swap is the worse of its two vaults'. */
const verdictOf = (swap: Swap, checks: ReadonlyMap<string, VaultCheck>): VaultCheck => {
  const both = [swap.in, swap.out].map(
    ({ vault, native }) => checks.get(keyOf(vault, native)) ?? OK
  )
  const worst = ["bad", "unchecked"].flatMap(word => both.filter(({ verdict }) => verdict === word))
  return worst[0] ?? OK
}

/** Returns the verdict on each swap of a transaction, in their order. */
export const checkVaults = (
  transaction: Transaction,
  swaps: ReadonlyArray<Swap>
): ReadonlyArray<VaultCheck> => {
  if (swaps.length === 0) return []
  const beside = movesBeside(transaction, swaps)
  const checks = new Map(
    [...expectedOf(swaps)].map(
      ([key, one]) => [key, checkVault(transaction, swaps, one, beside)] as const
    )
  )
  return swaps.map(swap => verdictOf(swap, checks))
}
