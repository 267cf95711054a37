/**
 * The price of an anchor by the pools that quote it in better-ranked anchors: those of listed
 * venues where one may set a price, for what a contract of its own logs of its depth anybody can
 * write. Summed in the order of prices and slots, so the sum never depends on the order of updates.
 */

import { reasonOf, thresholds } from "../../src/rules/price-recipe.ts"
import type { PoolBook } from "./pool-book.ts"

/** What a pool has to do with an anchor's price: its part in it, or why it has none. */
export interface Word {
  readonly reason: string | null
  readonly weight: number
}

export class AnchorPrices {
  /** the mean last made; NaN and 0 where no pool may set a price */
  price = Number.NaN
  depth = 0
  /** Unix seconds of the newest state that is in it, 0 for none */
  told = 0
  /** whether it is the word of listed venues */
  listed = false
  private readonly book: PoolBook
  /** pools with a price, by anchor, in the order in which they stood last */
  private readonly pools = new Map<number, Array<number>>()
  /** by place in the list at hand: what the pool says, infinite where nothing */
  private prices = new Float64Array(64)
  /** those that may set the price, what each says and counts for */
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

  /** Pools of an anchor. */
  of(token: number): ReadonlyArray<number> {
    return this.pools.get(token) ?? []
  }

  /** Takes a pool out of an anchor's. */
  drop(token: number, pool: number): void {
    const list = this.pools.get(token)
    const place = list?.indexOf(pool) ?? -1
    if (place >= 0) list?.splice(place, 1)
  }

  /** Notes a pool of an anchor, where it may ever count as it is. */
  put(token: number, pool: number): void {
    const list = this.pools.get(token) ?? []
    if (list.length === 0) this.pools.set(token, list)
    const place = list.indexOf(pool)
    const counts = this.book.mayCount(pool)
    if (counts && place < 0) list.push(pool)
    else if (!counts && place >= 0) list.splice(place, 1)
  }

  /** Makes the anchor's mean; `worthOf` is what a quote token costs. */
  mean(token: number, now: number, worthOf: (quote: number) => number): void {
    const list = this.pools.get(token) ?? []
    this.sort(list, worthOf)
    this.listed = this.choose(list, true, now, worthOf)
    if (!this.listed) this.choose(list, false, now, worthOf)
    this.sum()
  }

  /** What each pool has to do with the mean, made now as `mean` makes it. */
  wordsOf(token: number, now: number, worthOf: (quote: number) => number): Map<number, Word> {
    this.mean(token, now, worthOf)
    const { quote } = this.book.table.columns
    const found = new Map<number, Word>()
    for (const pool of this.of(token)) {
      const code = this.book.reasonAgainst(pool, now, worthOf(quote[pool] as number))
      // what might set a price and was not chosen is not listed
      found.set(pool, { reason: reasonOf(code) ?? "unlisted", weight: 0 })
    }
    let whole = 0
    for (let i = 0; i < this.count; i++) whole += this.weights[i] as number
    for (let i = 0; i < this.count; i++) {
      const weight = (this.weights[i] as number) / whole
      found.set(this.chosen[i] as number, { reason: this.reasonAt(i), weight })
    }
    return found
  }

  private reasonAt(i: number): string | null {
    if ((this.weights[i] as number) > 0) return null
    return this.ageing(i) === 0 ? "silent" : "far"
  }

  /** Brings the list in the order of prices and slots; it is nearly so from the last time. */
  private sort(list: Array<number>, worthOf: (quote: number) => number): void {
    this.reserve(list.length)
    const { prices } = this
    const { unit, quote } = this.book.table.columns
    for (let i = 0; i < list.length; i++) {
      const pool = list[i] as number
      const told = (unit[pool] as number) * worthOf(quote[pool] as number)
      const price = told > 0 ? told : Number.POSITIVE_INFINITY
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

  /** Pools that may set a price and are listed or not; false without any. */
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

  /** What is left of a chosen pool's word for its silence beside the newest: 1, a half, ..., 0. */
  private ageing(i: number): number {
    const silent = this.newest - (this.book.table.columns.ts[this.chosen[i] as number] as number)
    const { anchorSilentSeconds, anchorHalvingSeconds } = thresholds
    return silent < anchorSilentSeconds ? 2 ** -Math.floor(silent / anchorHalvingSeconds) : 0
  }

  /** Weighs the chosen; answers the weighted median of what they say. */
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

  /** The mean of the chosen by weight, without those far from their weighted median. */
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

/** Whether a pool of a price stands behind another. */
const isAfter = (price: number, pool: number, other: number, than: number): boolean =>
  price > other || (price === other && pool > than)

/** Whether two positive numbers are at most a factor apart. */
export const isNear = (one: number, other: number, factor: number): boolean =>
  one <= other * factor && other <= one * factor
