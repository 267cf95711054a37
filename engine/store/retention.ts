/**
 * How long raw rows (the prints of the tape and their indices) are kept. Whole UTC days leave at
 * the front, by the time of the log's own blocks, so two machines with one log and one setting have
 * the same rows. What is folded from prints (candles, sums, marks) stays.
 *
 * Rows leave in two steps. Views hide the rows before the cutoff with the commit that moves it:
 * what readers see is a function of that commit. The rows are removed later, beside the fold, by
 * the cutoff of a block that no reorganisation reaches.
 */

/** What is kept of a lane's rows. */
export interface Retention {
  /** full UTC days of raw rows that are kept before the present one; null keeps all */
  readonly rawDays: number | null
}

export const KEEP_ALL: Retention = { rawDays: null }

/** The fewest days that may be kept: windows of 24 hours are read from raw rows. */
export const MIN_RAW_DAYS = 2

const DAY_SECONDS = 86_400

/** Returns the start of the oldest UTC day whose raw rows count, in Unix seconds; 0 for all. */
export const rawCutoff = ({ rawDays }: Retention, blockTime: number): number =>
  rawDays === null ? 0 : Math.max(0, (Math.floor(blockTime / DAY_SECONDS) - rawDays) * DAY_SECONDS)

/** Returns the setting as text, for the tables that were made with it. */
export const retentionText = ({ rawDays }: Retention): string =>
  rawDays === null ? "all" : String(rawDays)

/** Reads what `retentionText` wrote. */
export const retentionOf = (text: string): Retention => ({
  rawDays: text === "all" ? null : Number(text)
})
