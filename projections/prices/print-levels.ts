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
import { OUTLIER, thresholds } from "../../src/rules/price-recipe.ts"
import { isNear } from "./anchor-prices.ts"
import type { Books } from "./books.ts"
import { isEligible, isListed } from "./pool-book.ts"
import { anchorUsd, toldAt, unitUsd } from "./worth.ts"

/**
 * Judges a print.
 *
 * @param price positive dollars, per whole token or per raw unit as `token_prices.unit` is
 * @returns the print's code of `OUTLIER`; 0 where the print is accepted
 */
export const judge = (
  books: Books,
  token: number,
  pool: number,
  price: number,
  ts: number
): number => {
  books.levels.grow(token + 1)
  const { maxPriceRatio } = thresholds
  const c = books.levels.columns
  const p = books.tokenPrices.columns
  const unit = unitUsd(books, token)
  const was = token < books.tokenPrices.count ? (p.unit_was[token] as number) : Number.NaN
  const accepted = c.accepted[token] as number
  if (isForgotten(books, token, ts)) {
    accept(books, token, price, isListed(books, pool))
    return 0
  }
  if (unit > 0) {
    // a V2 pair logs its reserves before its swap: the price before the swap is the former one
    const before = p.ts[token] === ts && was > 0 ? was : unit
    const low = Math.min(before, unit)
    const high = Math.max(before, unit)
    if (price * maxPriceRatio >= low && price <= high * maxPriceRatio) {
      if (accepted > 0 || c.votes[token] !== 0) acceptAsPriced(books, token, pool, ts)
      return 0
    }
    if (isNear(price, accepted, maxPriceRatio)) return 0
    return vote(books, token, pool, price, ts)
  }
  const reference = accepted > 0 ? accepted : was
  const listed = isListed(books, pool)
  const isFirst = !(reference > 0) || (listed && !wasStrong(books, token))
  if (isFirst) accept(books, token, price, listed)
  else if (isNear(price, reference, maxPriceRatio)) follow(books, token, pool, price, ts)
  else return vote(books, token, pool, price, ts)
  return 0
}

/** Whether a token is an anchor with a price too old to count: a log may have holes of years. */
const isForgotten = (books: Books, token: number, ts: number): boolean => {
  const isAnchor = anchorUsd(books, token) > 0
  return isAnchor && ts - toldAt(books, token) > thresholds.anchorStaleSeconds
}

/** Whether the token's present or last price comes from a listed venue. */
const isListedWord = (books: Books, token: number): boolean =>
  token < books.tokenPrices.count && books.tokenPrices.columns.listed[token] === 1

/** Whether a print of the pool is strong for the token. */
const isStrong = (books: Books, token: number, pool: number, ts: number): boolean => {
  if (!isPriced(books, token)) return isListed(books, pool) || !wasStrong(books, token)
  return isEligible(books, pool, ts) && (isListed(books, pool) || !isListedWord(books, token))
}

const isPriced = (books: Books, token: number): boolean => unitUsd(books, token) > 0

/** Whether the reference of a token without a price came from a strong print. */
const wasStrong = (books: Books, token: number): boolean => {
  const c = books.levels.columns
  const isAccepted = (c.accepted[token] as number) > 0
  return isAccepted ? c.accepted_strong[token] === 1 : isListedWord(books, token)
}

const accept = (books: Books, token: number, price: number, isStrong: boolean): void => {
  const c = books.levels.columns
  c.accepted[token] = price
  c.accepted_strong[token] = isStrong ? 1 : 0
  books.levels.touch(token)
}

/** Accepts a print near the token's price: while there is a price, no accepted level is kept. */
const acceptAsPriced = (books: Books, token: number, pool: number, ts: number): void => {
  unvote(books, token, pool, ts)
  const c = books.levels.columns
  if (c.accepted_strong[token] === 1 && !isStrong(books, token, pool, ts)) return
  c.accepted[token] = Number.NaN
  books.levels.touch(token)
}

/** Moves the accepted level to a print near it; a weak print does not move a strong level. */
const follow = (books: Books, token: number, pool: number, price: number, ts: number): void => {
  unvote(books, token, pool, ts)
  if (!isStrong(books, token, pool, ts)) return
  accept(books, token, price, wasStrong(books, token))
}

const unvote = (books: Books, token: number, pool: number, ts: number): void => {
  const c = books.levels.columns
  const votes = c.votes[token] as number
  if (votes === 0) return
  if (c.other_strong[token] === 1 && !isStrong(books, token, pool, ts)) return
  c.votes[token] = votes - 1
  books.levels.touch(token)
}

/** Counts a print at another level. Returns 0 where that level is accepted from now on. */
const vote = (books: Books, token: number, pool: number, price: number, ts: number): number => {
  const c = books.levels.columns
  const strong = isStrong(books, token, pool, ts)
  const otherIsStrong = c.other_strong[token] === 1
  const votes = c.votes[token] as number
  if (votes > 0 && otherIsStrong && !strong) return OUTLIER.price
  books.levels.touch(token)
  if (votes === 0 || strong !== otherIsStrong) {
    c.other[token] = price
    c.other_strong[token] = strong ? 1 : 0
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
  if (!hasWon(books, token, ts, strong)) return OUTLIER.price
  c.votes[token] = 0
  accept(books, token, price, strong && (isPriced(books, token) || isListed(books, pool)))
  return 0
}

const hasWon = (books: Books, token: number, ts: number, isStrong: boolean): boolean => {
  const c = books.levels.columns
  if ((c.votes[token] as number) < thresholds.recoverPrints) return false
  const lasted = ts - (c.since[token] as number)
  if (!isStrong) return lasted >= thresholds.recoverWeakSeconds
  return c.second[token] === 1 || lasted >= thresholds.recoverSeconds
}

/** Multiplies the levels per unit by `factor`, once the token's decimals are known. */
export const rescaleLevels = (books: Books, token: number, factor: number): void => {
  if (token >= books.levels.count) return
  const c = books.levels.columns
  if (!((c.accepted[token] as number) > 0) && !((c.other[token] as number) > 0)) return
  c.accepted[token] = (c.accepted[token] as number) * factor
  c.other[token] = (c.other[token] as number) * factor
  books.levels.touch(token)
}
