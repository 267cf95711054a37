/**
 * Prices: the price of a token in each pool, the price that follows for the token, the dollars of
 * every swap, and which prints are not believed. The rules are a value:
 * `src/rules/price-recipe.ts`.
 */
import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import { recipe } from "../../src/rules/price-recipe.ts"
import { pools } from "../pools/output.ts"
import { tokens } from "../tokens/output.ts"
import { PriceFold } from "./fold.ts"
import { type Prices, pricesOutput } from "./output.ts"
import { Parked, parkedPrintsTable } from "./parked.ts"
import { explainPrice } from "./queries.ts"
import { poolPricesTable, printLevelsTable, tokenPricesTable } from "./tables.ts"

const outputOf = (fold: PriceFold): Prices => {
  const { poolBook, tokenBook, worth, pair } = fold
  return {
    swaps: fold.swaps,
    late: fold.late,
    priceOf: token => worth.of(token),
    depthOf: token => worth.depthOf(token),
    toldAt: token =>
      pair.anchors.isUsd(token) ? tokenBook.basket.toldAt(token) : worth.toldAt(token),
    allPrices: () => worth.all(),
    poolPriceOf: pool => poolBook.priceUsd(pool),
    poolDepthOf: pool => poolBook.depthUsd(pool),
    levelOf: token => {
      const { columns, count } = fold.levels.table
      if (token >= count) return null
      const [accepted, other] = [columns.accepted[token] as number, columns.other[token] as number]
      return { accepted, other, votes: columns.votes[token] as number }
    },
    poolsOf: (token, limit) => fold.deepest(token, limit),
    countOf: token => fold.based.of(token).length,
    isAnchor: token => pair.anchors.isAnchor(token),
    baseOf: (token0, token1) => pair.anchors.baseOf(token0, token1),
    books: { pools: poolBook, tokens: tokenBook, worth, pair }
  }
}

const create = (context: FoldContext): Fold<Prices> => {
  const fold = new PriceFold(context.chain, context.output(tokens), context.output(pools), {
    pools: context.state(poolPricesTable),
    tokens: context.state(tokenPricesTable),
    levels: context.state(printLevelsTable),
    parked: new Parked(context.state(parkedPrintsTable))
  })
  return {
    out: outputOf(fold),
    apply: (slice: Slice) => fold.apply(slice),
    reloaded: () => fold.reloaded()
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
