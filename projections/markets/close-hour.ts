/** Turns an hour that is over into rows by token and venue. */
import type { RowBuffer } from "../../engine/store/row-buffer.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { MarketFold } from "./fold.ts"
import type { hoursTable } from "./tables.ts"

/** What a token's prints on a venue come to. */
interface ListingHour {
  trades: number
  buys: number
  buyUsd: number
  sellUsd: number
  makers: number
}

/** Adds the present hour's swaps of every market to those of both its listings. */
const sumListings = (fold: MarketFold): Map<number, ListingHour> => {
  const found = new Map<number, ListingHour>()
  const { markets } = fold.index
  const { table } = fold.marketHours
  const add = (listing: number, slot: number, buys: number, buyUsd: number): void => {
    if (listing === NONE) return
    let sum = found.get(listing)
    if (sum === undefined) {
      sum = { trades: 0, buys: 0, buyUsd: 0, sellUsd: 0, makers: 0 }
      found.set(listing, sum)
    }
    sum.trades += table.columns.trades[slot] as number
    sum.buys += buys
    sum.buyUsd += buyUsd
    sum.sellUsd += (table.columns.usd[slot] as number) - buyUsd
  }
  const c = table.columns
  for (const slot of fold.marketHours.of(fold.hour)) {
    const market = c.market[slot] as number
    const [buys0, usd0] = [c.buys0[slot] as number, c.usd_buys0[slot] as number]
    add(markets.columns.listing0[market] as number, slot, buys0, usd0)
    const buys1 = (c.trades[slot] as number) - buys0
    add(markets.columns.listing1[market] as number, slot, buys1, (c.usd[slot] as number) - usd0)
  }
  return found
}

/** Closes hours; what it needs to count who traded is kept from one to the next. */
export class HourCloser {
  /** by wallet: the newest count it was in */
  private counted = new Uint32Array(1024)
  private count = 0

  /** The rows of the hour that the fold stands in, by listing, as of the event at `seq`. */
  close(fold: MarketFold, rows: RowBuffer<(typeof hoursTable)["columns"]>, seq: number): void {
    const sums = sumListings(fold)
    this.countMakers(fold, sums)
    const { token, venue } = fold.index.listings.columns
    for (const [listing, sum] of [...sums].sort(([a], [b]) => a - b)) {
      const row = rows.next(seq)
      const c = rows.columns
      c.token[row] = token[listing] as number
      c.venue[row] = venue[listing] as number
      c.hour[row] = fold.hour
      c.trades[row] = sum.trades
      c.buys[row] = sum.buys
      c.buy_usd[row] = sum.buyUsd
      c.sell_usd[row] = sum.sellUsd
      c.makers[row] = sum.makers
    }
  }

  /** Counts the distinct wallets of each listing; nobody has traded after the hour yet. */
  private countMakers(fold: MarketFold, sums: ReadonlyMap<number, ListingHour>): void {
    const { market, wallet } = fold.marketMakers.table.columns
    const { listing0, listing1 } = fold.index.markets.columns
    const wallets = new Map<number, Array<number>>()
    const add = (listing: number, of: number): void => {
      const list = wallets.get(listing)
      if (list === undefined) wallets.set(listing, [of])
      else list.push(of)
    }
    for (const slot of fold.marketMakers.activeIn(fold.hour)) {
      const of = wallet[slot] as number
      add(listing0[market[slot] as number] as number, of)
      add(listing1[market[slot] as number] as number, of)
    }
    for (const [listing, sum] of sums) sum.makers = this.distinct(wallets.get(listing) ?? [])
  }

  private distinct(wallets: ReadonlyArray<number>): number {
    this.count++
    let found = 0
    for (const wallet of wallets) {
      if (wallet >= this.counted.length) this.reserve(wallet + 1)
      if (this.counted[wallet] === this.count) continue
      this.counted[wallet] = this.count
      found++
    }
    return found
  }

  private reserve(count: number): void {
    const grown = new Uint32Array(Math.max(count, this.counted.length * 2))
    grown.set(this.counted)
    this.counted = grown
  }
}
