/** What a run over many transactions finds: the table of venues, and what is to be looked at. */
import { aggregatorOf } from "./aggregators.ts"
import type { BlockContent } from "./block.ts"
import { decodeTransaction } from "./decode-transaction.ts"
import type { Decoded, Swap } from "./swap.ts"
import { contradiction } from "./swap-events.ts"
import type { Transaction } from "./transaction.ts"
import { checkVaults, type VaultCheck } from "./vault-check.ts"
import type { SolanaVenue } from "./venue.ts"
import { emptyTable, type VenueTable, withTable, withTransaction } from "./venue-table.ts"

export interface CheckedTransactions {
  readonly transactions: number
  readonly failed: number
  readonly aggregated: number
  readonly table: VenueTable
  /** a line for each swap that its vaults contradict, of the first thousand */
  readonly bad: ReadonlyArray<string>
  /** how often swaps could not be checked, or not be read, by venue and reason */
  readonly remarks: ReadonlyMap<string, number>
}

export const nothingChecked = (venues: ReadonlyArray<SolanaVenue>): CheckedTransactions => ({
  transactions: 0,
  failed: 0,
  aggregated: 0,
  table: emptyTable(venues),
  bad: [],
  remarks: new Map()
})

const MOST_BAD = 1_000

const badLine = (signature: string, swap: Swap, check: VaultCheck): Array<string> =>
  check.verdict === "bad" ? [`${signature}: ${contradiction(swap, check)}`] : []

/** Returns what is found with one transaction more, which is decoded and checked. */
export const withDecoded = (
  so: CheckedTransactions,
  transaction: Transaction,
  decoded: Decoded,
  checks: ReadonlyArray<VaultCheck>
): CheckedTransactions => {
  const { swaps, refusals } = decoded
  let { remarks } = so
  const remark = (text: string): void => {
    const count = (remarks.get(text) ?? 0) + 1
    remarks = new Map(remarks).set(text, count)
  }
  const bad = swaps.flatMap((swap, at) => badLine(transaction.signature, swap, checks[at]!))
  for (const [at, check] of checks.entries()) {
    if (check.verdict === "unchecked") {
      remark(`unchecked: ${swaps[at]!.venue.name}: ${check.reason}`)
    }
  }
  for (const { venue, reason } of refusals) remark(`not read: ${venue.name}: ${reason}`)
  const routed = swaps.filter(({ path }) => aggregatorOf(transaction, path) !== null)
  if (transaction.log === "unmatched") remark("a log whose lines are not its instructions'")
  return {
    transactions: so.transactions + 1,
    failed: so.failed + (transaction.failed ? 1 : 0),
    aggregated: so.aggregated + routed.length,
    table: withTransaction(so.table, decoded, checks),
    bad: bad.length === 0 ? so.bad : [...so.bad, ...bad].slice(0, MOST_BAD),
    remarks
  }
}

/**
 * Returns what is found with one transaction more.
 *
 * @param venues by their programs
 */
export const withChecked = (
  so: CheckedTransactions,
  transaction: Transaction,
  venues: ReadonlyMap<string, SolanaVenue>
): CheckedTransactions => {
  const decoded = decodeTransaction(transaction, venues)
  return withDecoded(so, transaction, decoded, checkVaults(transaction, decoded.swaps))
}

/** Returns what is found with a block more; votes and failed transactions are only counted. */
export const withBlock = (
  so: CheckedTransactions,
  { transactions, signatures, failed }: BlockContent,
  venues: ReadonlyMap<string, SolanaVenue>
): CheckedTransactions => {
  const read = transactions.filter(one => one._tag === "Transaction")
  const checked = read.reduce((found, one) => withChecked(found, one, venues), so)
  const others = signatures.length - transactions.length
  return {
    ...checked,
    transactions: checked.transactions + others,
    failed: checked.failed + failed
  }
}

/** Returns what two runs found together. */
export const bothChecked = (
  a: CheckedTransactions,
  b: CheckedTransactions
): CheckedTransactions => {
  const remarks = new Map(a.remarks)
  for (const [text, count] of b.remarks) remarks.set(text, (remarks.get(text) ?? 0) + count)
  return {
    transactions: a.transactions + b.transactions,
    failed: a.failed + b.failed,
    aggregated: a.aggregated + b.aggregated,
    table: withTable(a.table, b.table),
    bad: [...a.bad, ...b.bad].slice(0, MOST_BAD),
    remarks
  }
}
