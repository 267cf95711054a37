/**
 * How long rows are kept that leave with time. Whole UTC days leave at the front, by the time of
 * the log's own blocks, so two machines with one log and one setting have the same rows. Rows leave
 * by classes: `raw` are prints and their indices, `minutes` the candles of a minute. What is folded
 * from prints (hours, sums, marks) stays.
 *
 * Rows leave in two steps. Views hide the rows before the cutoff with the commit that moves it:
 * what readers see is a function of that commit. The rows are removed later, beside the fold, by
 * the cutoff of a block that no reorganisation reaches.
 */

export const ROW_CLASSES = ["raw", "minutes"] as const
/** A class of rows that leave together (`leaves` of a table). */
export type RowClass = (typeof ROW_CLASSES)[number]

/** By class: full UTC days that are kept before the present one; null keeps all. */
export type Retention = { readonly [rows in RowClass]: number | null }

/** By class: Unix seconds from which on rows are kept; 0 where all are. */
export type KeptFrom = { readonly [rows in RowClass]: number }

export const KEEP_ALL: Retention = { raw: null, minutes: null }

/** The settings by which operators choose. */
export const RETENTION_SETTINGS: { readonly [rows in RowClass]: string } = {
  raw: "RETENTION_RAW_DAYS",
  minutes: "RETENTION_MINUTES_DAYS"
}

/** The fewest days that may be kept: windows of 24 hours are read from prints and minutes. */
export const MIN_DAYS = 2

const DAY_SECONDS = 86_400

const cutoffOf = (days: number | null, blockTime: number): number =>
  days === null ? 0 : Math.max(0, (Math.floor(blockTime / DAY_SECONDS) - days) * DAY_SECONDS)

/** Where nothing has left yet. */
export const NOTHING_LEFT: KeptFrom = { raw: 0, minutes: 0 }

/** Returns the starts of the oldest UTC days whose rows count as of a block's time. */
export const keptFrom = ({ raw, minutes }: Retention, blockTime: number): KeptFrom => ({
  raw: cutoffOf(raw, blockTime),
  minutes: cutoffOf(minutes, blockTime)
})

/**
 * Returns why a setting cannot be; null where it can. Trades tell minutes, so minutes that leave
 * first would leave frames of a second that reach further back than those of a minute.
 */
export const refusedRetention = ({ raw, minutes }: Retention): string | null =>
  minutes === null || (raw !== null && raw <= minutes)
    ? null
    : `${RETENTION_SETTINGS.minutes}=${minutes} wants ${RETENTION_SETTINGS.raw} too, of at most ` +
      `${minutes}: trades, which minutes are made of, are not kept longer than those`

/** Returns the days of a class as a setting has them. */
export const daysText = (days: number | null): string => (days === null ? "all" : String(days))

/** Returns the setting as text, for the tables that were made with it. */
export const retentionText = (retention: Retention): string =>
  ROW_CLASSES.map(rows => daysText(retention[rows])).join(" ")

/** Reads what `retentionText` wrote. */
export const retentionOf = (text: string): Retention => {
  const [raw = null, minutes = null] = text
    .split(" ")
    .map(days => (days === "all" ? null : Number(days)))
  return { raw, minutes }
}
