/** A token's ledger as of a commit, from what the fold holds in memory. */
import { toHex } from "../../src/domain/address.ts"
import { type Audit, auditOf } from "./audits.ts"
import { WALLET } from "./known-holders.ts"
import type { HolderLedger, Mark } from "./ledger.ts"
import { type Sums, sumsOf, supplyRead } from "./supply.ts"

export interface HolderRow {
  readonly holder: string
  readonly balance: bigint
  readonly kind: number
}

/** All that answers are made of. The zero address is in none of it but the sums. */
export interface Reading {
  readonly logs: number
  readonly sums: Sums
  /** what was read since the token is in the ledger, and what explained it then */
  readonly supply: bigint | null
  readonly fits: number
  /** null before the first */
  readonly audit: Audit | null
  /** addresses with more, and with less, than nothing */
  readonly holders: number
  readonly negatives: number
  /** what those with more have together, and those of them that are no wallets */
  readonly held: bigint
  readonly heldElsewhere: bigint
  /** the largest, with at least as many wallets as were asked for unless there are no more */
  readonly top: ReadonlyArray<HolderRow>
  readonly marks: ReadonlyArray<Mark>
}

/** Largest balance first, then lowest address. */
export const compareRows = (a: HolderRow, b: HolderRow): number =>
  a.balance === b.balance ? (a.holder < b.holder ? -1 : 1) : a.balance > b.balance ? -1 : 1

/** A commit, and how much of a token is asked for. */
export interface Asked {
  readonly seq: number
  readonly block: number
  /** rows at least, and wallets among them, unless there are no more */
  readonly rows: number
  readonly wallets: number
}

const rowOf = (
  ledger: HolderLedger,
  entry: number,
  balance: bigint,
  { block }: Asked
): HolderRow => {
  const { holder } = ledger.tables.balances.columns
  const bytes = holder.subarray(entry * 20, entry * 20 + 20)
  return { holder: toHex(bytes), balance, kind: ledger.kindOf(entry, block) }
}

/**
 * The largest: those that stand in order in memory, but for what has moved since the commit, until
 * there are enough of them, and what of the moved was no smaller then.
 */
const topOf = (
  ledger: HolderLedger,
  token: number,
  before: ReadonlyMap<number, bigint>,
  asked: Asked
): ReadonlyArray<HolderRow> => {
  const top: Array<HolderRow> = []
  let wallets = 0
  let least = 1n
  ledger.memoryOf(token).order.walk(entry => {
    if (before.has(entry)) return true
    const row = rowOf(ledger, entry, ledger.balanceOf(entry), asked)
    top.push(row)
    if (row.kind === WALLET) wallets++
    if (top.length < asked.rows || wallets < asked.wallets) return true
    least = row.balance
    return false
  })
  if (before.size === 0) return top
  for (const [entry, balance] of before) {
    if (balance >= least) top.push(rowOf(ledger, entry, balance, asked))
  }
  return top.sort(compareRows)
}

interface Totals {
  holders: number
  negatives: number
  lacking: bigint
}

/** Takes back what a holder's change did to the totals. */
const revise = (totals: Totals, now: bigint, then: bigint): void => {
  totals.holders += (then > 0n ? 1 : 0) - (now > 0n ? 1 : 0)
  totals.negatives += (then < 0n ? 1 : 0) - (now < 0n ? 1 : 0)
  totals.lacking += (then < 0n ? then : 0n) - (now < 0n ? now : 0n)
}

/**
 * The ledger of a token when the tables stood at `seq`, which the fold may have left behind; null
 * where memory does not tell any more.
 */
export const readLedger = (ledger: HolderLedger, token: number, asked: Asked): Reading | null => {
  const { seq, block } = asked
  const memory = ledger.memoryOf(token)
  if (memory.factSeq > seq) return null
  const undone = ledger.journal.since(token, seq)
  if (undone === null) return null
  const totals = {
    holders: memory.order.size,
    negatives: memory.negatives,
    lacking: memory.lacking
  }
  const before = new Map<number, bigint>()
  for (const [entry, gained] of undone.gained) {
    const now = ledger.balanceOf(entry)
    before.set(entry, now - gained)
    revise(totals, now, now - gained)
  }
  const { columns } = ledger.tables.tokens
  const now = sumsOf(columns, token)
  const sums = {
    made: now.made - undone.made,
    burned: now.burned - undone.burned,
    kept: now.kept - undone.kept
  }
  let heldElsewhere = 0n
  for (const entry of memory.special) {
    if (ledger.kindOf(entry, block) === WALLET) continue
    const balance = before.get(entry) ?? ledger.balanceOf(entry)
    if (balance > 0n) heldElsewhere += balance
  }
  return {
    logs: (columns.logs[token] as number) - undone.logs,
    sums,
    supply: supplyRead(columns, token),
    fits: columns.fits[token] as number,
    audit: auditOf(ledger, token),
    holders: totals.holders,
    negatives: totals.negatives,
    // all balances together are what was made, but for what the zero address got
    held: sums.made - sums.kept - totals.lacking,
    heldElsewhere,
    top: topOf(ledger, token, before, asked),
    marks: memory.marks.filter(mark => mark.seq <= seq)
  }
}
