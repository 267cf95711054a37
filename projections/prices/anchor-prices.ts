/**
 * The dollar price of anchors that are not dollars themselves, of the pools that quote them in
 * better-ranked anchors: those of listed venues where one may set a price, for what a contract of
 * its own logs of its depth anybody can write. Summed in the order of prices and slots, so the sum
 * never depends on the order of updates.
 */
import type { PoolBook } from "./pool-book.ts"
import { thresholds } from "./recipe.ts"

export class AnchorPrices {
  /** the mean last made; NaN and 0 where no pool may set a price */
  price = Number.NaN
  depth = 0
  /** whether it is the word of listed venues */
  listed = false
  private readonly book: PoolBook
  /** pools with a price, by anchor, in the order of price and slot */
  private readonly pools = new Map<number, Array<number>>()
  /** those of one anchor that may set its price, and what they count for */
  private chosen = new Uint32Array(64)
  private count = 0

  constructor(book: PoolBook) {
    this.book = book
  }

  reset(): void {
    this.pools.clear()
  }

  /** Takes a pool out of an anchor's. */
  drop(token: number, pool: number): void {
    const list = this.pools.get(token)
    const place = list?.indexOf(pool) ?? -1
    if (place >= 0) list?.splice(place, 1)
  }

  /** Puts a pool whose price changed to its place. */
  put(token: number, pool: number): void {
    const { unit, quote_usd } = this.book.table.columns
    const list = this.pools.get(token)
    if (list === undefined) {
      this.pools.set(token, [])
      this.put(token, pool)
      return
    }
    this.drop(token, pool)
    const price = unit[pool] as number
    if (!(price > 0) || !((quote_usd[pool] as number) >= thresholds.minDepthUsd)) return
    let [low, high] = [0, list.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const at = list[middle] as number
      const other = unit[at] as number
      if (other < price || (other === price && at < pool)) low = middle + 1
      else high = middle
    }
    list.splice(low, 0, pool)
  }

  /** Makes the anchor's mean. */
  mean(token: number, now: number): void {
    const list = this.pools.get(token) ?? []
    this.listed = this.choose(list, true, now)
    if (!this.listed) this.choose(list, false, now)
    this.sum()
  }

  /** Pools that may set a price and are listed or not; false without any. */
  private choose(list: ReadonlyArray<number>, listed: boolean, now: number): boolean {
    const { book } = this
    if (this.chosen.length < list.length) this.chosen = new Uint32Array(list.length * 2)
    this.count = 0
    for (let i = 0; i < list.length; i++) {
      const pool = list[i] as number
      if (book.isEligible(pool, now) && book.isListed(pool) === listed) {
        this.chosen[this.count++] = pool
      }
    }
    return this.count > 0
  }

  /** The mean of the chosen without those far from their weighted median. */
  private sum(): void {
    const { unit, depth_usd } = this.book.table.columns
    let whole = 0
    for (let i = 0; i < this.count; i++) whole += depth_usd[this.chosen[i] as number] as number
    let below = 0
    let middle = Number.NaN
    for (let i = 0; i < this.count && Number.isNaN(middle); i++) {
      below += depth_usd[this.chosen[i] as number] as number
      if (below * 2 >= whole) middle = unit[this.chosen[i] as number] as number
    }
    let weighted = 0
    let depth = 0
    for (let i = 0; i < this.count; i++) {
      const pool = this.chosen[i] as number
      const price = unit[pool] as number
      if (!isNear(price, middle, thresholds.maxAnchorSpread)) continue
      weighted += price * (depth_usd[pool] as number)
      depth += depth_usd[pool] as number
    }
    this.price = depth > 0 ? weighted / depth : Number.NaN
    this.depth = depth
  }
}

/** Whether two positive numbers are at most a factor apart. */
export const isNear = (one: number, other: number, factor: number): boolean =>
  one <= other * factor && other <= one * factor
