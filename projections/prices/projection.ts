/**
 * Prices: the price of a token in each pool, the price that follows for the token, the dollars of
 * every swap, and which prints are not believed. The rules are a value:
 * `src/rules/price-recipe.ts`.
 */
import { type Fold, type FoldContext, projection } from "../../engine/projection.ts"
import { topOf } from "../../src/math/top.ts"
import { recipe } from "../../src/rules/price-recipe.ts"
import { pools } from "../pools/output.ts"
import { tokens } from "../tokens/output.ts"
import { type Books, booksOf } from "./books.ts"
import { dollarToldAt, isByRule } from "./dollar-basket.ts"
import { apply, reloaded } from "./fold.ts"
import { type Prices, pricesOutput } from "./output.ts"
import { parkedPrintsTable } from "./parked.ts"
import { poolDepthUsd, poolUsd } from "./pool-book.ts"
import { explainPrice } from "./queries.ts"
import { poolPricesTable, printLevelsTable, tokenPricesTable } from "./tables.ts"
import { depthUsd, tokenUsd, toldAt } from "./worth.ts"

const outputOf = (books: Books): Prices => {
  const { anchors } = books.pair
  const deeper = (a: number, b: number): number =>
    poolDepthUsd(books, b) - poolDepthUsd(books, a) || a - b
  return {
    swaps: books.swaps,
    late: books.late,
    priceOf: token => tokenUsd(books, token),
    depthOf: token => depthUsd(books, token),
    toldAt: token => (anchors.isUsd(token) ? dollarToldAt(books, token) : toldAt(books, token)),
    allPrices: () =>
      Float64Array.from({ length: books.tokenPrices.count }, (_, token) => tokenUsd(books, token)),
    poolPriceOf: pool => poolUsd(books, pool),
    poolDepthOf: pool => poolDepthUsd(books, pool),
    poolsOf: (token, limit) => {
      const met = books.based.of(token).filter(pool => pool < books.poolPrices.count)
      return topOf(met, limit, deeper)
    },
    countOf: token => books.based.of(token).length,
    isAnchor: token => anchors.isAnchor(token),
    isOneDollar: token => anchors.isUsd(token) && isByRule(books, token),
    baseOf: (token0, token1) => anchors.baseOf(token0, token1),
    books
  }
}

const create = (context: FoldContext): Fold<Prices> => {
  const books = booksOf(context)
  return {
    out: outputOf(books),
    apply: slice => apply(books, slice),
    reloaded: () => reloaded(books)
  }
}

export const prices = projection<Prices>({
  name: pricesOutput.name,
  version: recipe.version,
  tables: [poolPricesTable, tokenPricesTable, printLevelsTable, parkedPrintsTable],
  uses: [tokens, pools],
  create,
  queries: [explainPrice]
})
