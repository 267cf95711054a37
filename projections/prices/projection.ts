/**
 * Prices: what each pool says a token costs, what a token costs by that, the dollars of every swap,
 * and which prints are not believed. The rules, with their thresholds, are a value: `recipe.ts`.
 */
import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import { pools } from "../pools/output.ts"
import { tokens } from "../tokens/output.ts"
import { PriceFold } from "./fold.ts"
import { priceFrames } from "./frames.ts"
import { Parked, parkedPrintsTable } from "./parked.ts"
import { recipe } from "./recipe.ts"
import { poolPricesTable, printLevelsTable, type TokenPrices, tokenPricesTable } from "./tables.ts"
import type { Trades } from "./trades.ts"

export interface Prices {
  /** the swaps of the slice in hand, priced */
  readonly trades: Trades
  /**
   * Prints of before whose token's decimals became known in the slice in hand, oldest first: the
   * token is token 0 and has had no price until now, the other side has been told in its time.
   */
  readonly late: Trades
  readonly tokenPrices: () => ColumnArrays<TokenPrices>
}

const create = (context: FoldContext): Fold<Prices> => {
  const tokenPrices = context.state(tokenPricesTable)
  const fold = new PriceFold(context.chain, context.output(tokens), context.output(pools), {
    pools: context.state(poolPricesTable),
    tokens: tokenPrices,
    levels: context.state(printLevelsTable),
    parked: new Parked(context.state(parkedPrintsTable))
  })
  return {
    out: { trades: fold.trades, late: fold.late, tokenPrices: () => tokenPrices.columns },
    apply: (slice: Slice) => fold.apply(slice),
    reloaded: () => fold.reloaded()
  }
}

export const prices = projection<Prices>({
  name: "prices",
  version: recipe.version,
  tables: [poolPricesTable, tokenPricesTable, printLevelsTable, parkedPrintsTable],
  create,
  queries: {},
  frames: priceFrames
})
