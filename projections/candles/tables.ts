/** The base tables of candles: versions of each token's buckets. */
import { table } from "../../engine/store/table.ts"

const columns = {
  token: { type: "u32" },
  /** bucket start, Unix seconds */
  t: { type: "u32" },
  o: { type: "f64" },
  h: { type: "f64" },
  l: { type: "f64" },
  c: { type: "f64" },
  /** micro-dollars */
  v: { type: "i64" },
  /** prints */
  n: { type: "u32" }
} as const

export type CandleColumns = typeof columns

export type BaseTable = "candles_1m" | "candles_1h"

export const minuteCandlesTable = table({
  name: "candles_1m",
  shape: "state",
  key: ["token", "t"],
  columns
})

export const hourCandlesTable = table({
  name: "candles_1h",
  shape: "state",
  key: ["token", "t"],
  columns
})
