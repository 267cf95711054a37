/** Reads a token's ledger in memory. */
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

/** All that an answer needs. The zero address counts in the sums only. */
export interface Reading {
  readonly logs: number
  readonly sums: Sums
  /** the supply read since the token is in the ledger, and what explained it (`fitsOf`) */
  readonly supply: bigint | null
  readonly fits: number
  /** null before the first audit */
  readonly audit: Audit | null
  /** numbers of addresses with a positive and with a negative balance */
  readonly holders: number
  readonly negatives: number
  /** sum of the positive balances, and of those among them that are no wallets' */
  readonly held: bigint
  readonly heldElsewhere: bigint
  /** the largest holders: as many rows and as many wallets as asked for, where there are */
  readonly top: ReadonlyArray<HolderRow>
  readonly marks: ReadonlyArray<Mark>
}

/** Compares rows for sorting: largest balance first, then lowest address. */
export const compareRows = (a: HolderRow, b: HolderRow): number =>
  a.balance === b.balance ? (a.holder < b.holder ? -1 : 1) : a.balance > b.balance ? -1 : 1

/** How many of the largest holders are wanted: rows, and wallets among them, at least. */
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

/** Returns the largest holders until there are enough rows and wallets. */
const topOf = (ledger: HolderLedger, token: number, wanted: Asked): ReadonlyArray<HolderRow> => {
  const top: Array<HolderRow> = []
  let wallets = 0
  ledger.memoryOf(token).order.walk(entry => {
    const row = rowOf(ledger, entry)
    top.push(row)
    if (row.kind === WALLET) wallets++
    return top.length < wanted.rows || wallets < wanted.wallets
  })
  return top
}

/** Reads a token's ledger. */
export const readLedger = (ledger: HolderLedger, token: number, wanted: Asked): Reading => {
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
    // the sum of all balances is what was minted less burnt, without mints to the zero address
    held: sums.made - sums.kept - lacking,
    heldElsewhere,
    top: topOf(ledger, token, wanted),
    marks
  }
}
