/**
 * Boards, totals and live prices: no tables of their own, only questions to what earlier
 * projections hold.
 */

import { projection } from "../../engine/projection.ts"
import { candlesOutput } from "../candles/output.ts"
import { markets } from "../markets/output.ts"
import { pools } from "../pools/output.ts"
import { pricesOutput } from "../prices/output.ts"
import { tapeOutput } from "../tape/output.ts"
import { tokens } from "../tokens/output.ts"
import { walletTradesProjection } from "../wallet-trades/projection.ts"
import { wallets } from "../wallets/output.ts"
import { explainFlags } from "./explain-flags.ts"
import { attention, trending } from "./movers.ts"
import { priceFrames } from "./price-frames.ts"
import { priceMap } from "./price-map.ts"
import { rehearsed } from "./rehearsed.ts"
import { tokenSearch } from "./search.ts"
import { ticker } from "./ticker.ts"
import { tokenBoard } from "./token-board.ts"
import { stocks, tokenList } from "./token-list.ts"
import { tokenPage } from "./token-page.ts"
import { tokenPools } from "./token-pools.ts"
import { tokenStats } from "./token-stats.ts"
import { tokenTrades } from "./token-trades.ts"
import { overview, venueShares } from "./totals.ts"
import { walletPnl } from "./wallet-pnl.ts"
import { walletTrades } from "./wallet-trades.ts"

export const boards = projection<undefined>({
  name: "boards",
  version: 1,
  tables: [],
  uses: [
    tokens,
    pools,
    pricesOutput,
    tapeOutput,
    walletTradesProjection,
    candlesOutput,
    wallets,
    markets
  ],
  create: () => ({ out: undefined, apply: () => undefined }),
  rehearsed,
  queries: [
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
    explainFlags,
    walletPnl,
    walletTrades
  ],
  frames: priceFrames
})
