/**
 * What candles are folded from, as SQL: the rows of base tables, and prints, of one token or of one
 * pair of a pool, in dollars or in the pair's quote token.
 */
import type { QueryContext } from "../../engine/query.ts"
import { versions } from "../../engine/store/sql.ts"
import { tokens } from "../tokens/output.ts"
import type { Stretch } from "./coverage.ts"
import type { Wallets } from "./distinct-wallets.ts"
import type { Bucket } from "./fold.ts"
import { MIN_RAW_UNITS } from "./pair-candles.ts"
import { recentBuckets, recentWallets } from "./recent-prints.ts"
import type { AnyFrame, TimeFrame } from "./time-frame.ts"

export interface Series {
  /** what tells its prints from those of others */
  readonly name: string
  /** the base table that a frame of a minute or more is folded from */
  readonly baseOf: (frame: TimeFrame) => TimeFrame["base"]
  /**
   * Prints of a time: `ts, seq, block, log_index, buy, usd, flags, wallet_hi, wallet_lo`, `dollars`
   * a whole token, and `price` and `volume` in what is asked; null prices where there are none.
   */
  readonly prints: (time: Stretch) => string
  /**
   * All versions of the buckets of a base table: `t, o, h, l, c, volume, n` in what is asked, `v,
   * bv` in micro-dollars, what counts all prints, `seq`, and `bare` by which rows of one time
   * differ.
   */
  readonly versions: (base: TimeFrame["base"], where: string) => string
  /** Whether volumes are whole numbers. */
  readonly isWhole: boolean
  /** Buckets of prints from memory; null where it does not hold them all. */
  readonly recalled: (time: Stretch, frame: AnyFrame, raw: boolean) => ReadonlyArray<Bucket> | null
  /** Distinct wallets by bucket, likewise. */
  readonly recalledWallets: (time: Stretch, frame: AnyFrame) => ReadonlyMap<number, Wallets> | null
  /** The newest bucket with a price, or an outlier, before a time: `t, c, outliers`. */
  readonly before: (base: TimeFrame["base"], to: number, withOutliers: boolean) => string
}

/** Raw units of a whole token; SQL's null where its decimals are unknown. */
const scaleSql = (context: QueryContext, token: number): string => {
  const scale = context.output(tokens).scale(token)
  return Number.isNaN(scale) ? "NULL::DOUBLE" : `${scale.toExponential()}::DOUBLE`
}

const timeOf = ({ from, to }: Stretch): string => `ts >= ${from} AND ts < ${to}`

/** Prints of a token by time. */
const printsOf = (where: string, columns: string): string =>
  `SELECT ${columns} FROM prints WHERE ${where} UNION ALL
   SELECT ${columns} FROM prints_tail WHERE ${where}`

const COUNTS = "trades, buys, outliers, hash_hi, hash_lo, seq"

const bareVersions = (base: TimeFrame["base"], where: string): string =>
  versions(
    base === "candles_1m" ? "bare_1m" : "bare_1h",
    where,
    `t, NULL, NULL, NULL, NULL, 0, 0, 0, 0, ${COUNTS}, 1`
  )

/** A token over all its pools, in dollars. */
export const tokenSeries = (context: QueryContext, token: number): Series => {
  const key = `token = ${token}`
  const columns = "ts, seq, block, log_index, buy, usd, flags, wallet_hi, wallet_lo"
  return {
    name: key,
    baseOf: frame => frame.base,
    isWhole: true,
    recalled: (time, frame, raw) => recentBuckets(context, token, frame, time, raw),
    recalledWallets: (time, frame) => recentWallets(context, token, frame, time),
    prints: time => `SELECT ${columns}, usd AS volume, dollars, dollars AS price FROM (
      SELECT *, CASE WHEN usd IS NULL THEN NULL
        WHEN unscaled = 1 THEN price / (amount / ${scaleSql(context, token)})
        ELSE price END AS dollars
      FROM (${printsOf(`${key} AND ${timeOf(time)}`, "*")}))`,
    versions: (base, where) => {
      const of = `${key} AND ${where}`
      const own = versions(base, of, `t, o, h, l, c, v AS volume, n, v, bv, ${COUNTS}, 0 AS bare`)
      return `${own} UNION ALL ${bareVersions(base, of)}`
    },
    before: (base, to, withOutliers) => `SELECT t, c, outliers
      FROM (${versions(base, `${key} AND t < ${to} ${withOutliers ? "" : "AND n > 0"}`)})
      WHERE n > 0 OR outliers > 0 ORDER BY t DESC, seq DESC LIMIT 1`
  }
}

/** A pair of a pool: ids of `pool_pairs`. */
export interface Pair {
  readonly pair: number
  readonly pool: number
  readonly base: number
  readonly quote: number
}

export type Unit = "dollars" | "ratio"

/** What a side of a swap says, for the base token. */
const ofBase = (base: number, name: string): string =>
  `CASE WHEN token0 = ${base} THEN ${name}0 ELSE ${name}1 END`

const bitOf = (base: number, name: string): string =>
  `(CASE WHEN token0 = ${base} THEN ${name} ELSE ${name} >> 1 END) & 1`

/** Whether so much of a token moved that rounding to raw units does not matter. */
const isEnough = (context: QueryContext, token: number, amount: string): string =>
  `${amount} * ${scaleSql(context, token)} >= ${MIN_RAW_UNITS - 0.5}`

const pairPrints = (context: QueryContext, { pool, base, quote }: Pair, unit: Unit) => {
  const isPair = `((token0 = ${base} AND token1 = ${quote})
    OR (token0 = ${quote} AND token1 = ${base}))`
  const price =
    unit === "dollars"
      ? "usd AS volume, dollars AS price"
      : `quote_amount AS volume, CASE WHEN unscaled = 0 AND base_amount > 0
           AND ${isEnough(context, base, "base_amount")}
           AND ${isEnough(context, quote, "quote_amount")}
         THEN quote_amount / base_amount END AS price`
  return (time: Stretch): string => {
    const where = `token = ${base} AND pool = ${pool} AND ${timeOf(time)}`
    return `SELECT ts, seq, block, log_index, buy, usd, flags, wallet_hi, wallet_lo, dollars, ${price}
      FROM (SELECT ts, seq, block, log_index, usd, wallet_hi, wallet_lo, unscaled,
          CASE WHEN token0 = ${base} THEN bought0 ELSE 1 - bought0 END AS buy,
          ${bitOf(base, "flags")} AS flags,
          ${ofBase(base, "amount")} AS base_amount, ${ofBase(quote, "amount")} AS quote_amount,
          CASE WHEN usd IS NOT NULL AND ${bitOf(base, "unscaled")} = 0
            THEN ${ofBase(base, "price")} END AS dollars
        FROM tape WHERE ${timeOf(time)} AND ${isPair}
          AND seq IN (${printsOf(where, "seq")}))`
  }
}

const RATIO = "ro AS o, rh AS h, rl AS l, rc AS c, rv AS volume, rn AS n"

/** A pair of a pool, in dollars or in quote tokens a base token. */
export const pairSeries = (context: QueryContext, pair: Pair, unit: Unit): Series => {
  const key = `pair = ${pair.pair}`
  const [price, close, count] =
    unit === "dollars" ? ["o, h, l, c, v AS volume, n", "c", "n"] : [RATIO, "rc AS c", "rn"]
  return {
    name: key,
    baseOf: () => "candles_1m",
    isWhole: unit === "dollars",
    recalled: () => null,
    recalledWallets: () => null,
    prints: pairPrints(context, pair, unit),
    versions: (_, where) =>
      versions(
        "pool_candles_1m",
        `${key} AND ${where}`,
        `t, ${price}, v, bv, ${COUNTS}, 0 AS bare`
      ),
    before: (_, to, withOutliers) => `SELECT t, ${close}, outliers
      FROM (${versions("pool_candles_1m", `${key} AND t < ${to}`)})
      WHERE ${count} > 0 ${withOutliers ? "OR outliers > 0" : ""}
      ORDER BY t DESC, seq DESC LIMIT 1`
  }
}
