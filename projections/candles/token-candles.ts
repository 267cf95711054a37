/** The candles of every token over all its pools, a minute and an hour wide. */
import type { FoldContext } from "../../engine/projection.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Trades } from "../prices/trades.ts"
import { addDollars, countPrint, emptyDollars, emptyPrints } from "./bucket-sums.ts"
import type { SwapHash } from "./swap-hash.ts"
import {
  type BareColumns,
  bareHoursTable,
  bareMinutesTable,
  type CandleColumns,
  hourCandlesTable,
  minuteCandlesTable
} from "./tables.ts"

type Candles = SlotTable<CandleColumns>
type Bare = SlotTable<BareColumns>

/** What one token sees of a swap. */
interface Print {
  token: number
  /** dollars a whole token; NaN where unknown */
  price: number
  usdMicro: number
  isBuy: number
  isOutlier: number
}

/** Makes `bucket` the open one of a token: the one before is closed. */
const open = (candles: Candles, token: number, bucket: number): void => {
  if (token >= candles.count) candles.grow(token + 1)
  const before = candles.columns
  // a row has prints, or prices of prints that `bare` counts
  const isNew = before.trades[token] === 0 && before.n[token] === 0
  if (!isNew && before.t[token] === bucket) return
  candles.emit(token)
  const c = candles.columns
  c.token[token] = token
  c.t[token] = bucket
  emptyDollars(c, token)
  emptyPrints(c, token)
}

/** Adds the price and the dollars of a print to its token's open bucket, if they count. */
const addPrice = ({ columns: c }: Candles, print: Print): void => {
  const { token, price, usdMicro } = print
  if (!(usdMicro >= 0) || !(price > 0) || print.isOutlier !== 0) return
  addDollars(c, token, price, usdMicro, print.isBuy)
}

/** Counts a print in its token's open bucket. */
const count = ({ columns: c }: Candles | Bare, print: Print, hash: SwapHash): void => {
  countPrint(c, print.token, print.isBuy, print.isOutlier, hash)
}

/** Makes `bucket` the open one of a token without decimals. */
const openBare = (bare: Bare, token: number, bucket: number): void => {
  bare.grow(token + 1)
  if (bare.columns.trades[token] !== 0 && bare.columns.t[token] === bucket) return
  bare.emit(token)
  const c = bare.columns
  c.token[token] = token
  c.t[token] = bucket
  emptyPrints(c, token)
}

export class TokenCandles {
  private readonly minutes: Candles
  private readonly hours: Candles
  private readonly bareMinutes: Bare
  private readonly bareHours: Bare
  private readonly print: Print = {
    token: 0,
    price: Number.NaN,
    usdMicro: Number.NaN,
    isBuy: 0,
    isOutlier: 0
  }

  constructor(context: FoldContext) {
    this.minutes = context.state(minuteCandlesTable)
    this.hours = context.state(hourCandlesTable)
    this.bareMinutes = context.state(bareMinutesTable)
    this.bareHours = context.state(bareHoursTable)
  }

  /** Takes what both tokens of a swap see of it: each side by itself. */
  take(trades: Trades, i: number, hash: SwapHash): void {
    const { print } = this
    const ts = trades.ts[i] as number
    print.usdMicro = trades.usdMicro[i] as number
    const bought0 = trades.bought0[i] as number
    print.token = trades.token0[i] as number
    if (print.token !== NONE) {
      print.price = trades.price0[i] as number
      print.isBuy = bought0
      print.isOutlier = trades.outlier0[i] as number
      this.add(ts, hash, !Number.isNaN(trades.raw0[i]))
    }
    print.token = trades.token1[i] as number
    if (print.token !== NONE) {
      print.price = trades.price1[i] as number
      print.isBuy = 1 - bought0
      print.isOutlier = trades.outlier1[i] as number
      this.add(ts, hash, !Number.isNaN(trades.raw1[i]))
    }
  }

  /** Takes the price of a print that was counted before its token's decimals were known. */
  takeLate(late: Trades, i: number): void {
    const { print, minutes, hours } = this
    print.token = late.token0[i] as number
    print.price = late.price0[i] as number
    print.usdMicro = late.usdMicro[i] as number
    print.isBuy = late.bought0[i] as number
    print.isOutlier = late.outlier0[i] as number
    if (!(print.usdMicro >= 0) || !(print.price > 0) || print.isOutlier !== 0) return
    const ts = late.ts[i] as number
    open(minutes, print.token, ts - (ts % 60))
    addPrice(minutes, print)
    minutes.touch(print.token)
    open(hours, print.token, ts - (ts % 3600))
    addPrice(hours, print)
    hours.touch(print.token)
  }

  private add(ts: number, hash: SwapHash, isBare: boolean): void {
    const { print } = this
    const { token } = print
    const minute = ts - (ts % 60)
    const hour = ts - (ts % 3600)
    if (isBare) {
      openBare(this.bareMinutes, token, minute)
      count(this.bareMinutes, print, hash)
      this.bareMinutes.touch(token)
      openBare(this.bareHours, token, hour)
      count(this.bareHours, print, hash)
      this.bareHours.touch(token)
      return
    }
    open(this.minutes, token, minute)
    count(this.minutes, print, hash)
    addPrice(this.minutes, print)
    this.minutes.touch(token)
    open(this.hours, token, hour)
    count(this.hours, print, hash)
    addPrice(this.hours, print)
    this.hours.touch(token)
  }

  /** After a start or a rollback there are so many tokens. */
  reloaded(tokens: number): void {
    this.minutes.truncate(tokens)
    this.hours.truncate(tokens)
    this.bareMinutes.truncate(tokens)
    this.bareHours.truncate(tokens)
  }
}
