/**
 * The fold of markets: one pass over a slice's trades in log order. Hours are those of block time;
 * the newest one ever traded in is the clock of every window.
 */

import { BucketRing } from "../../engine/memory/bucket-ring.ts"
import { roomFor } from "../../engine/memory/room.ts"
import type { FoldContext } from "../../engine/projection.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { pools } from "../pools/output.ts"
import { pricesOutput as prices } from "../prices/output.ts"
import type { LatePrint } from "../prices/parked.ts"
import type { PricedSwaps } from "../prices/priced-swaps.ts"
import { wallets } from "../wallets/output.ts"
import { DayCounts } from "./day-counts.ts"
import { HOUR, hourOf } from "./hours.ts"
import { LastDay, sinceOf } from "./last-day.ts"
import { MakerSet } from "./maker-set.ts"
import { MarketIndex } from "./market-index.ts"
import { marketHoursTable, tokenHoursTable, tokenMarksTable } from "./tables.ts"
import { TokenMakers } from "./token-makers.ts"
import { TokenMarks } from "./token-marks.ts"

/** The columns of an hour of a market, and of a token, that are summed over the day. */
const marketSums = ["trades", "usd", "known", "known_usd"] as const
const tokenSums = ["trades", "buys", "buy_usd", "sell_usd", "known", "known_usd"] as const

/** Adds to what the slot of an hour holds, and to what the day of its id comes to. */
const add = (
  hour: Uint32Array | Float64Array,
  slot: number,
  day: Float64Array,
  id: number,
  by: number
): void => {
  hour[slot] = (hour[slot] as number) + by
  day[id] = (day[id] as number) + by
}

export class MarketFold {
  readonly index: MarketIndex
  readonly marketHours: BucketRing<(typeof marketHoursTable)["columns"]>
  readonly tokenHours: BucketRing<(typeof tokenHoursTable)["columns"]>
  readonly tokenMakers = new TokenMakers()
  readonly marketMakers: MakerSet
  readonly marks: TokenMarks
  readonly days: DayCounts
  /** by token and by market: the 24 hours that end with the present one */
  readonly ofTokens
  readonly ofMarkets
  /** start of the newest hour with a swap, Unix seconds; 0 before the first */
  hour = 0
  /** by place in `swaps` of the slice in hand */
  marketOf = new Uint32Array(4096)
  private readonly swaps: PricedSwaps
  private readonly late: ReadonlyArray<LatePrint>
  /** the first of `late` that is not taken yet */
  private nextLate = 0
  private readonly venueOf: () => ReadonlyArray<string | null>
  private readonly walletIds: () => Uint32Array
  private readonly firstOfDay: () => Uint8Array

  constructor(context: FoldContext) {
    const { state, output } = context
    const { swaps, late } = output(prices)
    this.swaps = swaps
    this.late = late
    const { ids, firstOfDay } = output(wallets)
    this.walletIds = ids
    this.firstOfDay = firstOfDay
    const poolColumns = output(pools).columns
    this.venueOf = () => poolColumns().venue
    this.index = new MarketIndex(context)
    this.marketHours = new BucketRing(state(marketHoursTable), "market", "hour")
    this.tokenHours = new BucketRing(state(tokenHoursTable), "token", "hour")
    this.marketMakers = new MakerSet(context)
    this.ofMarkets = new LastDay(this.marketHours, marketSums, this.marketMakers)
    this.ofTokens = new LastDay(this.tokenHours, tokenSums, this.tokenMakers)
    this.marks = new TokenMarks(state(tokenMarksTable), this.tokenHours)
    this.days = new DayCounts(context)
  }

  /** Start of the oldest of the 24 hours. */
  get since(): number {
    return sinceOf(this.hour)
  }

  apply(): void {
    const { swaps, index } = this
    this.nextLate = 0
    const venueOf = this.venueOf()
    const ids = this.walletIds()
    const firstOfDay = this.firstOfDay()
    this.marketOf = roomFor(this.marketOf, swaps.count)
    for (let t = 0; t < swaps.count; t++) {
      const ts = swaps.ts[t] as number
      this.takeLate(swaps.seq[t] as number)
      if (hourOf(ts) > this.hour) this.begin(hourOf(ts))
      const token0 = swaps.token0[t] as number
      const token1 = swaps.token1[t] as number
      const pool = swaps.pool[t] as number
      const market = index.of(pool, token0, token1, venueOf[pool] ?? null, ts)
      this.marketOf[t] = market
      const wallet = ids[t] as number
      const micro = swaps.usdMicro[t] as number
      const usd = Number.isNaN(micro) ? 0 : micro
      const counts = swaps.outlier0[t] === 0 && swaps.outlier1[t] === 0
      this.countMarket(t, market, counts ? usd : 0, wallet)
      this.countToken(t, 0, usd, wallet)
      this.countToken(t, 1, usd, wallet)
      this.days.count(this, market, counts ? usd : 0, wallet !== NONE && firstOfDay[t] === 1)
    }
    this.takeLate(Number.POSITIVE_INFINITY)
  }

  private countMarket(t: number, market: number, usd: number, wallet: number): void {
    const { hour } = this
    const slot = this.marketHours.present(market, hour)
    const { table } = this.marketHours
    const c = table.columns
    const day = this.ofMarkets.sumsFor(market)
    add(c.trades, slot, day.trades, market, 1)
    add(c.usd, slot, day.usd, market, usd)
    if (wallet !== NONE) {
      add(c.known, slot, day.known, market, 1)
      add(c.known_usd, slot, day.known_usd, market, usd)
      const ts = this.swaps.ts[t] as number
      // a swap may name the market's second token first
      const isTurned = this.swaps.token0[t] !== this.index.markets.columns.token0[market]
      const bought0 = this.swaps.bought0[t] as number
      const before = this.marketMakers.see(market, wallet, isTurned ? 1 - bought0 : bought0, ts)
      if (this.ofMarkets.isNew(before)) day.makers[market] = (day.makers[market] as number) + 1
      if (before < hour) c.makers[slot] = (c.makers[slot] as number) + 1
    }
    table.touch(slot)
  }

  /** Counts the print of one side of a swap; what an outlier costs does not count. */
  private countToken(t: number, side: 0 | 1, swapUsd: number, wallet: number): void {
    const { swaps, hour } = this
    const token = (side === 0 ? swaps.token0 : swaps.token1)[t] as number
    if (token === NONE) return
    const buy = swaps.bought0[t] === 1 - side ? 1 : 0
    const counts = (side === 0 ? swaps.outlier0 : swaps.outlier1)[t] === 0
    const usd = counts ? swapUsd : 0
    const ts = swaps.ts[t] as number
    const slot = this.tokenHours.present(token, hour)
    const { table } = this.tokenHours
    const c = table.columns
    const day = this.ofTokens.sumsFor(token)
    add(c.trades, slot, day.trades, token, 1)
    if (buy === 1) {
      add(c.buys, slot, day.buys, token, 1)
      add(c.buy_usd, slot, day.buy_usd, token, usd)
    } else add(c.sell_usd, slot, day.sell_usd, token, usd)
    const price = (side === 0 ? swaps.price0 : swaps.price1)[t] as number
    if (counts && price > 0) {
      c.close[slot] = price
      this.marks.see(token, price, ts)
    }
    if (wallet !== NONE) {
      add(c.known, slot, day.known, token, 1)
      add(c.known_usd, slot, day.known_usd, token, usd)
      const before = this.tokenMakers.see(token, wallet, buy, ts)
      if (this.ofTokens.isNew(before)) day.makers[token] = (day.makers[token] as number) + 1
      if (before < hour) c.makers[slot] = (c.makers[slot] as number) + 1
    }
    table.touch(slot)
  }

  /**
   * Prints that got their price only later, by an event before `seq`: their volume is counted
   * already.
   */
  private takeLate(seq: number): void {
    const { late, tokenHours, marks } = this
    for (let one = late[this.nextLate]; one && one.seq < seq; one = late[this.nextLate]) {
      this.nextLate++
      const { token, ts, price, outlier } = one
      if (!(price > 0) || outlier !== 0) continue
      const hour = hourOf(ts)
      marks.see(token, price, ts)
      const slot = tokenHours.find(token, hour)
      if (slot < 0) marks.leave(token, price, hour)
      else {
        tokenHours.table.columns.close[slot] = price
        tokenHours.table.touch(slot)
      }
    }
  }

  /** An hour begins: what lies a day back ends. */
  private begin(hour: number): void {
    this.days.begin(this, hour)
    this.hour = hour
    const { token, close, hour: hours } = this.tokenHours.table.columns
    this.ofTokens.begin(hour, slot => {
      const price = close[slot] as number
      if (price > 0) this.marks.leave(token[slot] as number, price, hours[slot] as number)
    })
    this.ofMarkets.begin(hour)
    this.tokenMakers.advance(this.since - HOUR)
    this.marketMakers.advance(this.since - HOUR)
  }

  reloaded(): void {
    const { marketHours } = this
    this.index.reload()
    const hours = marketHours.starts.subarray(0, marketHours.table.count)
    this.hour = hours.reduce((newest, hour) => Math.max(newest, hour), 0)
    this.marketMakers.reload(this.since - HOUR)
    this.mergeMakers()
    this.ofMarkets.reload(this.hour)
    this.ofTokens.reload(this.hour)
    this.days.reload()
  }

  /** Who traded the tokens follows from who traded their markets. */
  private mergeMakers(): void {
    const { marketMakers, tokenMakers } = this
    const { market, wallet, bought0_ts, bought1_ts } = marketMakers.table.columns
    const { token0, token1 } = this.index.markets.columns
    tokenMakers.clear()
    tokenMakers.advance(this.since - HOUR)
    const merge = (token: number, of: number, bought: number, sold: number): void => {
      if (token !== NONE) tokenMakers.merge(token, of, bought, sold)
    }
    marketMakers.each(slot => {
      const m = market[slot] as number
      const [b0, b1] = [bought0_ts[slot] as number, bought1_ts[slot] as number]
      merge(token0[m] as number, wallet[slot] as number, b0, b1)
      merge(token1[m] as number, wallet[slot] as number, b1, b0)
    })
  }
}
