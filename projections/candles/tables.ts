/** The base tables of candles: versions of each series' buckets. */
import { table } from "../../engine/store/table.ts"
import { countColumns, dollarColumns, PLAIN, ratioColumns } from "./bucket.ts"
import { rolledUpSql } from "./rolled-up.ts"

/** Bucket start, Unix seconds. */
const start = { t: { type: "u32" } } as const

const columns = { token: { type: "u32" }, ...start, ...dollarColumns, ...countColumns } as const

/** Minutes leave once they are older than the lane keeps. */
const leaves = { by: "t", after: "minutes" } as const

export const minuteCandlesTable = table({
  name: "candles_1m",
  shape: "state",
  key: ["token", "t"],
  leaves,
  columns,
  replica: { columns: PLAIN, rows: 1_500_000 }
})

export const hourCandlesTable = table({
  name: "candles_1h",
  shape: "state",
  key: ["token", "t"],
  columns,
  replica: { columns: PLAIN, rows: 300_000 }
})

/**
 * Prints of tokens whose decimals were not known then: counted here and not in the candles, whose
 * newest bucket may be behind when such prints get their price. What a bucket held is both.
 */
const bareColumns = { token: { type: "u32" }, ...start, ...countColumns } as const

export const bareMinutesTable = table({
  name: "bare_1m",
  shape: "state",
  key: ["token", "t"],
  leaves,
  columns: bareColumns
})

export const bareHoursTable = table({
  name: "bare_1h",
  shape: "state",
  key: ["token", "t"],
  columns: bareColumns
})

const pairBuckets = { ...dollarColumns, ...ratioColumns, ...countColumns } as const
const pairColumns = { pair: { type: "u32" }, ...start, ...pairBuckets } as const

export const pairMinutesTable = table({
  name: "pool_candles_1m",
  shape: "state",
  key: ["pair", "t"],
  leaves,
  columns: pairColumns
})

/**
 * Hours of a pool: of the minutes that left, and the minutes themselves where they are still there.
 * Hours written by the fold would cost a fifth of all folding.
 */
export const pairHoursTable = table({
  name: "pool_candles_1h",
  shape: "rollup",
  key: ["pair", "t"],
  rollsUp: pairMinutesTable,
  select: rolledUpSql("pair", 3600, pairBuckets),
  columns: pairColumns
})
