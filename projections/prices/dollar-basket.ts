/**
 * What each dollar anchor is worth, by the pools between them. The best-ranked one that such a pool
 * quotes in is the reference; what others cost in it their pools tell as those of any anchor do
 * (`token_prices.unit`; of the reference 1, without pools null). With enough of them the median of
 * all is a dollar; with fewer nobody can tell which of two has lost its peg, and each is one.
 */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { thresholds } from "../../src/rules/price-recipe.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { AnchorPrices } from "./anchor-prices.ts"
import type { Anchors } from "./anchors.ts"
import type { PoolBook } from "./pool-book.ts"
import type { TokenPrices } from "./tables.ts"

/** The value in the middle of some, of an even number the mean of two. */
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
  /** the dollars that the log has told of, best-ranked first */
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

  /** Notes a dollar. */
  meet(token: number): void {
    if (this.members.includes(token)) return
    this.members.push(token)
    this.members.sort((a, b) => this.anchors.rank(a) - this.anchors.rank(b) || a - b)
  }

  get all(): ReadonlyArray<number> {
    return this.members
  }

  /** What a dollar costs in the reference; NaN where no pool tells. */
  readonly inReference = (token: number): number =>
    token < this.table.count && this.anchors.isUsd(token)
      ? (this.table.columns.unit[token] as number)
      : Number.NaN

  /** The dollars whose price in the reference is known, it too. */
  get known(): ReadonlyArray<number> {
    return this.members.filter(token => this.inReference(token) > 0)
  }

  /** Whether there are enough of them to tell which has lost its peg. */
  get applies(): boolean {
    return this.known.length >= thresholds.minDollars
  }

  /** Dollars that the reference costs. */
  get scale(): number {
    return this.applies ? 1 / medianOf(this.known.map(this.inReference)) : 1
  }

  /** The reference; `NONE` while no pool of two dollars is deep enough. */
  referenceAt(now: number): number {
    const { quote } = this.book.table.columns
    let found = NONE
    for (const token of this.members) {
      for (const pool of this.means.of(token)) {
        const of = quote[pool] as number
        if (found !== NONE && this.anchors.rank(found) <= this.anchors.rank(of)) continue
        // its own side counts at a dollar a coin
        if (this.book.reasonAgainst(pool, now, 1) === 0) found = of
      }
    }
    return found
  }

  /**
   * Finds what each dollar is worth.
   *
   * @param settle finds what a dollar costs in the reference, from what its pools say
   * @returns whether the price of one changed
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

  /** Whether a dollar costs $1 whatever its pools say. */
  isByRule(token: number): boolean {
    return !this.applies || !(this.inReference(token) > 0)
  }

  /**
   * Unix seconds of the newest state behind what a dollar is worth, of the reference that behind
   * any other's; 0 where it is one by rule.
   */
  toldAt(token: number): number {
    if (this.isByRule(token)) return 0
    const { told_ts } = this.table.columns
    const own = told_ts[token] as number
    return own > 0 ? own : Math.max(...this.known.map(one => told_ts[one] as number))
  }

  private set(column: "unit" | "price" | "depth" | "told_ts", token: number, value: number): void {
    const { columns } = this.table
    if (Object.is(columns[column][token], value)) return
    columns[column][token] = value
    this.table.touch(token)
  }
}
