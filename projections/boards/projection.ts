/** Boards and totals: no tables of their own, only questions to what the markets' fold holds. */
import { projection } from "../../engine/projection.ts"
import { explainFlags } from "./explain-flags.ts"
import { boardsOutput, KeptOrders } from "./kept-orders.ts"
import { attention, trending } from "./movers.ts"
import { priceMap } from "./price-map.ts"
import { tokenSearch } from "./search.ts"
import { ticker } from "./ticker.ts"
import { tokenBoard } from "./token-board.ts"
import { stocks, tokenList } from "./token-list.ts"
import { tokenPage, tokenPools } from "./token-page.ts"
import { tokenStats } from "./token-stats.ts"
import { tokenTrades } from "./token-trades.ts"
import { overview, venueShares } from "./totals.ts"

export const boards = projection<KeptOrders>({
  name: boardsOutput.name,
  version: 1,
  tables: [],
  create: () => {
    const orders = new KeptOrders()
    return { out: orders, apply: () => {}, reloaded: () => orders.clear() }
  },
  queries: {},
  settled: {
    tokenBoard,
    tokenList,
    stocks,
    overview,
    venueShares,
    tokenPage,
    tokenPools,
    tokenStats,
    tokenTrades,
    priceMap,
    tokenSearch,
    trending,
    attention,
    ticker,
    explainFlags
  }
})
