/**
 * Decides which prints are believed, in log order and with a few numbers per token. The reference
 * is the token's price by the recipe or, without one, its last accepted print. A print far from the
 * reference is an outlier and votes for its own level, as in a majority vote in one pass (Boyer and
 * Moore): a print near the other level adds a vote, any other print takes one away.
 *
 * A print is strong where its pool might set the token's price itself or, while the token has no
 * price, where its venue is listed. Prints in thin pools, or in a contract of one's own, cost next
 * to nothing: weak prints neither move nor outvote the level of strong ones, for a day.
 */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { OUTLIER, thresholds } from "../../src/rules/price-recipe.ts"
import { isNear } from "./anchor-prices.ts"
import type { PoolBook } from "./pool-book.ts"
import type { PrintLevels, TokenPrices } from "./tables.ts"
import type { Worth } from "./worth.ts"

export class PrintLevelBook {
  readonly table: SlotTable<PrintLevels>
  private readonly prices: SlotTable<TokenPrices>
  private readonly book: PoolBook
  private readonly worth: Worth

  constructor(
    table: SlotTable<PrintLevels>,
    prices: SlotTable<TokenPrices>,
    book: PoolBook,
    worth: Worth
  ) {
    this.worth = worth
    this.table = table
    this.prices = prices
    this.book = book
  }

  /**
   * Judges a print.
   *
   * @param price positive dollars, per whole token or per raw unit as `token_prices.unit` is
   * @returns the print's code of `OUTLIER`; 0 where the print is accepted
   */
  judge(token: number, pool: number, price: number, ts: number): number {
    this.meet(token)
    const { maxPriceRatio } = thresholds
    const c = this.table.columns
    const p = this.prices.columns
    const unit = this.worth.ofUnit(token)
    const was = token < this.prices.count ? (p.unit_was[token] as number) : Number.NaN
    const accepted = c.accepted[token] as number
    if (this.isForgotten(token, ts)) {
      this.accept(token, price, this.book.isListed(pool))
      return 0
    }
    if (unit > 0) {
      // a V2 pair logs its reserves before its swap: the price before the swap is the former one
      const before = p.ts[token] === ts && was > 0 ? was : unit
      const low = Math.min(before, unit)
      const high = Math.max(before, unit)
      if (price * maxPriceRatio >= low && price <= high * maxPriceRatio) {
        if (accepted > 0 || c.votes[token] !== 0) this.acceptAsPriced(token, pool, ts)
        return 0
      }
      if (isNear(price, accepted, maxPriceRatio)) return 0
      return this.vote(token, pool, price, ts)
    }
    const reference = accepted > 0 ? accepted : was
    const isListed = this.book.isListed(pool)
    const isFirst = !(reference > 0) || (isListed && !this.wasStrong(token))
    if (isFirst) this.accept(token, price, isListed)
    else if (isNear(price, reference, maxPriceRatio)) this.follow(token, pool, price, ts)
    else return this.vote(token, pool, price, ts)
    return 0
  }

  /** Whether a token is an anchor with a price too old to count: a log may have holes of years. */
  private isForgotten(token: number, ts: number): boolean {
    const isAnchor = this.worth.ofAnchor(token) > 0
    return isAnchor && ts - this.worth.toldAt(token) > thresholds.anchorStaleSeconds
  }

  private meet(token: number): void {
    if (token < this.table.count) return
    const before = this.table.count
    this.table.grow(token + 1)
    for (let t = before; t <= token; t++) this.table.columns.token[t] = t
  }

  /** Whether the token's present or last price comes from a listed venue. */
  private isListedWord(token: number): boolean {
    return token < this.prices.count && this.prices.columns.listed[token] === 1
  }

  /** Whether a print of the pool is strong for the token. */
  private isStrong(token: number, pool: number, ts: number): boolean {
    const { book } = this
    if (!this.isPriced(token)) return book.isListed(pool) || !this.wasStrong(token)
    return book.isEligible(pool, ts) && (book.isListed(pool) || !this.isListedWord(token))
  }

  private isPriced(token: number): boolean {
    return this.worth.ofUnit(token) > 0
  }

  /** Whether the reference of a token without a price came from a strong print. */
  private wasStrong(token: number): boolean {
    const c = this.table.columns
    const isAccepted = (c.accepted[token] as number) > 0
    return isAccepted ? c.accepted_strong[token] === 1 : this.isListedWord(token)
  }

  private accept(token: number, price: number, isStrong: boolean): void {
    const c = this.table.columns
    c.accepted[token] = price
    c.accepted_strong[token] = isStrong ? 1 : 0
    this.table.touch(token)
  }

  /** Accepts a print near the token's price: while there is a price, no accepted level is kept. */
  private acceptAsPriced(token: number, pool: number, ts: number): void {
    this.unvote(token, pool, ts)
    const c = this.table.columns
    if (c.accepted_strong[token] === 1 && !this.isStrong(token, pool, ts)) return
    c.accepted[token] = Number.NaN
    this.table.touch(token)
  }

  /** Moves the accepted level to a print near it; a weak print does not move a strong level. */
  private follow(token: number, pool: number, price: number, ts: number): void {
    this.unvote(token, pool, ts)
    const isStrong = this.isStrong(token, pool, ts)
    if (isStrong) this.accept(token, price, this.wasStrong(token))
  }

  private unvote(token: number, pool: number, ts: number): void {
    const c = this.table.columns
    const votes = c.votes[token] as number
    if (votes === 0) return
    if (c.other_strong[token] === 1 && !this.isStrong(token, pool, ts)) return
    c.votes[token] = votes - 1
    this.table.touch(token)
  }

  /** Counts a print at another level. Returns 0 where that level is accepted from now on. */
  private vote(token: number, pool: number, price: number, ts: number): number {
    const c = this.table.columns
    const isStrong = this.isStrong(token, pool, ts)
    const otherIsStrong = c.other_strong[token] === 1
    const votes = c.votes[token] as number
    if (votes > 0 && otherIsStrong && !isStrong) return OUTLIER.price
    this.table.touch(token)
    if (votes === 0 || isStrong !== otherIsStrong) {
      c.other[token] = price
      c.other_strong[token] = isStrong ? 1 : 0
      c.votes[token] = 1
      c.voter[token] = pool
      c.second[token] = 0
      c.since[token] = ts
      return OUTLIER.price
    }
    if (!isNear(price, c.other[token] as number, thresholds.maxPriceRatio)) {
      c.votes[token] = votes - 1
      return OUTLIER.price
    }
    c.other[token] = price
    c.votes[token] = votes + 1
    if (c.voter[token] !== pool) c.second[token] = 1
    if (!this.hasWon(token, ts, isStrong)) return OUTLIER.price
    c.votes[token] = 0
    this.accept(token, price, isStrong && (this.isPriced(token) || this.book.isListed(pool)))
    return 0
  }

  private hasWon(token: number, ts: number, isStrong: boolean): boolean {
    const c = this.table.columns
    if ((c.votes[token] as number) < thresholds.recoverPrints) return false
    const lasted = ts - (c.since[token] as number)
    if (!isStrong) return lasted >= thresholds.recoverWeakSeconds
    return c.second[token] === 1 || lasted >= thresholds.recoverSeconds
  }

  /** Multiplies the levels per unit by `factor`, once the token's decimals are known. */
  rescale(token: number, factor: number): void {
    if (token >= this.table.count) return
    const c = this.table.columns
    if (!((c.accepted[token] as number) > 0) && !((c.other[token] as number) > 0)) return
    c.accepted[token] = (c.accepted[token] as number) * factor
    c.other[token] = (c.other[token] as number) * factor
    this.table.touch(token)
  }

  /** Gives each token a row, after a rollback or a start. */
  reloaded(count: number): void {
    this.table.truncate(count)
    this.table.grow(count)
    for (let token = 0; token < count; token++) this.table.columns.token[token] = token
  }
}
