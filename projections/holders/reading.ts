/** A token's ledger as it is folded. */
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

/** How much of a token is asked for: rows at least, and wallets among them, where there are. */
export interface Asked {
  readonly rows: number
  readonly wallets: number
}

const rowOf = (ledger: HolderLedger, entry: number): HolderRow => {
  const { holder } = ledger.tables.balances.columns
  const bytes = holder.subarray(entry * 20, entry * 20 + 20)
  return {
    holder: toHex(bytes),
    balance: ledger.balanceOf(entry),
    kind: ledger.kindOf(entry)
  }
}

/** The largest, until there are enough of them. */
const topOf = (ledger: HolderLedger, token: number, asked: Asked): ReadonlyArray<HolderRow> => {
  const top: Array<HolderRow> = []
  let wallets = 0
  ledger.memoryOf(token).order.walk(entry => {
    const row = rowOf(ledger, entry)
    top.push(row)
    if (row.kind === WALLET) wallets++
    return top.length < asked.rows || wallets < asked.wallets
  })
  return top
}

/** What is told of a token. */
export const readLedger = (ledger: HolderLedger, token: number, asked: Asked): Reading => {
  const { order, negatives, lacking, special, marks } = ledger.memoryOf(token)
  const { columns } = ledger.tables.tokens
  const sums = sumsOf(columns, token)
  let heldElsewhere = 0n
  for (const entry of special) {
    const balance = ledger.balanceOf(entry)
    if (balance > 0n) heldElsewhere += balance
  }
  return {
    logs: columns.logs[token] as number,
    sums,
    supply: supplyRead(columns, token),
    fits: columns.fits[token] as number,
    audit: auditOf(ledger, token),
    holders: order.size,
    negatives,
    // all balances together are what was made, but for what the zero address got
    held: sums.made - sums.kept - lacking,
    heldElsewhere,
    top: topOf(ledger, token, asked),
    marks
  }
}
