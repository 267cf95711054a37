/** Reads which time the log covers, and tells answers what of theirs is unknown. */
import { Effect } from "effect"
import type { FoldsView, MemoryView, Row, RowsView, Settled } from "../../engine/query.ts"
import { versions } from "../../engine/store/sql.ts"
import { type CoveredTime, ofKept, type Stretch, unknownIn } from "../../src/domain/covered-time.ts"
import { shownChain, updatedAt } from "../../src/domain/shown-chain.ts"
import { missingSince, openIn, type SaidMarks, startOf } from "./log-marks.ts"
import { type Coverage, coverageOutput } from "./output.ts"
import { gapsTable, logStartTable, minuteBlocksTable } from "./tables.ts"

/** Newest versions of the minutes with their blocks. */
const minutesSql = (
  view: RowsView
): string => `(SELECT t, min(first_block) AS first_block, min(first_ts) AS first_ts,
    max(last_block) AS last_block, max(last_ts) AS last_ts
  FROM (${versions(view, minuteBlocksTable, "slot = 0")}) GROUP BY t)`

/** The newest known time before a block, and the oldest after another. */
const gapTimes = (view: RowsView, ranges: SaidMarks["open"]) =>
  `SELECT g.first, g.last,
     CASE WHEN a.last_block < g.first THEN a.last_ts ELSE a.first_ts END AS before,
     CASE WHEN b.first_block > g.last THEN b.first_ts ELSE b.last_ts END AS after
   FROM (VALUES ${ranges.map(one => `(${one.fromBlock}, ${one.toBlock})`).join(",")}) g(first, last)
   ASOF LEFT JOIN ${minutesSql(view)} a ON g.first > a.first_block
   ASOF LEFT JOIN ${minutesSql(view)} b ON g.last < b.last_block`

/**
 * The time that a gap's blocks may be of. Where blocks are a second apart at least, none is of the
 * same second as a known one.
 */
const stretchOf = ({ chain, blockTime }: MemoryView, row: Row): Stretch => {
  const apart = chain.blockTimeMs >= 1000 ? 1 : 0
  const [before, after] = [row["before"], row["after"]]
  return {
    from: before === null ? 0 : Number(before) + apart,
    to: after === null ? blockTime + 1 : Number(after) + 1 - apart
  }
}

/** What the log says as of the newest position that was asked for, by lane. */
const known = new WeakMap<Coverage, { readonly seq: number; readonly said: SaidMarks }>()

const readSaid = (view: RowsView) =>
  Effect.gen(function* () {
    const lane = view.output(coverageOutput)
    const before = known.get(lane)
    if (before?.seq === view.seq) return before.said
    const begun = yield* view.columns(
      `SELECT block, ts FROM (${versions(view, logStartTable, "true")})`
    )
    const { count, numbers } = yield* view.columns(
      `SELECT open, from_block, to_block FROM (${versions(view, gapsTable, "true")}) ORDER BY slot`
    )
    const blocks = begun.numbers("block")
    const start = begun.count === 0 ? 0 : startOf(blocks, begun.numbers("ts"))
    const said = { start, first: blocks[0] ?? 0, open: openIn(count, numbers) }
    known.set(lane, { seq: view.seq, said })
    return said
  })

/** What the log covers since a time. */
export const readCoverage = (view: RowsView, since: number) =>
  Effect.gen(function* () {
    const { start, first, open: all } = yield* readSaid(view)
    const open = missingSince(first, all)
    if (open.length === 0) return { start, gaps: [] }
    const rows = yield* view.rows(gapTimes(view, open))
    const gaps = rows
      .map(row => stretchOf(view, row))
      .filter(({ from, to }) => from < to && to > since)
      .sort((a, b) => a.from - b.from)
    return { start, gaps }
  })

/** Times of missing blocks, by what the log said of them. */
const timesRead = new WeakMap<SaidMarks, CoveredTime>()

/** What memory tells of covered time; null where the times of missing blocks are to be read. */
const heldCoverage = (view: FoldsView): CoveredTime | null => {
  const said = view.output(coverageOutput).said()
  if (missingSince(said.first, said.open).length > 0) return timesRead.get(said) ?? null
  return { start: said.start, gaps: [] }
}

/**
 * An answer of memory that tells which time the log covers. `told` adds it to what was made of the
 * folds before, which may have gone on when the times of missing blocks have been read.
 */
export const withCoverage = (
  view: FoldsView,
  told: (coverage: CoveredTime) => unknown
): Settled => {
  const held = heldCoverage(view)
  if (held !== null) return { value: told(held) }
  const said = view.output(coverageOutput).said()
  return {
    read: rows =>
      Effect.map(readCoverage(rows, 0), coverage => {
        // between known blocks: no later one tells more of their times
        const isBetween = said.open.every(({ toBlock }) => toBlock < rows.block)
        if (isBetween) timesRead.set(said, coverage)
        return told(coverage)
      })
  }
}

const decoder = new TextDecoder()

/**
 * Makes a page of a memory's answer: with its chain and time, and with what is unknown of the time
 * since `since`, up to the newest block.
 */
export const withUnknown = <A extends object>(
  view: FoldsView,
  since: number,
  answer: A
): Settled => {
  const { chain, blockTime } = view
  const page = { chain: shownChain(chain), ...answer, updatedAt: updatedAt(view) }
  const window = { from: since, to: blockTime + 1 }
  return withCoverage(view, coverage => ({ ...page, unknown: unknownIn(coverage, window) }))
}

/** As of when a page of a tape is told, and since when the trades of its time are kept. */
type TapeTime = Pick<MemoryView, "blockTime" | "keptFrom">

const unknownOfTape = (
  { blockTime, keptFrom }: TapeTime,
  coverage: CoveredTime
): ReadonlyArray<Stretch> =>
  unknownIn(ofKept(keptFrom.raw, coverage), { from: 0, to: blockTime + 1 })

/** Adds to a memory's page of a tape of which time prints may be missing, since the chain began. */
export const withUnknownOfTape = <A extends object>(view: FoldsView, page: A): Settled =>
  withCoverage(view, coverage => ({ ...page, unknown: unknownOfTape(view, coverage) }))

/** Of which time prints may be missing on a tape's page; null where memory does not tell. */
export const heldUnknownOfTape = (view: FoldsView): ReadonlyArray<Stretch> | null => {
  const coverage = heldCoverage(view)
  return coverage === null ? null : unknownOfTape(view, coverage)
}

/** Reads of which time prints may be missing on a tape's page, since the chain began. */
export const readUnknownOfTape = (view: RowsView, at: TapeTime = view) =>
  Effect.map(readCoverage(view, 0), coverage => unknownOfTape(at, coverage))

/** Does as `withUnknown` for an answer that is made as JSON, with its `unknown` in it. */
export const jsonWithUnknown = (
  view: FoldsView,
  since: number,
  make: (unknown: ReadonlyArray<Stretch>) => Uint8Array
): Settled => {
  const held = heldCoverage(view)
  if (held !== null) return { json: make(unknownIn(held, { from: since, to: view.blockTime + 1 })) }
  return withUnknown(view, since, JSON.parse(decoder.decode(make([]))) as object)
}

/**
 * The time of the newest block that no reorg is expected to undo, or a little before; null where
 * there is none. Every block of earlier times is final.
 */
export const finalTime = (view: RowsView) => {
  const final = view.block - view.chain.finalityDepth
  return view
    .rows(
      `SELECT first_ts, last_ts, last_block
       FROM (${versions(view, minuteBlocksTable, `slot = 0 AND first_block <= ${final}`)})
       ORDER BY t DESC, seq DESC LIMIT 1`
    )
    .pipe(
      Effect.map(([row]) => {
        if (row === undefined) return null
        return Number(row[Number(row["last_block"]) <= final ? "last_ts" : "first_ts"])
      })
    )
}
