/** What tokens cost at present: what is told in quote tokens, times what those cost. */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Anchors } from "./anchors.ts"
import type { TokenPrices } from "./tables.ts"

export class Worth {
  private readonly table: SlotTable<TokenPrices>
  private readonly anchors: Anchors

  constructor(table: SlotTable<TokenPrices>, anchors: Anchors) {
    this.table = table
    this.anchors = anchors
  }

  /** Dollars a whole token of an anchor; NaN for others and while it has no price. */
  ofAnchor(token: number): number {
    if (token === NONE || !this.anchors.isAnchor(token)) return Number.NaN
    const price = token < this.table.count ? (this.table.columns.price[token] as number) : 0
    if (price > 0) return price
    return this.anchors.isUsd(token) ? 1 : Number.NaN
  }

  /** Dollars of what a token's row tells in its quote. */
  private ofQuote(token: number): number {
    const quote = this.table.columns.quote[token] as number
    return quote === NONE ? 1 : this.ofAnchor(quote)
  }

  /** Dollars a whole token; NaN where no pool may tell. */
  of(token: number): number {
    if (token >= this.table.count) return Number.NaN
    return (this.table.columns.price[token] as number) * this.ofQuote(token)
  }

  /** The same a raw unit, of a token without decimals. */
  ofUnit(token: number): number {
    if (token >= this.table.count) return Number.NaN
    return (this.table.columns.unit[token] as number) * this.ofQuote(token)
  }

  /** Dollars behind that; 0 where nothing is known. */
  depthOf(token: number): number {
    if (token >= this.table.count) return 0
    const { depth } = this.table.columns
    return (depth[token] as number) * this.ofQuote(token) || 0
  }

  /**
   * Unix seconds of the oldest state that its price goes back to: of its pools and of its quote's,
   * of each the newest that counts. 0 where no pool tells it, as of a dollar that is 1 by rule.
   */
  toldAt(token: number): number {
    if (token >= this.table.count) return 0
    const { told_ts, quote } = this.table.columns
    const own = told_ts[token] as number
    const through = quote[token] as number
    if (own === 0 || through === NONE || this.anchors.isUsd(through)) return own
    const other = this.toldAt(through)
    return other > 0 ? Math.min(own, other) : own
  }

  /** Dollars of each token at present, NaN for none: a copy, for when the folds go on. */
  all(): Float64Array {
    return Float64Array.from({ length: this.table.count }, (_, token) => this.of(token))
  }
}
