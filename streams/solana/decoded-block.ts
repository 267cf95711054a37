/** Blocks with what their transactions tell, before any of it is written. */
import type { PartOfBlock, SolanaBlock } from "./block.ts"
import { decodeTransaction } from "./decode-transaction.ts"
import type { Decoded } from "./swap.ts"
import type { MalformedTransaction, Transaction } from "./transaction.ts"
import { checkVaults, type VaultCheck } from "./vault-check.ts"
import { venuesByProgram } from "./venues.ts"

export interface ReadTransaction {
  readonly transaction: Transaction
  readonly decoded: Decoded
  readonly checks: ReadonlyArray<VaultCheck>
}

/** A transaction with what it tells; the reason of one that could not be read. */
type MaybeRead = { readonly unread: string } | ReadTransaction

type Transactions = ReadonlyArray<Transaction | MalformedTransaction>

/** A block as it is before it is written: its transactions are decoded. */
export interface DecodedBlock {
  readonly block: SolanaBlock | PartOfBlock
  readonly transactions: ReadonlyArray<MaybeRead>
}

/**
 * What lists of transactions come to: a source looks at what nodes tell before it gives a block
 * out, and whoever writes the block does not decode the same list again.
 */
const known = new WeakMap<Transactions, ReadonlyArray<MaybeRead>>()

/** Decodes the transactions of a block, and holds their swaps against the vaults. */
export const decodeTransactions = (transactions: Transactions): ReadonlyArray<MaybeRead> => {
  const before = known.get(transactions)
  if (before !== undefined) return before
  const all = transactions.map(one => {
    if (one._tag === "MalformedTransaction") return { unread: one.reason }
    const decoded = decodeTransaction(one, venuesByProgram)
    return { transaction: one, decoded, checks: checkVaults(one, decoded.swaps) }
  })
  known.set(transactions, all)
  return all
}

/** Whether no log is told of a transaction that is read: nodes may cut logs off, or keep none. */
export const lacksLogs = (transactions: Transactions): boolean =>
  transactions.some(one => one._tag === "Transaction" && one.log === "missing")

/** Decodes a block, whose mints may be asked for before it is written. */
export const decodeBlock = (block: SolanaBlock | PartOfBlock): DecodedBlock => ({
  block,
  transactions: decodeTransactions(block.transactions)
})

/**
 * The mints of a block's swaps, of its new pools and of their liquidity, each once. Swaps that
 * balances contradict become no facts, and their mints are not asked for.
 */
export const mintsOf = ({ transactions }: DecodedBlock): ReadonlyArray<string> => {
  const mints = new Set<string | null>()
  for (const one of transactions) {
    if ("unread" in one) continue
    for (const [at, swap] of one.decoded.swaps.entries()) {
      if (one.checks[at]?.verdict !== "bad") mints.add(swap.in.mint).add(swap.out.mint)
    }
    for (const { facts } of one.decoded.poolEvents) {
      if (facts.kind !== "graduated") for (const mint of facts.mints) mints.add(mint)
    }
  }
  return [...mints].filter(mint => mint !== null)
}
