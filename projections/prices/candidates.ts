/** The pools that are looked at for a token's price: the price of each, and its weight. */
import type { FoldsView } from "../../engine/query.ts"
import { reasonAgainst, reasonOf } from "../../src/rules/price-recipe.ts"
import { leaveOutFar, wordsOf } from "./anchor-prices.ts"
import type { Books } from "./books.ts"
import { type Prices, pricesOutput } from "./output.ts"
import { ageAt, backingOf, isListed } from "./pool-book.ts"
import { weightsOf } from "./token-book.ts"
import { anchorUsd, unitUsd } from "./worth.ts"

export type RecipeVersion = 4 | 5

/** A token's pools that are looked at: its deepest ones, this many at most. */
const MAX_POOLS_READ = 1000

export interface Candidate {
  readonly pool: number
  readonly isListed: boolean
  /** dollars a base token, or a raw unit of it where its decimals are unknown; NaN for none */
  readonly price: number
  /** dollars that the pool weighs */
  readonly depth: number
  /** dollars a quote token */
  readonly quoteUsd: number
  /** seconds between the pool's making and its newest event */
  readonly age: number
  /** why the pool may not set the price, in the recipe's words; null where it may */
  readonly reason: string | null
  /** its part in the price, from 0 to 1 */
  readonly weight: number
}

/** Returns the dollars of a pool's quote token: now, or in recipe 4 at the pool's newest event. */
const quoteUsdOf = (books: Books, pool: number, version: RecipeVersion): number => {
  const { quote, quote_usd } = books.poolPrices.columns
  const token = quote[pool] as number
  if (version === 5) return anchorUsd(books, token)
  return books.pair.anchors.isUsd(token) ? 1 : (quote_usd[pool] as number)
}

/** Returns a pool as a candidate, as of its newest event. */
const candidateOf = (books: Books, pool: number, version: RecipeVersion): Candidate => {
  const c = books.poolPrices.columns
  const quoteUsd = quoteUsdOf(books, pool, version)
  const age = ageAt(books, pool, c.ts[pool] as number)
  const inUsd = (value: number | undefined) => (value as number) * quoteUsd
  const price = inUsd(c.unit[pool])
  const code = reasonAgainst(price, inUsd(c.side[pool]), inUsd(backingOf(books, pool)), age)
  return {
    ...{ pool, isListed: isListed(books, pool), price, quoteUsd, age },
    depth: (c.depth[pool] as number) > 0 ? inUsd(c.depth[pool]) : 0,
    ...{ reason: reasonOf(code), weight: 0 }
  }
}

/** Gives unlisted pools the reason `unlisted` where a listed one may set the price. */
const withoutUnlisted = (all: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const hasListed = all.some(one => one.reason === null && one.isListed)
  return all.map(one =>
    hasListed && one.reason === null && !one.isListed ? { ...one, reason: "unlisted" } : one
  )
}

/** Gives the leading pool all the weight: it might set the price when the fold chose it. */
const ledBy = (all: ReadonlyArray<Candidate>, leader: number): ReadonlyArray<Candidate> =>
  all.map(one => (one.pool === leader ? { ...one, reason: null, weight: 1 } : one))

/** Gives an anchor's pools the weights that the fold gave them. */
const weighed = (
  { books, isOneDollar }: Prices,
  token: number,
  all: ReadonlyArray<Candidate>
): ReadonlyArray<Candidate> => {
  const words = weightsOf(books, token)
  return all.map(one => {
    const word = words.get(one.pool)
    if (word === undefined) return one
    if (isOneDollar(token)) return { ...one, reason: word.reason ?? "by-rule" }
    return { ...one, ...word }
  })
}

/** Gives an anchor's pools their weights in recipe 4, in which silent pools keep their weight. */
const weighedBefore = (all: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const counted = all
    .filter(one => one.reason === null)
    .map(one => ({ ...one, weight: one.depth }))
    .toSorted((a, b) => a.price - b.price || a.pool - b.pool)
  leaveOutFar(counted)
  const words = wordsOf(counted)
  return all.map(one => ({ ...one, ...words.get(one.pool) }))
}

/** Returns the pools that are looked at for a token's price, deepest first. */
export const candidatesFor = (
  view: FoldsView,
  token: number,
  version: RecipeVersion
): ReadonlyArray<Candidate> => {
  const prices = view.output(pricesOutput)
  const { books } = prices
  const read = prices.poolsOf(token, MAX_POOLS_READ).map(pool => candidateOf(books, pool, version))
  const candidates = withoutUnlisted(read)
  const { columns, count } = books.tokenPrices
  const leader = token < count && unitUsd(books, token) > 0 ? (columns.pool[token] as number) : -1
  const all = !prices.isAnchor(token)
    ? ledBy(candidates, leader)
    : version === 5
      ? weighed(prices, token, candidates)
      : books.pair.anchors.isUsd(token)
        ? candidates.map(one => ({ ...one, reason: one.reason ?? "by-rule" }))
        : weighedBefore(candidates)
  return all.toSorted((a, b) => b.depth - a.depth || a.pool - b.pool)
}
