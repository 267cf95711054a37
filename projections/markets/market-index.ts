/** Finds the market of a swap, and makes it, its venue and its listings where they are new. */
import { Links } from "../../engine/memory/links.ts"
import { roomFor } from "../../engine/memory/room.ts"
import type { FoldContext } from "../../engine/projection.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { listingsTable, marketsTable, venuesTable } from "./tables.ts"

/** One number for a token on a venue: exact, as venues are few. */
const listingKey = (token: number, venue: number): number => venue * 2 ** 32 + token

export class MarketIndex {
  readonly markets
  readonly listings
  readonly venues
  /** by pool: the market of its newest swap */
  private newest = new Uint32Array(1024).fill(NONE)
  private readonly byPool = new Links()
  private readonly byToken = new Links()
  private readonly venueIds = new Map<string | null, number>()
  /** by `listingKey` */
  private readonly listingIds = new Map<number, number>()

  constructor({ state }: FoldContext) {
    this.markets = state(marketsTable)
    this.listings = state(listingsTable)
    this.venues = state(venuesTable)
  }

  /** The market of a swap of two tokens, `NONE` where one is unknown, in a pool of a venue. */
  of(pool: number, token0: number, token1: number, venue: string | null, ts: number): number {
    const known = pool < this.newest.length ? (this.newest[pool] as number) : NONE
    if (known !== NONE && this.isOf(known, token0, token1)) return known
    const listed = this.byPool.of(pool).find(market => this.isOf(market, token0, token1))
    const market = listed ?? this.make(pool, token0, token1, venue, ts)
    this.newest[pool] = market
    return market
  }

  /** Whether a market is of two tokens, whichever of them a swap names first. */
  private isOf(market: number, token0: number, token1: number): boolean {
    const [first, second] = [
      this.markets.columns.token0[market],
      this.markets.columns.token1[market]
    ]
    return first === token0 ? second === token1 : first === token1 && second === token0
  }

  private make(
    pool: number,
    token0: number,
    token1: number,
    venue: string | null,
    ts: number
  ): number {
    const venueId = this.venueOf(venue)
    const listing0 = token0 === NONE ? NONE : this.listingOf(token0, venueId)
    const listing1 = token1 === NONE ? NONE : this.listingOf(token1, venueId)
    const sides = { token0, token1, listing0, listing1 }
    const market = this.markets.add({ pool, ...sides, venue: venueId, first_ts: ts })
    this.link(market)
    return market
  }

  /** The markets of a pool, ascending. */
  ofPool(pool: number): Uint32Array {
    return this.byPool.of(pool)
  }

  /** The markets of a token, ascending. */
  ofToken(token: number): Uint32Array {
    return this.byToken.of(token)
  }

  private link(market: number): void {
    const { pool, token0, token1 } = this.markets.columns
    this.byPool.add(pool[market] as number, market)
    this.newest = roomFor(this.newest, pool[market] as number, NONE)
    for (const token of [token0[market], token1[market]] as Array<number>) {
      if (token !== NONE) this.byToken.add(token, market)
    }
  }

  private venueOf(id: string | null): number {
    const known = this.venueIds.get(id)
    if (known !== undefined) return known
    const venue = this.venues.add({ id })
    this.venueIds.set(id, venue)
    return venue
  }

  private listingOf(token: number, venue: number): number {
    const key = listingKey(token, venue)
    const known = this.listingIds.get(key)
    if (known !== undefined) return known
    const listing = this.listings.add({ token, venue })
    this.listingIds.set(key, listing)
    return listing
  }

  reload(): void {
    const { markets, listings, venues } = this
    this.newest.fill(NONE)
    this.byPool.clear()
    this.byToken.clear()
    for (let m = 0; m < markets.count; m++) this.link(m)
    this.venueIds.clear()
    for (let v = 0; v < venues.count; v++) this.venueIds.set(venues.columns.id[v] ?? null, v)
    this.listingIds.clear()
    const { token, venue } = listings.columns
    for (let listing = 0; listing < listings.count; listing++) {
      this.listingIds.set(listingKey(token[listing] as number, venue[listing] as number), listing)
    }
  }
}
