/** What `npm run solana:check` prints. */
import type { CheckedTransactions } from "../../streams/solana/checked-transactions.ts"
import type { SolanaVenue } from "../../streams/solana/venue.ts"
import type { VenueCounters, VenueTable } from "../../streams/solana/venue-table.ts"

/** In the order of the interface's status. */
const COUNTERS = [
  "events",
  "swaps",
  "ok",
  "bad",
  "unchecked",
  "noParent",
  "otherEvents"
] as const satisfies ReadonlyArray<keyof VenueCounters>

const counted = (n: number, one: string): string =>
  `${n.toLocaleString("en-US")} ${one}${n === 1 ? "" : "s"}`

/** Pads the cells of each column; texts to the left, numbers to the right. */
const aligned = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map(row => row[at]!.length)))
  return rows.map(row =>
    row
      .map((cell, at) => (at === 1 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join("  ")
  )
}

/** Returns the lines of the table of venues: a heading, a line a venue, and the sums. */
export const venueLines = (
  table: VenueTable,
  venues: ReadonlyArray<SolanaVenue>
): ReadonlyArray<string> => {
  const rows = venues.map(({ number, name }) => {
    const counters = table.get(number)
    return { number: `${number}`, name, cells: COUNTERS.map(word => counters?.[word] ?? 0) }
  })
  const sums = COUNTERS.map((_, at) => rows.reduce((sum, { cells }) => sum + cells[at]!, 0))
  return aligned([
    ["", "venue", ...COUNTERS],
    ...rows.map(({ number, name, cells }) => [number, name, ...cells.map(String)]),
    ["", "all", ...sums.map(String)]
  ])
}

/** Returns what is to be looked at: what is bad, and what could not be checked or read. */
export const remarkLines = ({ bad, remarks }: CheckedTransactions): ReadonlyArray<string> => [
  ...bad.map(line => `bad: ${line}`),
  ...[...remarks].map(([text, count]) => `${text}: ${count}`)
]

/**
 * Returns the table of venues with its sums, what is bad, what could not be checked or read, and
 * how much was read.
 */
export const solanaReport = (
  checked: CheckedTransactions,
  venues: ReadonlyArray<SolanaVenue>,
  malformed: ReadonlyArray<string>
): string => {
  const { table, transactions, failed, aggregated } = checked
  return [
    ...venueLines(table, venues),
    ...remarkLines(checked),
    ...malformed.map(line => `malformed: ${line}`),
    `${counted(transactions, "transaction")}, ${failed} of them failed, ` +
      `${counted(aggregated, "swap")} by aggregators`,
    ""
  ].join("\n")
}
