/** What the tables tell of how Solana is read: pace, gaps, and an hour that is recounted. */
import { Effect } from "effect"
import { type FoldsView, memoryQuery, type RowsView } from "../../../engine/query.ts"
import { newestOf, numberOf, versions } from "../../../engine/store/sql.ts"
import { readCoverage } from "../../../projections/coverage/covered-time.ts"
import type { SaidMarks } from "../../../projections/coverage/log-marks.ts"
import { coverageOutput, type SaidWords } from "../../../projections/coverage/output.ts"
import { minuteBlocksTable, quarantineMinutesTable } from "../../../projections/coverage/tables.ts"
import { DAY, HOUR, hourOf } from "../../../projections/markets/hours.ts"
import { pricesOutput } from "../../../projections/prices/output.ts"
import { tapeTable } from "../../../projections/tape/tables.ts"
import { tokens } from "../../../projections/tokens/output.ts"
import { FILE_GRADE } from "../../../src/domain/assurance.ts"
import { type CoveredTime, completeSince, isCovered } from "../../../src/domain/covered-time.ts"
import { idBytes } from "../../../src/domain/ids.ts"
import { KIND } from "../../../streams/batch/batch.ts"
import { CONTRADICTED_SWAP } from "../../../streams/quarantine-kind.ts"
import { checkHour } from "./hour-check.ts"

/** The time over which the pace is measured, seconds. */
const PACE_SECONDS = 300

/** Blocks of the minutes since a time. */
const blocksSince = (view: RowsView, since: number) =>
  Effect.map(
    view.rows(
      `SELECT min(first_block) AS first, min(first_ts) AS began, max(last_block) AS last,
         max(last_ts) AS ended
       FROM (${versions(view, minuteBlocksTable, `slot = 0 AND t >= ${since - (since % 60)}`)})`
    ),
    ([row]) => ({
      first: row === undefined ? null : numberOf(row, "first"),
      last: row === undefined ? null : numberOf(row, "last"),
      seconds: row === undefined ? 0 : (numberOf(row, "ended") ?? 0) - (numberOf(row, "began") ?? 0)
    })
  )

/** Slots and swaps a minute of the last minutes; null while less than some seconds were read. */
const paceOf = (view: RowsView) =>
  Effect.gen(function* () {
    const since = view.blockTime - PACE_SECONDS
    const { first, last, seconds } = yield* blocksSince(view, since)
    if (first === null || last === null || seconds <= 0) {
      return { slotsPerMin: null, swapsPerMin: null }
    }
    const from = view.blockTime - seconds
    const [row] = yield* view.rows(
      `SELECT count(*) AS n FROM ${tapeTable.name} WHERE ts > ${from} AND ts <= ${view.blockTime}`
    )
    const aMinute = (count: number): number => Math.round((count * 600) / seconds) / 10
    return {
      slotsPerMin: aMinute(last - first),
      swapsPerMin: aMinute(row === undefined ? 0 : (numberOf(row, "n") ?? 0))
    }
  })

/** Blocks of the last 24 hours that the log lacks. */
const missingOfDay = (view: RowsView, { open }: SaidMarks) =>
  Effect.gen(function* () {
    if (open.length === 0) return 0
    const { first } = yield* blocksSince(view, view.blockTime - DAY)
    return open.reduce((sum, { fromBlock, toBlock }) => {
      const from = Math.max(fromBlock, first ?? 0)
      return sum + Math.max(0, toBlock - from + 1)
    }, 0)
  })

/**
 * Share of the day's swaps that may go unread: on the chain itself some instructions of venues tell
 * nothing of what they moved, and one of them says nothing against the totals of a day.
 */
const MOST_UNREAD = 1e-4

const swapsSince = (view: RowsView, since: number) =>
  Effect.map(
    view.rows(`SELECT count(*) AS n FROM ${tapeTable.name} WHERE ts > ${since}`),
    ([row]) => (row === undefined ? 0 : (numberOf(row, "n") ?? 0))
  )

/**
 * What the log quarantines of the last 24 hours: swaps that their vaults contradict, whose reason
 * has that place, and whatever else of a venue could not be read.
 */
const quarantinedOfDay = (view: RowsView, contradicted: number) =>
  Effect.gen(function* () {
    const since = view.blockTime - DAY
    const minutes = newestOf(
      view,
      quarantineMinutesTable,
      `t >= ${since - (since % 60)}`,
      "slot, t"
    )
    const [row] = yield* view.rows(
      `SELECT coalesce(sum(logs) FILTER (slot = ${contradicted}), 0)::BIGINT AS bad,
         coalesce(sum(logs) FILTER (slot <> ${contradicted}), 0)::BIGINT AS unread FROM ${minutes}`
    )
    const count = (column: string) => (row === undefined ? 0 : (numberOf(row, column) ?? 0))
    const unread = count("unread")
    const isMuch = unread > 0 && unread > MOST_UNREAD * (yield* swapsSince(view, since))
    return { contradicted24h: count("bad"), unread24h: unread, isMuchUnread: isMuch }
  })

/**
 * The second from which on no block is of a file: nothing shows which slots a file lacks. 0 where
 * the log has no such block.
 */
const filesUntil = (view: RowsView, words: ReadonlyArray<SaidWords>) =>
  Effect.gen(function* () {
    const last = words.reduce(
      (to, { grade, toBlock }) => (grade === FILE_GRADE ? Math.max(to, toBlock) : to),
      -1
    )
    if (last < 0) return 0
    const [row] = yield* view.rows(
      `SELECT min(first_ts) AS began
       FROM (${versions(view, minuteBlocksTable, `slot = 0 AND first_block > ${last}`)})`
    )
    return (row === undefined ? null : numberOf(row, "began")) ?? view.blockTime + 1
  })

/** Dollars of a SOL; null where no pool prices it. */
const solUsdOf = (view: FoldsView): number | null => {
  const { nativeToken } = view.chain
  const token = nativeToken === null ? -1 : view.output(tokens).find(idBytes(nativeToken))
  const price = token < 0 ? Number.NaN : view.output(pricesOutput).priceOf(token)
  return Number.isFinite(price) ? price : null
}

/** Why the newest hour that is over is not recounted; null where all of it was read. */
const uncheckedOf = (
  coverage: CoveredTime,
  hour: number,
  ofFilesUntil: number
): "young" | "gap" | "files" | null => {
  if (hour < coverage.start) return "young"
  if (!isCovered(coverage, { from: hour, to: hour + HOUR })) return "gap"
  return hour < ofFilesUntil ? "files" : null
}

/** What memory tells: as of the position where it is looked at, which the rows are of too. */
const heldOf = (view: FoldsView) => {
  const { said, words, events, quarantined } = view.output(coverageOutput)
  return {
    said: said(),
    words: words(),
    slots: events()[KIND.BlockSealed] ?? 0,
    swaps: events()[KIND.SwapExecuted] ?? 0,
    contradicted: quarantined().findIndex(({ reason }) => reason === CONTRADICTED_SWAP),
    solUsd: solUsdOf(view)
  }
}

/** The hour is the newest that is over, where all of it was read. */
export const solanaIngest = memoryQuery("solanaIngest", held => {
  const { said, words, slots, swaps, contradicted, solUsd } = heldOf(held)
  const read = (view: RowsView) =>
    Effect.gen(function* () {
      const hour = hourOf(view.blockTime) - HOUR
      const coverage = yield* readCoverage(view, 0)
      const ofFilesUntil = yield* filesUntil(view, words)
      const unchecked = uncheckedOf(coverage, hour, ofFilesUntil)
      const since = Math.max(completeSince(coverage), ofFilesUntil)
      return {
        genesisSlot: said.first,
        slots,
        swaps,
        ...(yield* paceOf(view)),
        solUsd,
        block: view.block,
        at: view.blockTime,
        liveHours: Math.max(0, Math.floor((hour + HOUR - Math.max(since, 0)) / HOUR)),
        missing24h: yield* missingOfDay(view, said),
        ...(yield* quarantinedOfDay(view, contradicted)),
        ofFiles24h: ofFilesUntil > view.blockTime - DAY,
        unchecked,
        hourCheck: unchecked === null ? yield* checkHour(view, hour) : null
      }
    })
  return { read }
})
