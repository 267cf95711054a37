/**
 * The fold of markets: one pass over a slice's trades in log order. Hours are those of block time;
 * the newest one ever traded in is the clock of every window.
 */
import type { FoldContext, Slice } from "../../engine/projection.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { pools } from "../pools/output.ts"
import { pricesOutput as prices } from "../prices/output.ts"
import type { PricedSwaps } from "../prices/priced-swaps.ts"
import { wallets } from "../wallets/output.ts"
import { BucketRing } from "./bucket-ring.ts"
import { DayCounts } from "./day-counts.ts"
import { DaySums } from "./day-sums.ts"
import { HourSlots } from "./hour-slots.ts"
import { type HourTotal, marketHour, marketSums, tokenHour, tokenSums } from "./hour-sums.ts"
import { DAY, HOUR, hourOf } from "./hours.ts"
import { LastHours } from "./last-hours.ts"
import { MakerSet } from "./maker-set.ts"
import { MarketIndex } from "./market-index.ts"
import {
  chainDaysTable,
  listingsTable,
  marketHoursTable,
  marketMakersTable,
  marketsTable,
  oddDaysTable,
  tokenHoursTable,
  tokenMarksTable,
  venueDaysTable,
  venuesTable
} from "./tables.ts"
import { TokenMakers } from "./token-makers.ts"
import { newestCloses, TokenMarks } from "./token-marks.ts"

export class MarketFold {
  readonly index: MarketIndex
  readonly marketHours: BucketRing<(typeof marketHoursTable)["columns"]>
  readonly tokenHours: BucketRing<(typeof tokenHoursTable)["columns"]>
  readonly tokenMakers = new TokenMakers()
  readonly marketMakers: MakerSet
  readonly marks: TokenMarks
  readonly days: DayCounts
  /** by token and by market: sums of the 24 hours that end with the present one */
  readonly ofTokens = new DaySums(tokenSums)
  readonly ofMarkets = new DaySums(marketSums)
  /** wallets of each token and market by the hour of their last swap, in the 24 hours */
  private readonly lastOfTokens = new LastHours()
  private readonly lastOfMarkets = new LastHours()
  private readonly hourSlots = new HourSlots()
  /** sums of hours that are over */
  private readonly totals = new Map<number, HourTotal>()
  /** start of the newest hour with a swap, Unix seconds; 0 before the first */
  hour = 0
  private readonly swaps: PricedSwaps
  private readonly late: PricedSwaps
  /** the first of `late` that is not taken yet */
  private nextLate = 0
  private readonly venueOf: () => ReadonlyArray<string | null>
  private readonly walletIds: () => Uint32Array
  private readonly firstOfDay: () => Uint8Array

  constructor(context: FoldContext) {
    const { swaps, late } = context.output(prices)
    this.swaps = swaps
    this.late = late
    const { ids, firstOfDay } = context.output(wallets)
    this.walletIds = ids
    this.firstOfDay = firstOfDay
    const poolColumns = context.output(pools).columns
    this.venueOf = () => poolColumns().venue
    this.index = new MarketIndex(
      context.state(marketsTable),
      context.state(listingsTable),
      context.state(venuesTable)
    )
    this.marketHours = new BucketRing(context.state(marketHoursTable), "market", "hour")
    this.tokenHours = new BucketRing(context.state(tokenHoursTable), "token", "hour")
    this.marketMakers = new MakerSet(context.state(marketMakersTable))
    this.marks = new TokenMarks(context.state(tokenMarksTable))
    this.days = new DayCounts(
      context.state(venueDaysTable),
      context.state(chainDaysTable),
      context.state(oddDaysTable)
    )
  }

  /** Start of the oldest of the 24 hours. */
  get since(): number {
    return this.hour - 23 * HOUR
  }

  /** All swaps of one of the 24 hours. */
  totalOf(hour: number): HourTotal {
    const known = this.totals.get(hour)
    if (known !== undefined) return known
    const total = { trades: 0, usd: 0 }
    const c = this.marketHours.table.columns
    for (const slot of this.marketHours.of(hour)) {
      total.trades += c.trades[slot] as number
      total.usd += c.usd[slot] as number
    }
    if (hour < this.hour) this.totals.set(hour, total)
    return total
  }

  /** The slot of a token's hour in `tokenHours`, -1 where it has none. */
  hourOf(token: number, hour: number): number {
    return this.hourSlots.find(this.tokenHours, token, hour)
  }

  apply(_: Slice): void {
    const { swaps, index } = this
    this.nextLate = 0
    const venueOf = this.venueOf()
    const ids = this.walletIds()
    const firstOfDay = this.firstOfDay()
    for (let t = 0; t < swaps.count; t++) {
      const ts = swaps.ts[t] as number
      const seq = swaps.seq[t] as number
      this.takeLate(seq)
      if (hourOf(ts) > this.hour) this.begin(hourOf(ts))
      const token0 = swaps.token0[t] as number
      const token1 = swaps.token1[t] as number
      const pool = swaps.pool[t] as number
      const market = index.of(pool, token0, token1, venueOf[pool] ?? null, ts)
      const wallet = ids[t] as number
      const bought0 = swaps.bought0[t] as number
      const micro = swaps.usdMicro[t] as number
      const usd = Number.isNaN(micro) ? 0 : micro
      const counts0 = swaps.outlier0[t] === 0
      const counts1 = swaps.outlier1[t] === 0
      const swapUsd = counts0 && counts1 ? usd : 0
      const seen = wallet === NONE ? -1 : this.maker(market, wallet, bought0, ts)
      this.countMarket(market, bought0, swapUsd, seen)
      if (token0 !== NONE) {
        this.countToken(
          token0,
          bought0,
          counts0 ? usd : 0,
          counts0 ? (swaps.price0[t] as number) : 0,
          ts,
          wallet
        )
      }
      if (token1 !== NONE) {
        this.countToken(
          token1,
          1 - bought0,
          counts1 ? usd : 0,
          counts1 ? (swaps.price1[t] as number) : 0,
          ts,
          wallet
        )
      }
      this.days.count(this, market, swapUsd, wallet !== NONE && firstOfDay[t] === 1)
    }
    this.takeLate(Number.POSITIVE_INFINITY)
  }

  /** Notes a wallet's swap in a market; when it had swapped there before. */
  private maker(market: number, wallet: number, bought0: number, ts: number): number {
    const { marketMakers, ofMarkets } = this
    const slot = marketMakers.slotOf(market, wallet)
    const before = marketMakers.lastOf(slot)
    const { columns } = marketMakers.table
    if (bought0 === 1) columns.bought0_ts[slot] = ts
    else columns.bought1_ts[slot] = ts
    marketMakers.table.touch(slot)
    if (before >= this.hour) return before
    marketMakers.note(slot, this.hour)
    const counted = before >= this.since
    this.lastOfMarkets.move(market, counted ? hourOf(before) : null, this.hour)
    if (!counted) {
      ofMarkets.reserve(market)
      ofMarkets.columns.makers[market] = (ofMarkets.columns.makers[market] as number) + 1
    }
    return before
  }

  /** `seen`: when the wallet had swapped there before, -1 where none is known. */
  private countMarket(market: number, bought0: number, usd: number, seen: number): void {
    const slot = this.marketHours.present(market, this.hour)
    const { table } = this.marketHours
    const c = table.columns
    c.trades[slot] = (c.trades[slot] as number) + 1
    c.usd[slot] = (c.usd[slot] as number) + usd
    this.ofMarkets.reserve(market)
    const sums = this.ofMarkets.columns
    sums.trades[market] = (sums.trades[market] as number) + 1
    sums.usd[market] = (sums.usd[market] as number) + usd
    if (bought0 === 1) {
      c.buys0[slot] = (c.buys0[slot] as number) + 1
      c.usd_buys0[slot] = (c.usd_buys0[slot] as number) + usd
      sums.buys0[market] = (sums.buys0[market] as number) + 1
      sums.usdBuys0[market] = (sums.usdBuys0[market] as number) + usd
    }
    if (seen >= 0) {
      c.known[slot] = (c.known[slot] as number) + 1
      c.known_usd[slot] = (c.known_usd[slot] as number) + usd
      sums.known[market] = (sums.known[market] as number) + 1
      sums.knownUsd[market] = (sums.knownUsd[market] as number) + usd
      if (seen < this.hour) c.makers[slot] = (c.makers[slot] as number) + 1
    }
    table.touch(slot)
  }

  /** `usd` and `price` are 0 where the print is an outlier or has none. */
  private countToken(
    token: number,
    buy: number,
    usd: number,
    price: number,
    ts: number,
    wallet: number
  ): void {
    const slot = this.tokenHours.present(token, this.hour)
    const { table } = this.tokenHours
    const c = table.columns
    c.trades[slot] = (c.trades[slot] as number) + 1
    this.ofTokens.reserve(token)
    const sums = this.ofTokens.columns
    sums.trades[token] = (sums.trades[token] as number) + 1
    if (buy === 1) {
      c.buys[slot] = (c.buys[slot] as number) + 1
      c.buy_usd[slot] = (c.buy_usd[slot] as number) + usd
      sums.buys[token] = (sums.buys[token] as number) + 1
      sums.buyUsd[token] = (sums.buyUsd[token] as number) + usd
    } else {
      c.sell_usd[slot] = (c.sell_usd[slot] as number) + usd
      sums.sellUsd[token] = (sums.sellUsd[token] as number) + usd
    }
    if (price > 0) {
      c.close[slot] = price
      this.marks.see(token, price, ts)
    }
    if (wallet !== NONE) {
      c.known[slot] = (c.known[slot] as number) + 1
      c.known_usd[slot] = (c.known_usd[slot] as number) + usd
      sums.known[token] = (sums.known[token] as number) + 1
      sums.knownUsd[token] = (sums.knownUsd[token] as number) + usd
      if (this.tokenMaker(token, wallet, buy, ts) < this.hour) {
        c.makers[slot] = (c.makers[slot] as number) + 1
      }
    }
    table.touch(slot)
  }

  /** Notes a wallet's print of a token; when it had one before. */
  private tokenMaker(token: number, wallet: number, buy: number, ts: number): number {
    const before = this.tokenMakers.see(token, wallet, buy, ts)
    if (before >= this.hour) return before
    const counted = before >= this.since
    this.lastOfTokens.move(token, counted ? hourOf(before) : null, this.hour)
    if (!counted) {
      const { makers } = this.ofTokens.columns
      makers[token] = (makers[token] as number) + 1
    }
    return before
  }

  /**
   * Prints that got their price only later, by an event before `seq`: their volume is counted
   * already.
   */
  private takeLate(seq: number): void {
    const { late, tokenHours, marks } = this
    while (this.nextLate < late.count && (late.seq[this.nextLate] as number) < seq) {
      const t = this.nextLate++
      const price = late.price0[t] as number
      if (!(price > 0) || late.outlier0[t] !== 0) continue
      const token = late.token0[t] as number
      const ts = late.ts[t] as number
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
    this.endTokenHours()
    this.hourSlots.forget(hour - DAY)
    const { marketHours, ofMarkets } = this
    const hours = marketHours.table.columns
    marketHours.advance(hour - DAY, slot => {
      ofMarkets.add(hours.market[slot] as number, marketHour(hours, slot), -1)
    })
    this.endMakers()
    for (const over of this.totals.keys()) if (over <= hour - DAY) this.totals.delete(over)
  }

  private endTokenHours(): void {
    const { tokenHours, ofTokens, marks } = this
    const hours = tokenHours.table.columns
    tokenHours.advance(this.hour - DAY, slot => {
      const token = hours.token[slot] as number
      ofTokens.add(token, tokenHour(hours, slot), -1)
      const close = hours.close[slot] as number
      if (close > 0) marks.leave(token, close, hours.hour[slot] as number)
    })
  }

  /** Wallets whose last swap lies before the 24 hours now count no more. */
  private endMakers(): void {
    const { tokenMakers, marketMakers, since } = this
    const ofTokens = this.ofTokens.columns.makers
    this.lastOfTokens.advance(since, (token, pairs) => {
      ofTokens[token] = (ofTokens[token] as number) - pairs
    })
    const ofMarkets = this.ofMarkets.columns.makers
    this.lastOfMarkets.advance(since, (market, pairs) => {
      ofMarkets[market] = (ofMarkets[market] as number) - pairs
    })
    tokenMakers.advance(since - HOUR)
    marketMakers.advance(since - HOUR)
  }

  reloaded(): void {
    this.index.reload()
    this.totals.clear()
    this.hourSlots.clear()
    this.hour = 0
    for (const hour of this.marketHours.starts.subarray(0, this.marketHours.table.count)) {
      if (hour > this.hour) this.hour = hour
    }
    this.marketHours.reload(this.hour - DAY)
    this.tokenHours.reload(this.hour - DAY)
    this.marketMakers.reload(this.since - HOUR)
    this.marks.reload(newestCloses(this.tokenHours))
    this.days.reload()
    this.sumTokens()
    this.sumMarkets()
    this.sumMakers()
  }

  private sumTokens(): void {
    const { tokenHours, ofTokens } = this
    ofTokens.clear()
    const hours = tokenHours.table.columns
    tokenHours.each(slot => {
      ofTokens.add(hours.token[slot] as number, tokenHour(hours, slot), 1)
    })
  }

  private sumMarkets(): void {
    const { marketHours, ofMarkets } = this
    ofMarkets.clear()
    const hours = marketHours.table.columns
    marketHours.each(slot => {
      ofMarkets.add(hours.market[slot] as number, marketHour(hours, slot), 1)
    })
  }

  /** Who traded the tokens follows from who traded their markets. */
  private sumMakers(): void {
    const { marketMakers, tokenMakers, since } = this
    const { market, wallet, bought0_ts, bought1_ts } = marketMakers.table.columns
    const { token0, token1 } = this.index.markets.columns
    const { makers } = this.ofMarkets.columns
    tokenMakers.clear()
    tokenMakers.advance(since - HOUR)
    this.lastOfTokens.clear()
    this.lastOfMarkets.clear()
    const merge = (token: number, of: number, bought: number, sold: number): void => {
      if (token !== NONE) tokenMakers.merge(token, of, bought, sold)
    }
    marketMakers.each(slot => {
      const m = market[slot] as number
      const [b0, b1] = [bought0_ts[slot] as number, bought1_ts[slot] as number]
      merge(token0[m] as number, wallet[slot] as number, b0, b1)
      merge(token1[m] as number, wallet[slot] as number, b1, b0)
      const last = marketMakers.lastOf(slot)
      if (last < since) return
      makers[m] = (makers[m] as number) + 1
      this.lastOfMarkets.move(m, null, hourOf(last))
    })
    const ofTokens = this.ofTokens.columns.makers
    tokenMakers.each(({ token, bought, sold }) => {
      const last = Math.max(bought, sold)
      if (last < since) return
      ofTokens[token] = (ofTokens[token] as number) + 1
      this.lastOfTokens.move(token, null, hourOf(last))
    })
  }
}
