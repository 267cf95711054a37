/**
 * Prices: the price of a token in each pool, the price that follows for the token, the dollars of
 * every swap, and which prints are not believed. The rules are a value:
 * `src/rules/price-recipe.ts`.
 */
import { type Fold, type FoldContext, projection } from "../../engine/projection.ts"
import { recipe } from "../../src/rules/price-recipe.ts"
import { pools } from "../pools/output.ts"
import { tokens } from "../tokens/output.ts"
import { booksOf } from "./books.ts"
import { apply, reloaded } from "./fold.ts"
import { outputOf, type Prices, pricesOutput } from "./output.ts"
import { parkedPrintsTable } from "./parked.ts"
import { explainPrice } from "./queries.ts"
import { curveSuccessorsTable } from "./successors.ts"
import { poolPricesTable, printLevelsTable, tokenPricesTable } from "./tables.ts"

const create = (context: FoldContext): Fold<Prices> => {
  const books = booksOf(context)
  return {
    out: outputOf(books),
    apply: slice => apply(books, slice),
    reloaded: () => reloaded(books)
  }
}

/** Versions of what rows mean under one recipe: the last digits. */
const ROWS = 100

export const prices = projection<Prices>({
  name: pricesOutput.name,
  version: recipe.version * ROWS + 4,
  tables: [
    poolPricesTable,
    tokenPricesTable,
    printLevelsTable,
    parkedPrintsTable,
    curveSuccessorsTable
  ],
  uses: [tokens, pools],
  create,
  queries: [explainPrice]
})
