/**
 * The price of an anchor by the pools that quote it in better-ranked anchors. Where a pool of a
 * listed venue may set the price, pools of other venues count nothing: anybody can deploy a
 * contract that logs a false depth. The mean is summed in the order of prices and slots, so it
 * never depends on the order of updates.
 */

import { reasonOf, thresholds } from "../../src/rules/price-recipe.ts"
import type { Books } from "./books.ts"
import { isListed, mayCount, poolReason } from "./pool-book.ts"

/** What a quote token is worth. */
type WorthOf = (books: Books, quote: number) => number

/** A pool's weight in an anchor's price, from 0 to 1, or the reason why it has none. */
export interface Word {
  readonly reason: string | null
  readonly weight: number
}

/** A pool that may set an anchor's price. */
interface Chosen {
  readonly pool: number
  /** dollars of the anchor, and of the pool's depth */
  readonly price: number
  readonly depth: number
  /** Unix seconds of the pool's newest state */
  readonly ts: number
  weight: number
}

export class AnchorPrices {
  /** price and depth of the newest mean, in dollars; NaN and 0 where no pool may set a price */
  price = Number.NaN
  depth = 0
  /** Unix seconds of the newest pool state in the mean; 0 for none */
  told = 0
  /** whether the mean is of pools of listed venues */
  listed = false
  /** by anchor: its pools with a price, in the order of the newest sort */
  private readonly pools = new Map<number, Array<number>>()
  /** by place in the list that was sorted last: the pool's price; infinite where it has none */
  private readonly prices: Array<number> = []
  /** the pools that may set the price, in their order */
  private chosen: ReadonlyArray<Chosen> = []
  /** Unix seconds of the newest state among them */
  private newest = 0

  reset(): void {
    this.pools.clear()
  }

  /** Returns an anchor's pools. */
  of(token: number): ReadonlyArray<number> {
    return this.pools.get(token) ?? []
  }

  /** Removes a pool from an anchor's pools. */
  drop(token: number, pool: number): void {
    const list = this.pools.get(token)
    const place = list?.indexOf(pool) ?? -1
    if (place >= 0) list?.splice(place, 1)
  }

  /** Adds a pool to an anchor's pools where its state may ever count, and removes it elsewhere. */
  put(books: Books, token: number, pool: number): void {
    const list = this.pools.get(token) ?? []
    if (list.length === 0) this.pools.set(token, list)
    const place = list.indexOf(pool)
    const counts = mayCount(books, pool)
    if (counts && place < 0) list.push(pool)
    else if (!counts && place >= 0) list.splice(place, 1)
  }

  /** Computes the anchor's mean into the fields above. `worthOf` returns a quote token's price. */
  mean(books: Books, token: number, now: number, worthOf: WorthOf): void {
    const list = this.pools.get(token) ?? []
    this.sort(books, list, worthOf)
    this.chosen = this.choose(books, list, true, now, worthOf)
    this.listed = this.chosen.length > 0
    if (!this.listed) this.chosen = this.choose(books, list, false, now, worthOf)
    this.sum()
  }

  /** Computes the mean, and returns the weight of each of the anchor's pools in it. */
  wordsOf(books: Books, token: number, now: number, worthOf: WorthOf): Map<number, Word> {
    this.mean(books, token, now, worthOf)
    const { quote } = books.poolPrices.columns
    const words = new Map<number, Word>()
    for (const pool of this.of(token)) {
      const code = poolReason(books, pool, now, worthOf(books, quote[pool] as number))
      // a pool that might set the price and was not chosen is of a venue that is not listed
      words.set(pool, { reason: reasonOf(code) ?? "unlisted", weight: 0 })
    }
    const whole = this.chosen.reduce((sum, { weight }) => sum + weight, 0)
    for (const one of this.chosen) {
      const reason = one.weight > 0 ? null : this.ageing(one) === 0 ? "silent" : "far"
      words.set(one.pool, { reason, weight: one.weight / whole })
    }
    return words
  }

  /**
   * Sorts the list by price, then by slot. Insertion sort: it is nearly sorted from the last time.
   */
  private sort(books: Books, list: Array<number>, worthOf: WorthOf): void {
    const { prices } = this
    const { unit, quote } = books.poolPrices.columns
    for (let i = 0; i < list.length; i++) {
      const pool = list[i] as number
      const usd = (unit[pool] as number) * worthOf(books, quote[pool] as number)
      const price = usd > 0 ? usd : Number.POSITIVE_INFINITY
      let at = i
      while (at > 0 && isAfter(prices[at - 1] as number, list[at - 1] as number, price, pool)) {
        prices[at] = prices[at - 1] as number
        list[at] = list[at - 1] as number
        at--
      }
      prices[at] = price
      list[at] = pool
    }
  }

  /** Returns the pools of listed or of other venues that may set a price. */
  private choose(
    books: Books,
    list: ReadonlyArray<number>,
    listed: boolean,
    now: number,
    worthOf: WorthOf
  ): ReadonlyArray<Chosen> {
    const { quote, depth, ts } = books.poolPrices.columns
    const chosen: Array<Chosen> = []
    for (let i = 0; i < list.length; i++) {
      const pool = list[i] as number
      const worth = worthOf(books, quote[pool] as number)
      if (poolReason(books, pool, now, worth) !== 0 || isListed(books, pool) !== listed) continue
      const [price, weighed] = [this.prices[i] as number, (depth[pool] as number) * worth]
      chosen.push({ pool, price, depth: weighed, ts: ts[pool] as number, weight: 0 })
    }
    return chosen
  }

  /**
   * Returns the factor by which a chosen pool's weight shrinks with the time that it has been
   * silent longer than the newest pool: 1, a half, ..., 0.
   */
  private ageing({ ts }: Chosen): number {
    const silent = this.newest - ts
    const { anchorSilentSeconds, anchorHalvingSeconds } = thresholds
    return silent < anchorSilentSeconds ? 2 ** -Math.floor(silent / anchorHalvingSeconds) : 0
  }

  /** Weighs the chosen pools. Returns the weighted median of their prices. */
  private weigh(): number {
    this.newest = 0
    for (const { ts } of this.chosen) this.newest = Math.max(this.newest, ts)
    let whole = 0
    for (const one of this.chosen) {
      one.weight = one.depth * this.ageing(one)
      whole += one.weight
    }
    let below = 0
    for (const { weight, price } of this.chosen) {
      below += weight
      if (below * 2 >= whole) return price
    }
    return Number.NaN
  }

  /** Computes the weighted mean of the chosen pools without those far from the weighted median. */
  private sum(): void {
    const middle = this.weigh()
    let [weighted, whole] = [0, 0]
    this.depth = 0
    this.told = 0
    for (const one of this.chosen) {
      if (!isNear(one.price, middle, thresholds.maxAnchorSpread)) one.weight = 0
      if (one.weight === 0) continue
      weighted += one.price * one.weight
      whole += one.weight
      this.depth += one.depth
      this.told = Math.max(this.told, one.ts)
    }
    this.price = whole > 0 ? weighted / whole : Number.NaN
  }
}

/** Whether a pool with a price stands behind another pool with its own. */
const isAfter = (price: number, pool: number, other: number, than: number): boolean =>
  price > other || (price === other && pool > than)

/** Whether two positive numbers are at most a factor apart. */
export const isNear = (one: number, other: number, factor: number): boolean =>
  one <= other * factor && other <= one * factor
