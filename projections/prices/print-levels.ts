/**
 * Which prints to believe, decided in log order with a few numbers a token. A token's price (the
 * recipe's) is the reference; without one, its last accepted print. Prints far from it are outliers
 * and vote for their own level, as in a majority vote in one pass (Boyer and Moore): a print near
 * the other level adds a vote, one elsewhere or an accepted one takes one away.
 */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { isNear } from "./anchor-prices.ts"
import type { PoolBook } from "./pool-book.ts"
import { OUTLIER, thresholds } from "./recipe.ts"
import type { PrintLevels, TokenPrices } from "./tables.ts"

export class PrintLevelBook {
  private readonly table: SlotTable<PrintLevels>
  private readonly prices: SlotTable<TokenPrices>
  private readonly book: PoolBook

  constructor(table: SlotTable<PrintLevels>, prices: SlotTable<TokenPrices>, book: PoolBook) {
    this.table = table
    this.prices = prices
    this.book = book
  }

  /**
   * Takes a print in.
   *
   * @param price in the units of `token_prices.unit`, positive
   * @returns its code of `OUTLIER`, 0 where it is accepted
   */
  judge(token: number, pool: number, price: number, ts: number): number {
    this.meet(token)
    const { maxPriceRatio } = thresholds
    const c = this.table.columns
    const isKnown = token < this.prices.count
    const p = this.prices.columns
    const unit = isKnown ? (p.unit[token] as number) : Number.NaN
    const was = isKnown ? (p.unit_was[token] as number) : Number.NaN
    const accepted = c.accepted[token] as number
    if (unit > 0) {
      // a pair tells its reserves before its swap: the price before that is the one before
      const before = p.ts[token] === ts && was > 0 ? was : unit
      const low = Math.min(before, unit)
      const high = Math.max(before, unit)
      if (price * maxPriceRatio >= low && price <= high * maxPriceRatio) {
        if (accepted > 0 || c.votes[token] !== 0) this.acceptAsPriced(token, pool)
        return 0
      }
      if (isNear(price, accepted, maxPriceRatio)) return 0
      return this.vote(token, pool, price, ts, this.isListedWord(token))
    }
    const reference = accepted > 0 ? accepted : was
    const isListed = accepted > 0 ? c.accepted_listed[token] === 1 : this.isListedWord(token)
    if (!(reference > 0)) this.accept(token, price, this.book.isListed(pool))
    else if (isNear(price, reference, maxPriceRatio)) this.follow(token, pool, price, isListed)
    else return this.vote(token, pool, price, ts, isListed)
    return 0
  }

  private meet(token: number): void {
    if (token < this.table.count) return
    const before = this.table.count
    this.table.grow(token + 1)
    for (let t = before; t <= token; t++) this.table.columns.token[t] = t
  }

  /** Whether it is a listed venue's word what the token costs or cost last. */
  private isListedWord(token: number): boolean {
    return token < this.prices.count && this.prices.columns.listed[token] === 1
  }

  private accept(token: number, price: number, isListed: boolean): void {
    const c = this.table.columns
    c.accepted[token] = price
    c.accepted_listed[token] = isListed ? 1 : 0
    this.table.touch(token)
  }

  /** A print near the token's price: where that stands, no other level needs to be kept. */
  private acceptAsPriced(token: number, pool: number): void {
    this.unvote(token, pool)
    const c = this.table.columns
    if (c.accepted_listed[token] === 1 && !this.book.isListed(pool)) return
    c.accepted[token] = Number.NaN
    this.table.touch(token)
  }

  /** The accepted level moves with its prints, a listed venue's with those of listed ones only. */
  private follow(token: number, pool: number, price: number, wasListed: boolean): void {
    this.unvote(token, pool)
    if (this.book.isListed(pool) || !wasListed) this.accept(token, price, wasListed)
  }

  private unvote(token: number, pool: number): void {
    const c = this.table.columns
    const votes = c.votes[token] as number
    if (votes === 0 || (c.other_listed[token] === 1 && !this.book.isListed(pool))) return
    c.votes[token] = votes - 1
    this.table.touch(token)
  }

  /** A print at another level: an outlier, unless its level is believed from now on. */
  private vote(
    token: number,
    pool: number,
    price: number,
    ts: number,
    againstListed: boolean
  ): number {
    const c = this.table.columns
    const isListed = this.book.isListed(pool)
    const otherIsListed = c.other_listed[token] === 1
    const votes = c.votes[token] as number
    if (votes > 0 && otherIsListed && !isListed) return OUTLIER.price
    this.table.touch(token)
    if (votes === 0 || isListed !== otherIsListed) {
      c.other[token] = price
      c.other_listed[token] = isListed ? 1 : 0
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
    if (!this.hasWon(token, ts, againstListed && !isListed)) return OUTLIER.price
    c.votes[token] = 0
    this.accept(token, price, isListed)
    return 0
  }

  private hasWon(token: number, ts: number, isWeaker: boolean): boolean {
    const c = this.table.columns
    if ((c.votes[token] as number) < thresholds.recoverPrints) return false
    const lasted = ts - (c.since[token] as number)
    if (isWeaker) return lasted >= thresholds.recoverUnlistedSeconds
    return c.second[token] === 1 || lasted >= thresholds.recoverSeconds
  }

  /** The token told its decimals: a unit of it is so many of what a unit was. */
  rescale(token: number, factor: number): void {
    if (token >= this.table.count) return
    const c = this.table.columns
    if (!((c.accepted[token] as number) > 0) && !((c.other[token] as number) > 0)) return
    c.accepted[token] = (c.accepted[token] as number) * factor
    c.other[token] = (c.other[token] as number) * factor
    this.table.touch(token)
  }

  /** After a rollback or start: a row for each token there is. */
  reloaded(count: number): void {
    this.table.truncate(count)
    this.table.grow(count)
    for (let token = 0; token < count; token++) this.table.columns.token[token] = token
  }
}
