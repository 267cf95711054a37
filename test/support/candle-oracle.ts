/** Candles straight from the rows of the tape, in plain code that shares nothing with the engine's. */

import { Effect } from "effect"
import { txOf } from "../../engine/store/sql.ts"
import { hexIds } from "../../src/domain/ids.ts"
import type { Connection } from "../../src/platform/duckdb.ts"

/** A swap as one of its tokens sees it. */
export interface OraclePrint {
  readonly token: number
  readonly other: number | null
  readonly pool: number
  readonly ts: number
  readonly block: number
  readonly logIndex: number
  readonly tx: string
  readonly isBuy: boolean
  readonly usdMicro: number | null
  readonly price: number | null
  readonly amount: number | null
  readonly otherAmount: number | null
  readonly isOutlier: boolean
  readonly wallet: string | null
}

const numberOf = (value: unknown): number | null => (value === null ? null : Number(value))

/** All prints of the tape in its order; decimals are known of all tokens. */
export const oraclePrints = (connection: Connection) =>
  connection.rows("SELECT * FROM tape ORDER BY seq").pipe(
    Effect.map(rows =>
      rows.flatMap(row =>
        ([0, 1] as const).flatMap((side): ReadonlyArray<OraclePrint> => {
          const token = numberOf(row[`token${side}`])
          if (token === null) return []
          return [
            {
              token,
              other: numberOf(row[`token${1 - side}`]),
              pool: Number(row["pool"]),
              ts: Number(row["ts"]),
              block: Number(row["block"]),
              logIndex: Number(row["log_index"]),
              tx: txOf(hexIds, row, "tx") ?? "",
              isBuy: Number(row["bought0"]) === 1 - side,
              usdMicro: numberOf(row["usd"]),
              price: numberOf(row[`price${side}`]),
              amount: numberOf(row[`amount${side}`]),
              otherAmount: numberOf(row[`amount${1 - side}`]),
              isOutlier: ((Number(row["flags"]) >> side) & 1) === 1,
              wallet: row["wallet_hi"] === null ? null : `${row["wallet_hi"]}/${row["wallet_lo"]}`
            }
          ]
        })
      )
    )
  )

const MASK = 0xffffffffn

/** One of the two words of a swap's hash, as the API's description says it. */
const wordOf = (tx: string, block: number, logIndex: number, seed: bigint, factor: bigint) => {
  const words = Array.from({ length: 8 }, (_, i) => BigInt(`0x${tx.slice(2 + i * 8, 10 + i * 8)}`))
  let h = seed
  for (const word of [...words, BigInt(block) & MASK, BigInt(logIndex)]) {
    h = ((h ^ word) * factor) & MASK
    h ^= h >> 15n
  }
  h = ((h ^ (h >> 16n)) * 0x85ebca6bn) & MASK
  h = ((h ^ (h >> 13n)) * 0xc2b2ae35n) & MASK
  return h ^ (h >> 16n)
}

/** The hash of a bucket with these swaps. */
export const oracleHash = (
  swaps: ReadonlyArray<{
    readonly tx: string
    readonly block: number
    readonly logIndex: number
  }>
): string => {
  const sum = (seed: bigint, factor: bigint) =>
    swaps.reduce((h, one) => h + wordOf(one.tx, one.block, one.logIndex, seed, factor), 0n) & MASK
  const hex = (word: bigint) => word.toString(16).padStart(8, "0")
  return hex(sum(0x243f6a88n, 0x9e3779b1n)) + hex(sum(0x85a308d3n, 0x85ebca77n))
}

export interface OracleOptions {
  readonly seconds: number
  readonly raw: boolean
  /** quote tokens instead of dollars; with the raw units of a whole token of both */
  readonly ratio?: { readonly scale: number; readonly otherScale: number }
}

const MONDAY = 4 * 86_400

/** What a print is worth in what is asked; null where it tells nothing. */
const toldBy = (print: OraclePrint, ratio: OracleOptions["ratio"]) => {
  if (ratio === undefined) {
    return print.usdMicro === null || print.price === null || !(print.price > 0)
      ? null
      : { price: print.price, volume: print.usdMicro }
  }
  const { amount, otherAmount } = print
  if (amount === null || otherAmount === null) return null
  const isEnough =
    Math.round(amount * ratio.scale) >= 1000 && Math.round(otherAmount * ratio.otherScale) >= 1000
  return isEnough ? { price: otherAmount / amount, volume: otherAmount } : null
}

/** Candles with all fields, of buckets with a price. */
export const oracleCandles = (prints: ReadonlyArray<OraclePrint>, options: OracleOptions) => {
  const { seconds, raw, ratio } = options
  const origin = seconds === 604_800 ? MONDAY : 0
  const byBucket = new Map<number, Array<OraclePrint>>()
  for (const print of prints) {
    const t = Math.floor((print.ts - origin) / seconds) * seconds + origin
    byBucket.set(t, [...(byBucket.get(t) ?? []), print])
  }
  return [...byBucket].flatMap(([t, list]) => {
    const believed = list.filter(print => raw || !print.isOutlier)
    const told = believed.flatMap(print => toldBy(print, ratio) ?? [])
    const paid = believed.filter(print => toldBy(print, undefined) !== null)
    const dollars = (some: ReadonlyArray<OraclePrint>) =>
      some.reduce((sum, print) => sum + (print.usdMicro ?? 0), 0) / 1e6
    const named = list.filter(one => one.wallet !== null)
    const walletsOf = (isBuy: boolean) =>
      named.length === 0
        ? null
        : new Set(named.flatMap(one => (one.isBuy === isBuy ? one.wallet : []))).size
    if (told.length === 0) return []
    const prices = told.map(one => one.price)
    const volume = told.reduce((sum, one) => sum + one.volume, 0)
    return [
      {
        t,
        o: prices[0],
        h: Math.max(...prices),
        l: Math.min(...prices),
        c: prices[prices.length - 1],
        v: ratio === undefined ? volume / 1e6 : volume,
        n: told.length,
        trades: list.length,
        buys: list.filter(one => one.isBuy).length,
        sells: list.filter(one => !one.isBuy).length,
        buyVol: dollars(paid.filter(one => one.isBuy)),
        sellVol: dollars(paid.filter(one => !one.isBuy)),
        filtered: list.filter(one => one.isOutlier).length,
        buyers: walletsOf(true),
        sellers: walletsOf(false),
        hash: oracleHash(list),
        state: "traded"
      }
    ]
  })
}
