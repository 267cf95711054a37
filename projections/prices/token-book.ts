/** The price of each token, by the pools that may set it. */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { thresholds } from "../../src/rules/price-recipe.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { AnchorPrices, isNear, type Word } from "./anchor-prices.ts"
import type { BasedPools } from "./based-pools.ts"
import { DollarBasket } from "./dollar-basket.ts"
import type { Pair } from "./pair.ts"
import type { PoolBook } from "./pool-book.ts"
import type { TokenPrices } from "./tables.ts"
import type { Worth } from "./worth.ts"

export class TokenBook {
  readonly table: SlotTable<TokenPrices>
  readonly basket: DollarBasket
  readonly means: AnchorPrices
  private readonly book: PoolBook
  private readonly pair: Pair
  private readonly based: BasedPools
  private readonly worth: Worth
  /** anchors other than dollars that have pools, best-ranked first */
  private assets: Array<number> = []
  private readonly worthOf: (quote: number) => number

  constructor(
    table: SlotTable<TokenPrices>,
    book: PoolBook,
    pair: Pair,
    based: BasedPools,
    worth: Worth
  ) {
    this.table = table
    this.book = book
    this.pair = pair
    this.based = based
    this.worth = worth
    this.means = new AnchorPrices(book)
    this.basket = new DollarBasket(table, pair.anchors, this.means, book)
    this.worthOf = quote => worth.ofAnchor(quote)
  }

  /**
   * Computes the base token's price after the pool that `pair` looks at changed, and what follows.
   */
  poolChanged(pool: number, ts: number): void {
    const { anchors, quoteAs, baseAs } = this.pair
    if (anchors.isUsd(quoteAs)) this.meetDollar(quoteAs, ts)
    if (anchors.isUsd(baseAs)) {
      this.meetDollar(baseAs, ts)
      this.means.put(baseAs, pool)
      if (this.basket.update(ts, token => this.settleDollar(token, ts)))
        this.priceAssets(0, true, ts)
    } else if (anchors.isAnchor(baseAs)) {
      this.meet(baseAs)
      this.putAsset(baseAs, pool)
      this.priceAssets(this.assets.indexOf(baseAs), false, ts)
    } else this.priceToken(baseAs, pool, ts)
  }

  /** Removes a pool from its former base token. */
  forget(token: number, pool: number): void {
    this.means.drop(token, pool)
  }

  private meet(token: number): void {
    if (token < this.table.count) return
    const before = this.table.count
    this.table.grow(token + 1)
    for (let t = before; t <= token; t++) this.table.columns.token[t] = t
  }

  /** Gives a dollar the price $1 at its first sight; later the basket sets its price. */
  private meetDollar(token: number, ts: number): void {
    this.meet(token)
    const { columns } = this.table
    if ((columns.price[token] as number) > 0) return
    columns.price[token] = 1
    columns.ts[token] = ts
    this.table.touch(token)
    this.basket.meet(token)
  }

  private putAsset(token: number, pool: number): void {
    this.means.put(token, pool)
    if (this.assets.includes(token)) return
    const { anchors } = this.pair
    this.assets.push(token)
    this.assets.sort((a, b) => anchors.rank(a) - anchors.rank(b) || a - b)
  }

  /**
   * Prices the anchor at a place of `assets`. Where its price moved (or `moved`), prices the
   * anchors behind it too, since their pools may be quoted in it.
   */
  private priceAssets(from: number, moved: boolean, ts: number): void {
    let isMoved = moved
    for (let place = from; place < this.assets.length; place++) {
      if (place > from && !isMoved) return
      if (this.priceAsset(this.assets[place] as number, ts)) isMoved = true
    }
  }

  /** Prices an anchor that is no dollar. Returns whether its price changed. */
  private priceAsset(token: number, ts: number): boolean {
    this.means.mean(token, ts, this.worthOf)
    this.settle(token, this.means.price, thresholds.anchorJump, ts)
    const { price, unit } = this.table.columns
    if (Object.is(price[token], unit[token])) return false
    price[token] = unit[token] as number
    return true
  }

  /** Computes the price of a dollar in the reference. */
  private settleDollar(token: number, ts: number): void {
    this.means.mean(token, ts, this.basket.inReference)
    const isDeep = this.means.depth >= thresholds.minDollarDepthUsd
    this.settle(token, isDeep ? this.means.price : Number.NaN, thresholds.dollarJump, ts)
  }

  /** Takes the newest mean of an anchor over as its price, where the mean counts already. */
  private settle(token: number, mean: number, jump: number, ts: number): void {
    const { columns } = this.table
    const { depth, told: newestTs, listed } = this.means
    const isStale = ts - (columns.told_ts[token] as number) >= thresholds.anchorStaleSeconds
    const before = columns.unit[token] as number
    if (Object.is(mean, before) && columns.depth[token] === depth) {
      if (columns.told_ts[token] === newestTs && Number.isNaN(columns.pending[token])) return
    }
    if (Number.isNaN(mean)) this.setUnit(token, Number.NaN, NONE)
    else if (isStale || this.counts(token, mean, jump, ts)) {
      this.setUnit(token, mean, NONE)
      columns.pending[token] = Number.NaN
      columns.pending_ts[token] = 0
      columns.listed[token] = listed ? 1 : 0
    }
    columns.depth[token] = depth
    columns.told_ts[token] = newestTs > 0 ? newestTs : (columns.told_ts[token] as number)
    columns.ts[token] = ts
    this.table.touch(token)
  }

  /**
   * Whether an anchor's mean counts: it is near the former price, has lasted, or is the first one
   * of listed venues.
   */
  private counts(token: number, mean: number, jump: number, ts: number): boolean {
    const { columns } = this.table
    const unit = columns.unit[token] as number
    const before = unit > 0 ? unit : (columns.unit_was[token] as number)
    const pending = columns.pending[token] as number
    const isBetter = this.means.listed && columns.listed[token] === 0
    if (before > 0 && !isBetter && !isNear(mean, before, jump)) {
      // the price may move on while the mean waits
      if (!isNear(mean, pending, Math.max(jump, thresholds.maxAnchorSpread))) {
        columns.pending[token] = mean
        columns.pending_ts[token] = ts
        return false
      }
      if (ts - (columns.pending_ts[token] as number) < thresholds.anchorHoldSeconds) return false
    }
    return true
  }

  /** Sets a token's price per unit, and keeps the newest known one as the former price. */
  private setUnit(token: number, unit: number, quote: number): void {
    const { columns } = this.table
    const before = this.worth.ofUnit(token)
    columns.unit[token] = unit
    columns.quote[token] = quote
    const after = this.worth.ofUnit(token)
    if (before > 0) columns.unit_was[token] = before
    else if (after > 0) columns.unit_was[token] = after
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
    const poolColumns = this.book.table.columns
    this.setUnit(token, Number.NaN, poolColumns.quote[pool] as number)
    columns.price[token] = Number.NaN
    columns.depth[token] = poolColumns.depth[pool] as number
    columns.ts[token] = ts
    this.table.touch(token)
  }

  /** Makes a pool the token's leader: the token has the pool's price. */
  private lead(token: number, pool: number, ts: number): void {
    const { columns } = this.table
    const poolColumns = this.book.table.columns
    this.setUnit(token, poolColumns.unit[pool] as number, poolColumns.quote[pool] as number)
    columns.price[token] = poolColumns.price[pool] as number
    columns.pool[token] = pool
    columns.listed[token] = this.book.isListed(pool) ? 1 : 0
    columns.depth[token] = poolColumns.depth[pool] as number
    columns.told_ts[token] = poolColumns.ts[pool] as number
    columns.ts[token] = ts
    this.table.touch(token)
  }

  /** Whether an eligible pool replaces the token's leader: it is listed, or deeper. */
  private outranks(pool: number, token: number): boolean {
    const { columns } = this.table
    const { book } = this
    const leader = columns.pool[token] as number
    if (leader === NONE || !(this.worth.ofUnit(token) > 0)) return true
    const isListed = book.isListed(pool)
    if (isListed !== book.isListed(leader)) return isListed
    return book.depthUsd(pool) > book.depthUsd(leader)
  }

  /** Returns the best eligible pool of a token (listed, then deepest, then oldest), or `NONE`. */
  private best(token: number, now: number): number {
    const { book, based } = this
    let best = NONE
    let [listed, depth] = [false, 0]
    for (let pool = based.first(token); pool >= 0; pool = based.after(pool)) {
      if (!book.isEligible(pool, now)) continue
      const isListed = book.isListed(pool)
      const poolDepth = book.depthUsd(pool)
      if (best !== NONE && listed && !isListed) continue
      if (best !== NONE && listed === isListed) {
        if (poolDepth < depth || (poolDepth === depth && pool > best)) continue
      }
      best = pool
      listed = isListed
      depth = poolDepth
    }
    return best
  }

  /** Multiplies the prices per unit by `factor`, once the token's decimals are known. */
  rescale(token: number, factor: number): void {
    if (token >= this.table.count) return
    const { columns } = this.table
    if (!((columns.unit_was[token] as number) > 0)) return
    columns.unit[token] = (columns.unit[token] as number) * factor
    columns.unit_was[token] = (columns.unit_was[token] as number) * factor
    columns.price[token] = columns.unit[token] as number
    this.table.touch(token)
  }

  /** Returns the weight of each pool in an anchor's price, as of the time it was computed last. */
  wordsOf(token: number): ReadonlyMap<number, Word> {
    if (token >= this.table.count) return new Map()
    const isUsd = this.pair.anchors.isUsd(token)
    const worthOf = isUsd ? this.basket.inReference : this.worthOf
    return this.means.wordsOf(token, this.table.columns.ts[token] as number, worthOf)
  }

  /** Makes lists anew after a rollback or a start, once the pools' rows are in place. */
  reloaded(count: number, pools: number): void {
    this.table.truncate(count)
    this.table.grow(count)
    const { columns } = this.table
    const { anchors } = this.pair
    this.means.reset()
    this.basket.reset()
    this.assets = []
    for (let token = 0; token < count; token++) {
      columns.token[token] = token
      if (anchors.isUsd(token) && (columns.price[token] as number) > 0) this.basket.meet(token)
    }
    for (let pool = 0; pool < pools; pool++) {
      if (!this.pair.look(pool)) continue
      const { baseAs } = this.pair
      if (anchors.isUsd(baseAs)) this.means.put(baseAs, pool)
      else if (anchors.isAnchor(baseAs)) this.putAsset(baseAs, pool)
    }
  }
}
