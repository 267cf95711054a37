/** Reads a token's ledger in memory. */
import { ID_BYTES } from "../../src/domain/ids.ts"
import { topOf } from "../../src/math/top.ts"
import { WALLET } from "./known-holders.ts"
import type { HolderLedger } from "./ledger.ts"

export interface HolderRow {
  readonly holder: string
  readonly balance: bigint
  readonly kind: number
}

/** Compares rows for sorting: largest balance first, then lowest address. */
export const compareRows = (a: HolderRow, b: HolderRow): number =>
  a.balance === b.balance ? (a.holder < b.holder ? -1 : 1) : a.balance > b.balance ? -1 : 1

const rowOf = (ledger: HolderLedger, entry: number): HolderRow => ({
  holder: ledger.form.account(ledger.tables.balances.columns.holder, entry * ID_BYTES),
  balance: ledger.balanceOf(entry),
  kind: ledger.kinds[entry] as number
})

/** The balances of a token. The zero address has none. */
export interface Balances {
  /** numbers of addresses with a positive and with a negative balance */
  readonly holders: number
  readonly negatives: number
  /** sum of the negative balances, and of the positive ones that are no wallets' */
  readonly lacking: bigint
  readonly heldElsewhere: bigint
  /** the largest holders: as many wallets as asked for among them, where there are */
  readonly top: ReadonlyArray<HolderRow>
}

/**
 * Looks at all balances of a token once. Nothing keeps them in order as they change: that would
 * cost each transfer more than a look costs who asks.
 */
export const readBalances = (ledger: HolderLedger, token: number, wallets: number): Balances => {
  const { ranks, kinds } = ledger
  const holders = ledger.entries.of(token)
  let size = 0
  let others = 0
  let negatives = 0
  let lacking = 0n
  let heldElsewhere = 0n
  for (let i = 0; i < holders.length; i++) {
    const entry = holders[i] as number
    const rank = ranks[entry] as number
    if (rank > 0) {
      holders[size++] = entry
      if (kinds[entry] === WALLET) continue
      others++
      heldElsewhere += ledger.balanceOf(entry)
    } else if (rank < 0) {
      negatives++
      lacking += ledger.balanceOf(entry)
    }
  }
  const compare = (a: number, b: number): number =>
    (ranks[b] as number) - (ranks[a] as number) || compareRows(rowOf(ledger, a), rowOf(ledger, b))
  const top = topOf(holders.subarray(0, size), wallets + others, compare)
  return {
    ...{ holders: size, negatives, lacking, heldElsewhere },
    top: top.map(entry => rowOf(ledger, entry))
  }
}
