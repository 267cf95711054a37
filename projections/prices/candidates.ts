/** The pools that are looked at for a token's price: what each says, and its part in the price. */
import type { FoldsContext } from "../../engine/query.ts"
import { reasonAgainst, reasonOf, thresholds } from "../../src/rules/price-recipe.ts"
import { isNear } from "./anchor-prices.ts"
import { type Prices, pricesOutput } from "./output.ts"

export type RecipeVersion = 4 | 5

/** Pools of a token that are looked at: the deepest. */
const MOST_READ = 1000

export interface Candidate {
  readonly pool: number
  readonly isListed: boolean
  /** dollars a base token, or a raw unit of it where its decimals are unknown; NaN for none */
  readonly price: number
  /** dollars that it counts for */
  readonly depth: number
  /** dollars a quote token */
  readonly quoteUsd: number
  /** seconds that it had been there at its newest event */
  readonly age: number
  /** why it may not set the price, the way the recipe tells it; null where it may */
  readonly reason: string | null
  /** its part in the price */
  readonly weight: number
}

/** Dollars of a pool's quote token: at present, or, in the older recipe, at its newest event. */
const quoteUsdOf = ({ books }: Prices, pool: number, version: RecipeVersion): number => {
  const { quote, quote_usd } = books.pools.table.columns
  const token = quote[pool] as number
  if (version === 5) return books.worth.ofAnchor(token)
  return books.pair.anchors.isUsd(token) ? 1 : (quote_usd[pool] as number)
}

/** What memory says of a pool as of its newest event. */
const candidateOf = (prices: Prices, pool: number, version: RecipeVersion): Candidate => {
  const { pools } = prices.books
  const c = pools.table.columns
  const quoteUsd = quoteUsdOf(prices, pool, version)
  const age = pools.ageAt(pool, c.ts[pool] as number)
  const inUsd = (value: number | undefined) => (value as number) * quoteUsd
  const price = inUsd(c.unit[pool])
  const code = reasonAgainst(price, inUsd(c.side[pool]), inUsd(c.backed[pool]), age)
  return {
    ...{ pool, isListed: pools.isListed(pool), price, quoteUsd, age },
    depth: (c.depth[pool] as number) > 0 ? inUsd(c.depth[pool]) : 0,
    ...{ reason: reasonOf(code), weight: 0 }
  }
}

/** Leaves unlisted pools out where a listed one may set the price. */
const withoutUnlisted = (all: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const hasListed = all.some(one => one.reason === null && one.isListed)
  return all.map(one =>
    hasListed && one.reason === null && !one.isListed ? { ...one, reason: "unlisted" } : one
  )
}

/** One pool says it all: the leading one, which might when it was looked at. */
const ledBy = (all: ReadonlyArray<Candidate>, leader: number): ReadonlyArray<Candidate> =>
  all.map(one => (one.pool === leader ? { ...one, reason: null, weight: 1 } : one))

/** What the fold did with an anchor's pools. */
const weighed = (
  prices: Prices,
  token: number,
  all: ReadonlyArray<Candidate>
): ReadonlyArray<Candidate> => {
  const { tokens, pair } = prices.books
  const isByRule = pair.anchors.isUsd(token) && tokens.basket.isByRule(token)
  const words = tokens.wordsOf(token)
  return all.map(one => {
    const word = words.get(one.pool)
    if (word === undefined) return one
    if (isByRule) return { ...one, reason: word.reason ?? "by-rule" }
    return { ...one, ...word }
  })
}

/** The older recipe's mean of an anchor's pools: none ages, and a dollar has no pools. */
const weighedBefore = (all: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const counted = all
    .filter(one => one.reason === null)
    .toSorted((a, b) => a.price - b.price || a.pool - b.pool)
  const whole = counted.reduce((sum, one) => sum + one.depth, 0)
  let below = 0
  const middle = counted.find(one => {
    below += one.depth
    return below * 2 >= whole
  })?.price
  const isFar = (one: Candidate) =>
    middle !== undefined && !isNear(one.price, middle, thresholds.maxAnchorSpread)
  const near = counted.filter(one => !isFar(one)).reduce((sum, one) => sum + one.depth, 0)
  return all.map(one => {
    if (one.reason !== null) return one
    return isFar(one) ? { ...one, reason: "far" } : { ...one, weight: one.depth / near }
  })
}

/** The pools that are looked at for a token's price, deepest first. */
export const candidatesFor = (
  context: FoldsContext,
  token: number,
  version: RecipeVersion
): ReadonlyArray<Candidate> => {
  const prices = context.output(pricesOutput)
  const { books } = prices
  const found = prices.poolsOf(token, MOST_READ).map(pool => candidateOf(prices, pool, version))
  const asked = withoutUnlisted(found)
  const leader = token < books.tokens.table.count ? books.tokens.table.columns.pool[token] : -1
  const all = !prices.isAnchor(token)
    ? ledBy(asked, books.worth.ofUnit(token) > 0 ? (leader as number) : -1)
    : version === 5
      ? weighed(prices, token, asked)
      : books.pair.anchors.isUsd(token)
        ? asked.map(one => ({ ...one, reason: one.reason ?? "by-rule" }))
        : weighedBefore(asked)
  return all.toSorted((a, b) => b.depth - a.depth || a.pool - b.pool)
}

/** What the pools say together; NaN where none has a part. */
export const meanOf = (all: ReadonlyArray<Candidate>): number => {
  const counted = all.filter(({ weight }) => weight > 0)
  if (counted.length === 0) return Number.NaN
  return counted.reduce((sum, { price, weight }) => sum + price * weight, 0)
}
