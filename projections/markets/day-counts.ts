/** Sums and distinct counts of UTC days: of each venue and of the chain. */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { MarketIndex } from "./market-index.ts"
import type { chainDaysTable, venueDaysTable } from "./tables.ts"
import type { TokenMarks } from "./token-marks.ts"

const DAY = 86_400

type VenueDays = SlotTable<(typeof venueDaysTable)["columns"]>
type ChainDays = SlotTable<(typeof chainDaysTable)["columns"]>

export class DayCounts {
  readonly venues: VenueDays
  readonly chain: ChainDays
  private readonly index: MarketIndex
  private readonly marks: TokenMarks

  constructor(venues: VenueDays, chain: ChainDays, index: MarketIndex, marks: TokenMarks) {
    this.venues = venues
    this.chain = chain
    this.index = index
    this.marks = marks
  }

  /** Counts a swap of a market; `isFirst` where its wallet is known and it is its first today. */
  count(market: number, ts: number, usd: number, isFirst: boolean): void {
    const day = ts - (ts % DAY)
    const { columns } = this.index.markets
    const venue = columns.venue[market] as number
    this.ofVenue(venue, day, usd)
    this.ofChain(day, usd, isFirst)
    this.list(columns.listing0[market] as number, venue, day)
    this.list(columns.listing1[market] as number, venue, day)
    this.open(venue, day)
  }

  private ofVenue(venue: number, day: number, usd: number): void {
    const { venues } = this
    if (venue >= venues.count) venues.grow(venue + 1)
    let c = venues.columns
    if (c.trades[venue] === 0 || c.day[venue] !== day) {
      venues.emit(venue)
      c = venues.columns
      c.venue[venue] = venue
      c.day[venue] = day
      c.trades[venue] = 0
      c.usd[venue] = 0
      c.tokens[venue] = 0
    }
    c.trades[venue] = (c.trades[venue] as number) + 1
    c.usd[venue] = (c.usd[venue] as number) + usd
    venues.touch(venue)
  }

  private ofChain(day: number, usd: number, isFirst: boolean): void {
    const { chain } = this
    if (chain.count === 0) chain.grow(1)
    let c = chain.columns
    if (c.trades[0] === 0 || c.day[0] !== day) {
      chain.emit(0)
      c = chain.columns
      c.day[0] = day
      c.trades[0] = 0
      c.usd[0] = 0
      c.tokens[0] = 0
      c.wallets[0] = 0
      c.venues[0] = 0
    }
    c.trades[0] = (c.trades[0] as number) + 1
    c.usd[0] = (c.usd[0] as number) + usd
    if (isFirst) c.wallets[0] = (c.wallets[0] as number) + 1
    chain.touch(0)
  }

  /** A token's first print of the day, on the venue and at all. */
  private list(listing: number, venue: number, day: number): void {
    if (listing === NONE) return
    const { listings } = this.index
    const { columns } = listings
    if ((columns.last_day[listing] as number) >= day) return
    columns.last_day[listing] = day
    listings.touch(listing)
    const { tokens } = this.venues.columns
    tokens[venue] = (tokens[venue] as number) + 1
    if (this.marks.isNewOn(columns.token[listing] as number, day)) {
      const all = this.chain.columns.tokens
      all[0] = (all[0] as number) + 1
    }
  }

  private open(venue: number, day: number): void {
    const { venues } = this.index
    if ((venues.columns.last_day[venue] as number) >= day) return
    venues.columns.last_day[venue] = day
    venues.touch(venue)
    const all = this.chain.columns.venues
    all[0] = (all[0] as number) + 1
  }
}
