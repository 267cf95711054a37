/**
 * What candles are made from, of one token or of one pair of a pool, in dollars or in the pair's
 * quote token: which base tables, and prints from memory or as SQL.
 */
import type { RowsView } from "../../engine/query.ts"
import { versions } from "../../engine/store/sql.ts"
import { readNames, type TableDef } from "../../engine/store/table.ts"
import type { Stretch } from "../../src/domain/covered-time.ts"
import { printsTable, tapeTable } from "../tape/tables.ts"
import { tokens } from "../tokens/output.ts"
import type { Draw, Traders } from "./distinct-wallets.ts"
import { MIN_RAW_UNITS } from "./fold.ts"
import { type Held, MOST_WALKED, type Prints, recentPrints, recentTraders } from "./prints.ts"
import {
  bareHoursTable,
  bareMinutesTable,
  hourCandlesTable,
  minuteCandlesTable,
  pairHoursTable,
  pairMinutesTable
} from "./tables.ts"
import type { AnyFrame } from "./time-frame.ts"

/** A table of base buckets. */
export interface Base {
  readonly table: TableDef
  /** counts of prints that are not in its buckets; null where there is no such table */
  readonly bare: TableDef | null
  readonly seconds: number
  /** rows are of `seconds`, or rolled up to so many: all are folded to these first */
  readonly rolledUp?: number
}

const minutes: Base = {
  table: minuteCandlesTable,
  bare: bareMinutesTable,
  seconds: 60
}
const hours: Base = { table: hourCandlesTable, bare: bareHoursTable, seconds: 3600 }
const pairMinutes: Base = { table: pairMinutesTable, bare: null, seconds: 60 }
const pairHours: Base = { table: pairHoursTable, bare: null, seconds: 60, rolledUp: 3600 }

/** What prices are in. */
export type Unit = "dollars" | "ratio"

export interface Series {
  /** the column of base tables that tells whose a bucket is, and its value there */
  readonly column: "token" | "pair"
  readonly slot: number
  /** the condition by which base tables hold its rows: no other series has it */
  readonly key: string
  readonly unit: Unit
  /** the base buckets that wider ones are made of; minutes of a frame below a minute */
  readonly baseOf: (frame: Pick<AnyFrame, "base">) => Base
  /**
   * Prints of a time, before a position if one is given: what `PRINT` names of the tape, `buy` and
   * `flags` of the token, `dollars` a whole token, and `price` and `volume` in what is asked; null
   * prices where there are none.
   */
  readonly prints: (time: Stretch, before?: number) => string
  /** The newest prints of a time, from memory; null where it has none of the series. */
  readonly recent: (time: Stretch) => Held<Prints> | null
  /** Who traded in prints, of the wallets that are drawn. */
  readonly traders: (time: Stretch, draw: Draw, before?: number) => string
  /** Who traded in the newest prints, likewise from memory. */
  readonly recentTraders: (time: Stretch, draw: Draw) => Held<Traders> | null
}

/** Raw units of a whole token; SQL's null where its decimals are unknown. */
const scaleSql = (view: RowsView, token: number): string => {
  const scale = view.output(tokens).scale(token)
  return Number.isNaN(scale) ? "NULL::DOUBLE" : `${scale.toExponential()}::DOUBLE`
}

/** What a print has of its swap, as the tape and its index of prints tell it. */
const PRINT = `ts, seq, block, log_index, usd, ${readNames(printsTable, "wallet", "tx")}`

const timeOf = ({ from, to }: Stretch): string => `ts >= ${from} AND ts < ${to}`

/** One more condition: that on positions. */
const seqOf = (before: number): string => (before === ALL ? "" : ` AND seq < ${before}`)

const ALL = Number.POSITIVE_INFINITY

/** A token over all its pools, in dollars; `most` of its newest swaps are looked at in memory. */
export const tokenSeries = (view: RowsView, token: number, most = MOST_WALKED): Series => {
  const key = `token = ${token}`
  const stored = (time: Stretch, before: number, columns: string, more = ""): string => {
    const where = `${key} AND ${timeOf(time)}${seqOf(before)}${more}`
    return versions(view, printsTable, where, columns, before - 1)
  }
  const dollars = `CASE WHEN usd IS NULL THEN NULL
    WHEN unscaled & 1 = 1 THEN price / (amount / ${scaleSql(view, token)}) ELSE price END`
  const columns = `${PRINT}, buy, flags, usd AS volume, ${dollars} AS dollars, ${dollars} AS price`
  return {
    ...{ column: "token", slot: token, key },
    unit: "dollars",
    baseOf: frame => (frame.base === "candles_1h" ? hours : minutes),
    recent: time => recentPrints(view, { token, most }, time),
    recentTraders: (time, draw) => recentTraders(view, { token, most }, time, draw),
    traders: (time, { columns, where }, before = ALL) =>
      stored(time, before, columns, ` AND ${where}`),
    prints: (time, before = ALL) => stored(time, before, columns)
  }
}

/** A pair of tokens in a pool: a market by its id, with the token that is priced. */
export interface Pair {
  readonly pair: number
  readonly pool: number
  readonly base: number
  readonly quote: number
}

/** What a side of a swap says, for the base token. */
const ofBase = (base: number, name: string): string =>
  `CASE WHEN token0 = ${base} THEN ${name}0 ELSE ${name}1 END`

const bitOf = (base: number, name: string): string =>
  `(CASE WHEN token0 = ${base} THEN ${name} ELSE ${name} >> 1 END) & 1`

/** Whether so much of a token moved that rounding to raw units does not matter. */
const isEnough = (view: RowsView, token: number, amount: string): string =>
  `${amount} * ${scaleSql(view, token)} >= ${MIN_RAW_UNITS - 0.5}`

const pairPrints = (view: RowsView, { pool, base, quote }: Pair, unit: Unit) => {
  const isPair = `((token0 = ${base} AND token1 = ${quote})
    OR (token0 = ${quote} AND token1 = ${base}))`
  const price =
    unit === "dollars"
      ? "usd AS volume, dollars AS price"
      : `quote_amount AS volume, CASE WHEN unscaled = 0 AND base_amount > 0
           AND ${isEnough(view, base, "base_amount")}
           AND ${isEnough(view, quote, "quote_amount")}
         THEN quote_amount / base_amount END AS price`
  return (time: Stretch): string => {
    const where = `token = ${base} AND pool = ${pool} AND ${timeOf(time)}`
    return `SELECT ${PRINT}, buy, flags, dollars, ${price}
      FROM (SELECT ${PRINT}, unscaled,
          CASE WHEN token0 = ${base} THEN bought0 ELSE 1 - bought0 END AS buy,
          ${bitOf(base, "flags")} AS flags,
          ${ofBase(base, "amount")} AS base_amount, ${ofBase(quote, "amount")} AS quote_amount,
          CASE WHEN usd IS NOT NULL AND ${bitOf(base, "unscaled")} = 0
            THEN ${ofBase(base, "price")} END AS dollars
        FROM ${tapeTable.name} WHERE ${timeOf(time)} AND ${isPair}
          AND seq IN (${versions(view, printsTable, where, "seq")}))`
  }
}

/** A pair of a pool, in dollars or in quote tokens a base token. */
export const pairSeries = (view: RowsView, pair: Pair, unit: Unit): Series => {
  const prints = pairPrints(view, pair, unit)
  return {
    ...{ column: "pair", slot: pair.pair, key: `pair = ${pair.pair}` },
    unit,
    baseOf: frame => (frame.base === "candles_1h" ? pairHours : pairMinutes),
    recent: () => null,
    recentTraders: () => null,
    traders: (time, { columns, where }) =>
      `SELECT ${columns} FROM (${prints(time)}) WHERE ${where}`,
    prints
  }
}
