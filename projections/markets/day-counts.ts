/** Sums and distinct counts of the newest 31 UTC days: of each venue and of the chain. */

import { BucketRing } from "../../engine/memory/bucket-ring.ts"
import type { FoldContext } from "../../engine/projection.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { isFirstOfDay } from "../wallets/first-of-day.ts"
import { closeDay } from "./close-day.ts"
import type { MarketFold } from "./fold.ts"
import { DAY } from "./hours.ts"
import { chainDaysTable, oddDaysTable, venueDaysTable } from "./tables.ts"

/** Days kept, with the present one. */
export const DAYS = 31

export class DayCounts {
  readonly venues
  readonly chain
  readonly odd
  /** start of the newest day with a swap, Unix seconds; 0 before the first */
  day = 0

  constructor({ state }: FoldContext) {
    this.venues = new BucketRing(state(venueDaysTable), "venue", "day")
    this.chain = new BucketRing(state(chainDaysTable), "chain", "day")
    this.odd = new BucketRing(state(oddDaysTable), "market", "day")
  }

  /** The day of a new hour begins, if it is another: `fold` still stands in the hour before. */
  begin(fold: MarketFold, hour: number): void {
    const day = hour - (hour % DAY)
    if (day <= this.day) return
    if (this.day > 0) closeDay(fold, this.day, this.odd)
    this.day = day
    const floor = day - DAYS * DAY
    for (const ring of [this.venues, this.chain, this.odd]) ring.advance(floor)
  }

  /** Counts a swap of a market; `isFirst` where its wallet is known and it is its first today. */
  count(fold: MarketFold, market: number, usd: number, isFirst: boolean): void {
    const { columns } = fold.index.markets
    const venue = columns.venue[market] as number
    const ofVenue = this.venues.present(venue, this.day)
    const v = this.venues.table.columns
    v.trades[ofVenue] = (v.trades[ofVenue] as number) + 1
    v.usd[ofVenue] = (v.usd[ofVenue] as number) + usd
    this.venues.table.touch(ofVenue)
    const ofChain = this.chain.present(0, this.day)
    const c = this.chain.table.columns
    c.trades[ofChain] = (c.trades[ofChain] as number) + 1
    c.usd[ofChain] = (c.usd[ofChain] as number) + usd
    if (isFirst) c.wallets[ofChain] = (c.wallets[ofChain] as number) + 1
    if (isFirstOfDay(fold.index.venues, venue, this.day))
      c.venues[ofChain] = (c.venues[ofChain] as number) + 1
    this.chain.table.touch(ofChain)
    this.list(fold, columns.listing0[market] as number, ofVenue, ofChain)
    this.list(fold, columns.listing1[market] as number, ofVenue, ofChain)
  }

  /** A token's first print of the day, on the venue and at all. */
  private list(fold: MarketFold, listing: number, ofVenue: number, ofChain: number): void {
    if (listing === NONE || !isFirstOfDay(fold.index.listings, listing, this.day)) return
    const venues = this.venues.table.columns.tokens
    venues[ofVenue] = (venues[ofVenue] as number) + 1
    const token = fold.index.listings.columns.token[listing] as number
    if (!fold.marks.isNewOn(token, this.day)) return
    const all = this.chain.table.columns.tokens
    all[ofChain] = (all[ofChain] as number) + 1
  }

  /** Takes up what the tables hold. */
  reload(): void {
    const { table, starts } = this.chain
    this.day = starts.subarray(0, table.count).reduce((max, day) => Math.max(max, day), 0)
    const floor = this.day - DAYS * DAY
    for (const ring of [this.venues, this.chain, this.odd]) ring.reload(floor)
  }
}
