/**
 * The price of an anchor by the pools that quote it in better-ranked anchors. Where a pool of a
 * listed venue may set the price, pools of other venues count nothing: anybody can deploy a
 * contract that logs a false depth. The mean is summed in the order of prices and slots, so it
 * never depends on the order of updates.
 */

import { reasonOf, thresholds } from "../../src/rules/price-recipe.ts"
import type { PoolBook } from "./pool-book.ts"

/** A pool's weight in an anchor's price, from 0 to 1, or the reason why it has none. */
export interface Word {
  readonly reason: string | null
  readonly weight: number
}

export class AnchorPrices {
  /** price and depth of the newest mean, in dollars; NaN and 0 where no pool may set a price */
  price = Number.NaN
  depth = 0
  /** Unix seconds of the newest pool state in the mean; 0 for none */
  told = 0
  /** whether the mean is of pools of listed venues */
  listed = false
  private readonly book: PoolBook
  /** by anchor: its pools with a price, in the order of the newest sort */
  private readonly pools = new Map<number, Array<number>>()
  /** by place in the list that was sorted last: the pool's price; infinite where it has none */
  private prices = new Float64Array(64)
  /** the pools that may set the price; by place in `chosen` their prices, depths and weights */
  private chosen = new Uint32Array(64)
  private words = new Float64Array(64)
  private depths = new Float64Array(64)
  private weights = new Float64Array(64)
  private count = 0
  /** Unix seconds of the newest state among the chosen */
  private newest = 0

  constructor(book: PoolBook) {
    this.book = book
  }

  reset(): void {
    this.pools.clear()
  }

  /** Whether an anchor has pools. */
  has(token: number): boolean {
    return (this.pools.get(token)?.length ?? 0) > 0
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
  put(token: number, pool: number): void {
    const list = this.pools.get(token) ?? []
    if (list.length === 0) this.pools.set(token, list)
    const place = list.indexOf(pool)
    const counts = this.book.mayCount(pool)
    if (counts && place < 0) list.push(pool)
    else if (!counts && place >= 0) list.splice(place, 1)
  }

  /** Computes the anchor's mean into the fields above. `worthOf` returns a quote token's price. */
  mean(token: number, now: number, worthOf: (quote: number) => number): void {
    const list = this.pools.get(token) ?? []
    this.sort(list, worthOf)
    this.listed = this.choose(list, true, now, worthOf)
    if (!this.listed) this.choose(list, false, now, worthOf)
    this.sum()
  }

  /** Computes the mean, and returns the weight of each of the anchor's pools in it. */
  wordsOf(token: number, now: number, worthOf: (quote: number) => number): Map<number, Word> {
    this.mean(token, now, worthOf)
    const { quote } = this.book.table.columns
    const words = new Map<number, Word>()
    for (const pool of this.of(token)) {
      const code = this.book.reasonAgainst(pool, now, worthOf(quote[pool] as number))
      // a pool that might set the price and was not chosen is of a venue that is not listed
      words.set(pool, { reason: reasonOf(code) ?? "unlisted", weight: 0 })
    }
    let whole = 0
    for (let i = 0; i < this.count; i++) whole += this.weights[i] as number
    for (let i = 0; i < this.count; i++) {
      const weight = (this.weights[i] as number) / whole
      words.set(this.chosen[i] as number, { reason: this.reasonAt(i), weight })
    }
    return words
  }

  private reasonAt(i: number): string | null {
    if ((this.weights[i] as number) > 0) return null
    return this.ageing(i) === 0 ? "silent" : "far"
  }

  /**
   * Sorts the list by price, then by slot. Insertion sort: it is nearly sorted from the last time.
   */
  private sort(list: Array<number>, worthOf: (quote: number) => number): void {
    this.reserve(list.length)
    const { prices } = this
    const { unit, quote } = this.book.table.columns
    for (let i = 0; i < list.length; i++) {
      const pool = list[i] as number
      const usd = (unit[pool] as number) * worthOf(quote[pool] as number)
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

  private reserve(count: number): void {
    if (count <= this.prices.length) return
    this.prices = new Float64Array(count * 2)
    this.chosen = new Uint32Array(count * 2)
    this.words = new Float64Array(count * 2)
    this.depths = new Float64Array(count * 2)
    this.weights = new Float64Array(count * 2)
  }

  /** Chooses the pools of listed or of other venues that may set a price; false where none may. */
  private choose(
    list: ReadonlyArray<number>,
    listed: boolean,
    now: number,
    worthOf: (quote: number) => number
  ): boolean {
    const { book, prices } = this
    const { quote, depth } = book.table.columns
    this.count = 0
    for (let i = 0; i < list.length; i++) {
      const pool = list[i] as number
      const worth = worthOf(quote[pool] as number)
      if (book.reasonAgainst(pool, now, worth) !== 0 || book.isListed(pool) !== listed) continue
      this.chosen[this.count] = pool
      this.words[this.count] = prices[i] as number
      this.depths[this.count++] = (depth[pool] as number) * worth
    }
    return this.count > 0
  }

  /**
   * Returns the factor by which a chosen pool's weight shrinks with the time that it has been
   * silent longer than the newest pool: 1, a half, ..., 0.
   */
  private ageing(i: number): number {
    const silent = this.newest - (this.book.table.columns.ts[this.chosen[i] as number] as number)
    const { anchorSilentSeconds, anchorHalvingSeconds } = thresholds
    return silent < anchorSilentSeconds ? 2 ** -Math.floor(silent / anchorHalvingSeconds) : 0
  }

  /** Weighs the chosen pools. Returns the weighted median of their prices. */
  private weigh(): number {
    const { chosen, words, depths, weights, count } = this
    const { ts } = this.book.table.columns
    this.newest = 0
    for (let i = 0; i < count; i++) {
      this.newest = Math.max(this.newest, ts[chosen[i] as number] as number)
    }
    let whole = 0
    for (let i = 0; i < count; i++) {
      weights[i] = (depths[i] as number) * this.ageing(i)
      whole += weights[i] as number
    }
    let below = 0
    for (let i = 0; i < count; i++) {
      below += weights[i] as number
      if (below * 2 >= whole) return words[i] as number
    }
    return Number.NaN
  }

  /** Computes the weighted mean of the chosen pools without those far from the weighted median. */
  private sum(): void {
    const middle = this.weigh()
    const { chosen, words, depths, weights } = this
    const { ts } = this.book.table.columns
    let [weighted, whole] = [0, 0]
    this.depth = 0
    this.told = 0
    for (let i = 0; i < this.count; i++) {
      if (!isNear(words[i] as number, middle, thresholds.maxAnchorSpread)) weights[i] = 0
      if (weights[i] === 0) continue
      weighted += (words[i] as number) * (weights[i] as number)
      whole += weights[i] as number
      this.depth += depths[i] as number
      this.told = Math.max(this.told, ts[chosen[i] as number] as number)
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
