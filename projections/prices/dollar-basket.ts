/**
 * The price of each dollar anchor, by the pools between dollar anchors. The best-ranked dollar that
 * is the quote of such a pool is the reference. The price of another dollar in the reference is the
 * mean of its pools, as for any anchor (`token_prices.unit`; 1 for the reference, null without
 * pools). With enough dollars their median is $1. With fewer nobody knows which of two has lost its
 * peg, and each costs $1.
 */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { thresholds } from "../../src/rules/price-recipe.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { AnchorPrices } from "./anchor-prices.ts"
import type { Anchors } from "./anchors.ts"
import type { PoolBook } from "./pool-book.ts"
import type { TokenPrices } from "./tables.ts"

/** Returns the median: for an even number of values the mean of the middle two. */
const medianOf = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [(sorted.length - 1) >> 1, sorted.length >> 1]
  return ((sorted[low] as number) + (sorted[high] as number)) / 2
}

export class DollarBasket {
  private readonly table: SlotTable<TokenPrices>
  private readonly anchors: Anchors
  private readonly means: AnchorPrices
  private readonly book: PoolBook
  /** dollars that have appeared in the log, best-ranked first */
  private members: Array<number> = []

  constructor(
    table: SlotTable<TokenPrices>,
    anchors: Anchors,
    means: AnchorPrices,
    book: PoolBook
  ) {
    this.table = table
    this.anchors = anchors
    this.means = means
    this.book = book
  }

  reset(): void {
    this.members = []
  }

  /** Adds a dollar that appears for the first time. */
  meet(token: number): void {
    if (this.members.includes(token)) return
    this.members.push(token)
    this.members.sort((a, b) => this.anchors.rank(a) - this.anchors.rank(b) || a - b)
  }

  get all(): ReadonlyArray<number> {
    return this.members
  }

  /** Returns the price of a dollar in the reference; NaN where no pool sets it. */
  readonly inReference = (token: number): number =>
    token < this.table.count && this.anchors.isUsd(token)
      ? (this.table.columns.unit[token] as number)
      : Number.NaN

  /** The dollars with a price in the reference, the reference itself included. */
  get known(): ReadonlyArray<number> {
    return this.members.filter(token => this.inReference(token) > 0)
  }

  /** Whether enough dollars have a price to see which has lost its peg. */
  get applies(): boolean {
    return this.known.length >= thresholds.minDollars
  }

  /** The price of the reference in dollars. */
  get scale(): number {
    return this.applies ? 1 / medianOf(this.known.map(this.inReference)) : 1
  }

  /** Returns the reference; `NONE` while no pool of two dollars is deep enough. */
  referenceAt(now: number): number {
    const { quote } = this.book.table.columns
    let reference = NONE
    for (const token of this.members) {
      for (const pool of this.means.of(token)) {
        const quoteToken = quote[pool] as number
        if (reference !== NONE && this.anchors.rank(reference) <= this.anchors.rank(quoteToken))
          continue
        // a coin of the quote side counts as one dollar
        if (this.book.reasonAgainst(pool, now, 1) === 0) reference = quoteToken
      }
    }
    return reference
  }

  /**
   * Computes the price of each dollar.
   *
   * @param settle computes a dollar's price in the reference from its pools
   * @returns whether the price of a dollar changed
   */
  update(now: number, settle: (token: number) => void): boolean {
    const { columns } = this.table
    const reference = this.referenceAt(now)
    for (const token of this.members) {
      if (token !== reference) settle(token)
      else {
        this.set("unit", token, 1)
        this.set("depth", token, 0)
        this.set("told_ts", token, 0)
      }
    }
    const { scale } = this
    let isChanged = false
    for (const token of this.members) {
      const price = this.isByRule(token) ? 1 : this.inReference(token) * scale
      if (columns.price[token] === price) continue
      this.set("price", token, price)
      columns.ts[token] = now
      isChanged = true
    }
    return isChanged
  }

  /** Whether a dollar costs $1 by rule, whatever its pools say. */
  isByRule(token: number): boolean {
    return !this.applies || !(this.inReference(token) > 0)
  }

  /**
   * Returns the Unix seconds of the newest pool state behind a dollar's price; 0 where the price is
   * $1 by rule. For the reference it is the newest state behind any other dollar's price.
   */
  toldAt(token: number): number {
    if (this.isByRule(token)) return 0
    const { told_ts } = this.table.columns
    const ownTs = told_ts[token] as number
    return ownTs > 0 ? ownTs : Math.max(...this.known.map(one => told_ts[one] as number))
  }

  private set(column: "unit" | "price" | "depth" | "told_ts", token: number, value: number): void {
    const { columns } = this.table
    if (Object.is(columns[column][token], value)) return
    columns[column][token] = value
    this.table.touch(token)
  }
}
