/**
 * The price of each dollar anchor, by the pools between dollar anchors. The best-ranked dollar that
 * is the quote of such a pool is the reference. The price of another dollar in the reference is the
 * mean of its pools, as for any anchor (`token_prices.unit`; 1 for the reference, null without
 * pools). With enough dollars their median is $1. With fewer nobody knows which of two has lost its
 * peg, and each costs $1.
 */
import { thresholds } from "../../src/rules/price-recipe.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Books } from "./books.ts"
import { poolReason } from "./pool-book.ts"

/** Returns the median: for an even number of values the mean of the middle two. */
const medianOf = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [(sorted.length - 1) >> 1, sorted.length >> 1]
  return ((sorted[low] as number) + (sorted[high] as number)) / 2
}

/** Returns the price of a dollar in the reference; NaN where no pool sets it. */
export const inReference = ({ pair, tokenPrices }: Books, token: number): number =>
  token < tokenPrices.count && pair.anchors.isUsd(token)
    ? (tokenPrices.columns.unit[token] as number)
    : Number.NaN

/** The dollars with a price in the reference, the reference itself included. */
export const knownDollars = (books: Books): ReadonlyArray<number> =>
  books.dollars.filter(token => inReference(books, token) > 0)

/** Whether enough dollars have a price to see which has lost its peg. */
export const basketApplies = (books: Books): boolean =>
  knownDollars(books).length >= thresholds.minDollars

/** The price of the reference in dollars. */
export const referenceUsd = (books: Books): number =>
  basketApplies(books)
    ? 1 / medianOf(knownDollars(books).map(token => inReference(books, token)))
    : 1

/** Returns the reference; `NONE` while no pool of two dollars is deep enough. */
const referenceAt = (books: Books, now: number): number => {
  const { anchors } = books.pair
  const { quote } = books.poolPrices.columns
  let reference = NONE
  for (const token of books.dollars) {
    for (const { pool } of books.anchorPools.get(token) ?? []) {
      const quoteToken = quote[pool] as number
      if (reference !== NONE && anchors.rank(reference) <= anchors.rank(quoteToken)) continue
      // a coin of the quote side counts as one dollar
      if (poolReason(books, pool, now, 1) === 0) reference = quoteToken
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
export const updateDollars = (
  books: Books,
  now: number,
  settle: (token: number) => void
): boolean => {
  const { columns } = books.tokenPrices
  const reference = referenceAt(books, now)
  for (const token of books.dollars) {
    if (token !== reference) settle(token)
    else {
      set(books, "unit", token, 1)
      set(books, "depth", token, 0)
      set(books, "told_ts", token, 0)
    }
  }
  const scale = referenceUsd(books)
  let isChanged = false
  for (const token of books.dollars) {
    const price = isByRule(books, token) ? 1 : inReference(books, token) * scale
    if (columns.price[token] === price) continue
    set(books, "price", token, price)
    columns.ts[token] = now
    isChanged = true
  }
  return isChanged
}

/** Whether a dollar costs $1 by rule, whatever its pools say. */
export const isByRule = (books: Books, token: number): boolean =>
  !basketApplies(books) || !(inReference(books, token) > 0)

/**
 * Returns the Unix seconds of the newest pool state behind a dollar's price; 0 where the price is
 * $1 by rule. For the reference it is the newest state behind any other dollar's price.
 */
export const dollarToldAt = (books: Books, token: number): number => {
  if (isByRule(books, token)) return 0
  const { told_ts } = books.tokenPrices.columns
  const ownTs = told_ts[token] as number
  return ownTs > 0 ? ownTs : Math.max(...knownDollars(books).map(one => told_ts[one] as number))
}

const set = (
  { tokenPrices }: Books,
  column: "unit" | "price" | "depth" | "told_ts",
  token: number,
  value: number
): void => {
  const { columns } = tokenPrices
  if (Object.is(columns[column][token], value)) return
  columns[column][token] = value
  tokenPrices.touch(token)
}
