/** What each token costs, by the pools that may say so. */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { AnchorPrices, isNear } from "./anchor-prices.ts"
import type { BasedPools } from "./based-pools.ts"
import type { Pair } from "./pair.ts"
import type { PoolBook } from "./pool-book.ts"
import { thresholds } from "./recipe.ts"
import type { TokenPrices } from "./tables.ts"

export class TokenBook {
  readonly table: SlotTable<TokenPrices>
  private readonly book: PoolBook
  private readonly pair: Pair
  private readonly based: BasedPools
  private readonly anchorPrices: AnchorPrices

  constructor(table: SlotTable<TokenPrices>, book: PoolBook, pair: Pair, based: BasedPools) {
    this.table = table
    this.book = book
    this.pair = pair
    this.based = based
    this.anchorPrices = new AnchorPrices(book)
  }

  /** Dollars a whole token of an anchor; NaN for others and while it has no price. */
  quotePrice(token: number): number {
    const { anchors } = this.pair
    if (anchors.isUsd(token)) return 1
    if (!anchors.isAnchor(token) || token >= this.table.count) return Number.NaN
    return this.table.columns.price[token] as number
  }

  /** After the pool that `pair` looks at changed: its base token's price. */
  poolChanged(pool: number, ts: number): void {
    const { anchors, quoteAs, baseAs } = this.pair
    if (anchors.isUsd(quoteAs)) this.priceUsdAnchor(quoteAs, ts)
    if (anchors.isUsd(baseAs)) this.priceUsdAnchor(baseAs, ts)
    else if (anchors.isAnchor(baseAs)) this.priceAnchor(baseAs, pool, ts)
    else this.priceToken(baseAs, pool, ts)
  }

  /** A pool has another base than before, which was `token`. */
  forget(token: number, pool: number): void {
    this.anchorPrices.drop(token, pool)
  }

  private meet(token: number): void {
    if (token < this.table.count) return
    const before = this.table.count
    this.table.grow(token + 1)
    for (let t = before; t <= token; t++) this.table.columns.token[t] = t
  }

  /** A `usd` anchor costs $1 from its first sight on. */
  private priceUsdAnchor(token: number, ts: number): void {
    this.meet(token)
    const { columns } = this.table
    if (columns.price[token] === 1) return
    columns.price[token] = 1
    columns.unit[token] = 1
    columns.ts[token] = ts
    this.table.touch(token)
  }

  private priceAnchor(token: number, pool: number, ts: number): void {
    this.meet(token)
    this.anchorPrices.put(token, pool)
    this.anchorPrices.mean(token, ts)
    const { price, depth } = this.anchorPrices
    const { columns } = this.table
    const isStale = ts - (columns.ts[token] as number) >= thresholds.anchorStaleSeconds
    columns.depth_usd[token] = depth
    columns.ts[token] = ts
    this.table.touch(token)
    if (Number.isNaN(price)) this.setUnit(token, Number.NaN, Number.NaN)
    else if (isStale || this.counts(token, price, ts)) {
      this.setUnit(token, price, price)
      columns.pending[token] = Number.NaN
      columns.pending_ts[token] = 0
      columns.listed[token] = this.anchorPrices.listed ? 1 : 0
    }
  }

  /**
   * Whether an anchor's mean counts: it is near the price before, has lasted, or is the first word
   * of listed venues.
   */
  private counts(token: number, mean: number, ts: number): boolean {
    const { columns } = this.table
    const { anchorJump, anchorHoldSeconds } = thresholds
    const unit = columns.unit[token] as number
    const before = unit > 0 ? unit : (columns.unit_was[token] as number)
    const pending = columns.pending[token] as number
    const isBetter = this.anchorPrices.listed && columns.listed[token] === 0
    if (before > 0 && !isBetter && !isNear(mean, before, anchorJump)) {
      if (!isNear(mean, pending, anchorJump)) {
        columns.pending[token] = mean
        columns.pending_ts[token] = ts
        return false
      }
      if (ts - (columns.pending_ts[token] as number) < anchorHoldSeconds) return false
    }
    return true
  }

  /** Where there is no price any more, the last one is kept as the one before. */
  private setUnit(token: number, unit: number, price: number): void {
    const { columns } = this.table
    const before = columns.unit[token] as number
    if (before > 0) columns.unit_was[token] = before
    else if (unit > 0) columns.unit_was[token] = unit
    columns.unit[token] = unit
    columns.price[token] = price
  }

  private priceToken(token: number, pool: number, ts: number): void {
    this.meet(token)
    const { columns } = this.table
    const isEligible = this.book.isEligible(pool, ts)
    if (columns.pool[token] !== pool) {
      if (isEligible && this.outranks(pool, token)) this.lead(token, pool, ts)
      return
    }
    if (isEligible) return this.lead(token, pool, ts)
    const wasPriced = (columns.unit[token] as number) > 0
    const other = wasPriced ? this.best(token, ts) : NONE
    if (other !== NONE) return this.lead(token, other, ts)
    this.setUnit(token, Number.NaN, Number.NaN)
    columns.depth_usd[token] = this.book.table.columns.depth_usd[pool] as number
    columns.ts[token] = ts
    this.table.touch(token)
  }

  /** The token costs what this pool says. */
  private lead(token: number, pool: number, ts: number): void {
    const { columns } = this.table
    const own = this.book.table.columns
    this.setUnit(token, own.unit[pool] as number, own.price[pool] as number)
    columns.pool[token] = pool
    columns.listed[token] = this.book.isListed(pool) ? 1 : 0
    columns.depth_usd[token] = own.depth_usd[pool] as number
    columns.ts[token] = ts
    this.table.touch(token)
  }

  /** Whether an eligible pool is to price a token instead of its leader: listed, or deeper. */
  private outranks(pool: number, token: number): boolean {
    const { columns } = this.table
    const leader = columns.pool[token] as number
    if (leader === NONE || !((columns.unit[token] as number) > 0)) return true
    const isListed = this.book.isListed(pool)
    if (isListed !== this.book.isListed(leader)) return isListed
    const depth = this.book.table.columns.depth_usd[pool] as number
    return depth > (columns.depth_usd[token] as number)
  }

  /** The eligible pool of a token that is listed, deepest, oldest in this order; or `NONE`. */
  private best(token: number, now: number): number {
    const { book, based } = this
    const depths = book.table.columns.depth_usd
    let found = NONE
    let [listed, depth] = [false, 0]
    for (let pool = based.first(token); pool >= 0; pool = based.after(pool)) {
      if (!book.isEligible(pool, now)) continue
      const isListed = book.isListed(pool)
      const own = depths[pool] as number
      if (found !== NONE && listed && !isListed) continue
      if (found !== NONE && listed === isListed) {
        if (own < depth || (own === depth && pool > found)) continue
      }
      found = pool
      listed = isListed
      depth = own
    }
    return found
  }

  /** The token told its decimals: a unit of it is so many of what a unit was. */
  rescale(token: number, factor: number): void {
    if (token >= this.table.count) return
    const { columns } = this.table
    if (!((columns.unit_was[token] as number) > 0)) return
    columns.unit[token] = (columns.unit[token] as number) * factor
    columns.unit_was[token] = (columns.unit_was[token] as number) * factor
    columns.price[token] = columns.unit[token] as number
    this.table.touch(token)
  }

  /** After a rollback or start, with the pools' rows in place. */
  reloaded(count: number, pools: number): void {
    this.table.truncate(count)
    this.table.grow(count)
    for (let token = 0; token < count; token++) this.table.columns.token[token] = token
    this.anchorPrices.reset()
    for (let pool = 0; pool < pools; pool++) {
      if (!this.pair.look(pool)) continue
      const { baseAs, anchors } = this.pair
      if (anchors.isAnchor(baseAs) && !anchors.isUsd(baseAs)) this.anchorPrices.put(baseAs, pool)
    }
  }
}
