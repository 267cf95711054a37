/** Present prices of tokens: the price in quote tokens times the quote's present price. */
import { NONE } from "../../streams/batch/id-table.ts"
import type { Books } from "./books.ts"

/** Returns the dollars per whole token of an anchor; NaN for others and while it has no price. */
export const anchorUsd = ({ pair, tokenPrices }: Books, token: number): number => {
  if (token === NONE || !pair.anchors.isAnchor(token)) return Number.NaN
  const price = token < tokenPrices.count ? (tokenPrices.columns.price[token] as number) : 0
  if (price > 0) return price
  return pair.anchors.isUsd(token) ? 1 : Number.NaN
}

/** Returns the dollars per quote token of a token's row; 1 where the row is in dollars. */
const quoteOf = (books: Books, token: number): number => {
  const quote = books.tokenPrices.columns.quote[token] as number
  return quote === NONE ? 1 : anchorUsd(books, quote)
}

/** Returns the dollars per whole token; NaN where no pool may set a price. */
export const tokenUsd = (books: Books, token: number): number => {
  const { columns, count } = books.tokenPrices
  return token < count ? (columns.price[token] as number) * quoteOf(books, token) : Number.NaN
}

/** Returns the dollars per raw unit of a token without decimals, per whole token of others. */
export const unitUsd = (books: Books, token: number): number => {
  const { columns, count } = books.tokenPrices
  return token < count ? (columns.unit[token] as number) * quoteOf(books, token) : Number.NaN
}

/** Returns the dollars of depth behind a token's price; 0 where nothing is known. */
export const depthUsd = (books: Books, token: number): number => {
  const { columns, count } = books.tokenPrices
  return token < count ? (columns.depth[token] as number) * quoteOf(books, token) || 0 : 0
}

/**
 * Returns the Unix seconds of the oldest pool state behind a token's price: the newest state of its
 * own pools, or that of its quote's pools, whichever is older. 0 where no pool sets the price, as
 * for a dollar that costs $1 by rule.
 */
export const toldAt = (books: Books, token: number): number => {
  const { columns, count } = books.tokenPrices
  if (token >= count) return 0
  const ownTs = columns.told_ts[token] as number
  const quote = columns.quote[token] as number
  if (ownTs === 0 || quote === NONE || books.pair.anchors.isUsd(quote)) return ownTs
  const quoteTs = toldAt(books, quote)
  return quoteTs > 0 ? Math.min(ownTs, quoteTs) : ownTs
}
