/** Present prices of tokens: the price in quote tokens times the quote's present price. */
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

  /** Returns the dollars per whole token of an anchor; NaN for others and while it has no price. */
  ofAnchor(token: number): number {
    if (token === NONE || !this.anchors.isAnchor(token)) return Number.NaN
    const price = token < this.table.count ? (this.table.columns.price[token] as number) : 0
    if (price > 0) return price
    return this.anchors.isUsd(token) ? 1 : Number.NaN
  }

  /** Returns the dollars per quote token of a token's row; 1 where the row is in dollars. */
  private ofQuote(token: number): number {
    const quote = this.table.columns.quote[token] as number
    return quote === NONE ? 1 : this.ofAnchor(quote)
  }

  /** Returns the dollars per whole token; NaN where no pool may set a price. */
  of(token: number): number {
    if (token >= this.table.count) return Number.NaN
    return (this.table.columns.price[token] as number) * this.ofQuote(token)
  }

  /** Returns the dollars per raw unit of a token without decimals, per whole token of others. */
  ofUnit(token: number): number {
    if (token >= this.table.count) return Number.NaN
    return (this.table.columns.unit[token] as number) * this.ofQuote(token)
  }

  /** Returns the dollars of depth behind a token's price; 0 where nothing is known. */
  depthOf(token: number): number {
    if (token >= this.table.count) return 0
    const { depth } = this.table.columns
    return (depth[token] as number) * this.ofQuote(token) || 0
  }

  /**
   * Returns the Unix seconds of the oldest pool state behind a token's price: the newest state of
   * its own pools, or that of its quote's pools, whichever is older. 0 where no pool sets the
   * price, as for a dollar that costs $1 by rule.
   */
  toldAt(token: number): number {
    if (token >= this.table.count) return 0
    const { told_ts, quote } = this.table.columns
    const ownTs = told_ts[token] as number
    const quoteToken = quote[token] as number
    if (ownTs === 0 || quoteToken === NONE || this.anchors.isUsd(quoteToken)) return ownTs
    const quoteTs = this.toldAt(quoteToken)
    return quoteTs > 0 ? Math.min(ownTs, quoteTs) : ownTs
  }

  /**
   * Returns the present dollars of each token, NaN for none: a copy that later events do not
   * change.
   */
  all(): Float64Array {
    return Float64Array.from({ length: this.table.count }, (_, token) => this.of(token))
  }
}
