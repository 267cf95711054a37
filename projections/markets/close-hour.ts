/** Turns an hour that is over into rows by token and venue. */
import type { RowBuffer } from "../../engine/store/row-buffer.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { MarketFold } from "./fold.ts"
import { PairIndex } from "./pair-index.ts"
import type { hoursTable } from "./tables.ts"

/** What a token's prints on a venue come to. */
interface ListingHour {
  trades: number
  buys: number
  buyUsd: number
  sellUsd: number
  makers: number
}

/** Pairs that were seen. */
class PairSet {
  private readonly first: Uint32Array
  private readonly second: Uint32Array
  private readonly index: PairIndex
  private count = 0

  constructor(capacity: number) {
    this.first = new Uint32Array(capacity)
    this.second = new Uint32Array(capacity)
    this.index = new PairIndex(
      () => this.first,
      () => this.second
    )
  }

  /** Whether a pair was not in the set. */
  add(a: number, b: number): boolean {
    if (this.index.find(a, b) >= 0) return false
    this.first[this.count] = a
    this.second[this.count] = b
    this.index.add(this.count++)
    return true
  }
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
  fold.marketHours.each(slot => {
    const c = table.columns
    if (c.hour[slot] !== fold.hour) return
    const market = c.market[slot] as number
    const [buys0, usd0] = [c.buys0[slot] as number, c.usd_buys0[slot] as number]
    add(markets.columns.listing0[market] as number, slot, buys0, usd0)
    const buys1 = (c.trades[slot] as number) - buys0
    add(markets.columns.listing1[market] as number, slot, buys1, (c.usd[slot] as number) - usd0)
  })
  return found
}

/** Counts the distinct wallets of each listing; nobody has traded after the hour yet. */
const countMakers = (fold: MarketFold, sums: Map<number, ListingHour>): void => {
  const { columns } = fold.marketMakers.table
  const { listing0, listing1 } = fold.index.markets.columns
  const active: Array<number> = []
  fold.marketMakers.each(slot => {
    if (fold.marketMakers.lastOf(slot) >= fold.hour) active.push(slot)
  })
  const seen = new PairSet(active.length * 2)
  for (const slot of active) {
    const market = columns.market[slot] as number
    const wallet = columns.wallet[slot] as number
    for (const listing of [listing0[market] as number, listing1[market] as number]) {
      const sum = sums.get(listing)
      if (sum !== undefined && seen.add(listing, wallet)) sum.makers++
    }
  }
}

/** The rows of the hour that the fold stands in, by listing, as of the event at `seq`. */
export const closeHour = (
  fold: MarketFold,
  rows: RowBuffer<(typeof hoursTable)["columns"]>,
  seq: number
): void => {
  const sums = sumListings(fold)
  countMakers(fold, sums)
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
