/** The report that ends a replay: each venue's events in the log, and how exact our quotes are. */
import { Effect, Stream } from "effect"
import { effectiveRanges, type SeqRange } from "../../engine/log/effective.ts"
import { LOG_START, type Segment } from "../../engine/log/segment.ts"
import type { LogReader } from "../../engine/log/tape-log.ts"
import { VenueReport, type VenueRow } from "../../streams/quote-check/venue-report.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { progressBar } from "./progress.ts"

const takeSegment = (
  report: VenueReport,
  ranges: ReadonlyArray<SeqRange>,
  { header: { firstSeq, lastSeq }, batch }: Segment
): void => {
  for (const { from, to } of ranges) {
    if (to < firstSeq || from > lastSeq) continue
    report.take(batch, Math.max(0, from - firstSeq), Math.min(batch.count, to - firstSeq + 1))
  }
}

/** Reads the whole log once more and returns a row for each venue. */
export const reportVenues = (chain: ChainConfig, log: LogReader) =>
  Effect.gen(function* () {
    const { seq } = yield* log.end
    const headers = log.readRaw(LOG_START, { follow: false }).pipe(Stream.map(raw => raw.header))
    const ranges = effectiveRanges(yield* Stream.runCollect(headers))
    const report = new VenueReport(chain)
    const bar = progressBar(`report ${chain.key}`, seq)
    yield* log.read(LOG_START, { follow: false }).pipe(
      Stream.runForEach(segment =>
        Effect.sync(() => {
          takeSegment(report, ranges, segment)
          bar.at(segment.header.lastSeq, `${segment.header.lastSeq} of ${seq} events`)
        })
      ),
      Effect.ensuring(Effect.sync(bar.end))
    )
    return report.rows()
  })

const HEADINGS = ["venue", "kind", "logs", "swaps", "liquidity", "pools", "quarantined"]
const QUOTE_HEADINGS = ["known state", "exact quote", "share"]

const sum = (counts: { readonly [reason: string]: number }): number =>
  Object.values(counts).reduce((total, count) => total + count, 0)

/** Returns the share of exact quotes in percent, rounded down so that 100 means all. */
const shareOf = ({ quotes: { checked, exact } }: VenueRow): string =>
  checked === 0 ? "-" : `${(Math.floor((exact / checked) * 1e4) / 100).toFixed(2)} %`

const cellsOf = (row: VenueRow): ReadonlyArray<string> => [
  row.venue ?? (row.kind === null ? "no venue" : "factory unknown"),
  row.kind ?? "-",
  ...[row.logs, row.swaps, row.liquidity, row.pools, sum(row.quarantined)].map(String),
  ...[row.quotes.checked, row.quotes.exact].map(String),
  shareOf(row)
]

const reasonsOf = (row: VenueRow): ReadonlyArray<string> => {
  const lines = (label: string, counts: { readonly [reason: string]: number }) =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(
        ([reason, count]) => `${cellsOf(row)[0]} (${row.kind ?? "-"}): ${count} ${label}: ${reason}`
      )
  return [
    ...lines("not as quoted", row.quotes.other),
    ...lines("not checked", row.quotes.unknown),
    ...lines("quarantined", row.quarantined)
  ]
}

/** Returns the rows as a table, followed by the reasons of unchecked, inexact, quarantined logs. */
export const reportText = (rows: ReadonlyArray<VenueRow>): string => {
  const table = [[...HEADINGS, ...QUOTE_HEADINGS], ...rows.map(cellsOf)]
  const widths = table[0]?.map((_, i) => Math.max(...table.map(cells => cells[i]?.length ?? 0)))
  const lines = table.map(cells =>
    cells
      .map((cell, i) => (i < 2 ? cell.padEnd(widths?.[i] ?? 0) : cell.padStart(widths?.[i] ?? 0)))
      .join("  ")
  )
  return `${[...lines, ...rows.flatMap(reasonsOf)].join("\n")}\n`
}
