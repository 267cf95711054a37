/** Boards and totals: no tables of their own, only questions to what the markets' fold holds. */
import { projection } from "../../engine/projection.ts"
import { attention, trending } from "./movers.ts"
import { priceMap } from "./price-map.ts"
import { tokenSearch } from "./search.ts"
import { tokenBoard } from "./token-board.ts"
import { stocks, tokenList } from "./token-list.ts"
import { tokenPage, tokenPools } from "./token-page.ts"
import { tokenStats } from "./token-stats.ts"
import { overview, venueShares } from "./totals.ts"

export const boards = projection<null>({
  name: "boards",
  version: 1,
  tables: [],
  create: () => ({ out: null, apply: () => {} }),
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
    priceMap,
    tokenSearch,
    trending,
    attention
  }
})
