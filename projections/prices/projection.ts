/**
 * Prices: what each pool says a token costs, what a token costs by that, the dollars of every swap,
 * and which prints are not believed. The rules, with their thresholds, are a value: `recipe.ts`.
 */
import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { pools } from "../pools/output.ts"
import { tokens } from "../tokens/output.ts"
import { PriceFold } from "./fold.ts"
import { priceFrames } from "./frames.ts"
import { type Prices, pricesOutput } from "./output.ts"
import { Parked, parkedPrintsTable } from "./parked.ts"
import { explainPrice } from "./queries.ts"
import { recipe } from "./recipe.ts"
import { poolPricesTable, printLevelsTable, tokenPricesTable } from "./tables.ts"

const outputOf = (fold: PriceFold, tokenPrices: Prices["tokenPrices"]): Prices => ({
  trades: fold.trades,
  late: fold.late,
  tokenPrices,
  poolPrices: () => fold.poolBook.table.columns,
  levelOf: token => {
    const { columns, count } = fold.levels.table
    if (token >= count) return null
    const [accepted, other] = [columns.accepted[token] as number, columns.other[token] as number]
    return { accepted, other, votes: columns.votes[token] as number }
  },
  poolsOf: (token, most) => fold.deepest(token, most),
  countOf: token => fold.based.of(token).length,
  isListed: pool => fold.poolBook.isListed(pool),
  quoteOf: pool => (fold.pair.look(pool) ? fold.pair.quoteAs : NONE),
  isAnchor: token => fold.pair.anchors.isAnchor(token),
  isUsd: token => fold.pair.anchors.isUsd(token),
  baseOf: (token0, token1) => fold.pair.anchors.baseOf(token0, token1),
  begin: () => (fold.poolBook.table.count > 0 ? fold.poolBook.beganAt() : 0)
})

const create = (context: FoldContext): Fold<Prices> => {
  const tokenPrices = context.state(tokenPricesTable)
  const fold = new PriceFold(context.chain, context.output(tokens), context.output(pools), {
    pools: context.state(poolPricesTable),
    tokens: tokenPrices,
    levels: context.state(printLevelsTable),
    parked: new Parked(context.state(parkedPrintsTable))
  })
  return {
    out: outputOf(fold, () => tokenPrices.columns),
    apply: (slice: Slice) => fold.apply(slice),
    reloaded: () => fold.reloaded()
  }
}

export const prices = projection<Prices>({
  name: pricesOutput.name,
  version: recipe.version,
  tables: [poolPricesTable, tokenPricesTable, printLevelsTable, parkedPrintsTable],
  create,
  queries: {},
  settled: { explainPrice },
  frames: priceFrames
})
