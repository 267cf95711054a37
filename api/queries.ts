/**
 * What a lane answers beside the queries of its projections: the pages, each with the queries of
 * its folder under `groups/` and the projections that these read. A lane's thread loads all that
 * is named here, so no file of it leads to a declaration or to handlers.
 */
import type { Page } from "../engine/projection.ts"
import { candlesOutput } from "../projections/candles/output.ts"
import { coverageOutput } from "../projections/coverage/output.ts"
import { launchesOutput } from "../projections/launches/tables.ts"
import { liquidityOutput } from "../projections/liquidity/tables.ts"
import { markets } from "../projections/markets/output.ts"
import { pools } from "../projections/pools/output.ts"
import { pricesOutput } from "../projections/prices/output.ts"
import { tapeOutput } from "../projections/tape/output.ts"
import { tokens } from "../projections/tokens/output.ts"
import { walletSwapsProjection } from "../projections/wallet-swaps/projection.ts"
import { wallets } from "../projections/wallets/output.ts"
import { tokenBoard } from "./groups/boards/token-board.query.ts"
import { overview, venueShares } from "./groups/boards/totals.query.ts"
import { explainFlags } from "./groups/flags/explain-flags.query.ts"
import { graduated } from "./groups/launches/graduated.query.ts"
import { launchers } from "./groups/launches/launchers.query.ts"
import { liquidityEvents } from "./groups/liquidity/liquidity-events.query.ts"
import { liquidityPools } from "./groups/liquidity/liquidity-pools.query.ts"
import {
  liquidityPositions,
  liquidityWallets
} from "./groups/liquidity/liquidity-positions.query.ts"
import { priceFrames } from "./groups/prices/price-frames.ts"
import { chainPrints } from "./groups/prints/chain-prints.query.ts"
import { solanaIngest } from "./groups/solana/ingest.query.ts"
import { solanaOverview } from "./groups/solana/overview.query.ts"
import { attention, trending } from "./groups/token-pages/movers.query.ts"
import { tokenPage } from "./groups/token-pages/token-page.query.ts"
import { tokenPools } from "./groups/token-pages/token-pools.query.ts"
import { tokenSearch } from "./groups/token-pages/token-search.query.ts"
import { priceMap } from "./groups/token-stats/price-map.query.ts"
import { tokenStats } from "./groups/token-stats/token-stats.query.ts"
import { tokenTraders } from "./groups/token-traders/token-traders.query.ts"
import { stocks, tokenList } from "./groups/tokens/token-list.query.ts"
import { tokenTrades } from "./groups/tokens/token-trades.query.ts"
import { tokenTradeFlags } from "./groups/trade/token-flags.query.ts"
import { boardStands, dayTraders } from "./groups/traders/day-traders.query.ts"
import { smartTraders } from "./groups/traders/smart-traders.query.ts"
import { walletPnl } from "./groups/wallets/wallet-pnl.query.ts"
import { walletTrades } from "./groups/wallets/wallet-trades.query.ts"

/** What a token's row is made of. */
const rows = [tokens, pools, pricesOutput, tapeOutput, markets]

/** In the order of their names, which are those of folders under `groups/`. */
export const allPages: ReadonlyArray<Page> = [
  {
    name: "boards",
    uses: [...rows, coverageOutput],
    queries: [tokenBoard, overview, venueShares]
  },
  { name: "flags", uses: rows, queries: [explainFlags] },
  {
    name: "launches",
    uses: [...rows, coverageOutput, launchesOutput],
    queries: [graduated, launchers]
  },
  {
    name: "liquidity",
    uses: [...rows, coverageOutput, liquidityOutput],
    queries: [liquidityEvents, liquidityPools, liquidityPositions, liquidityWallets]
  },
  {
    name: "prices",
    uses: [tokens, pricesOutput, tapeOutput, markets],
    queries: [],
    frames: priceFrames
  },
  {
    name: "prints",
    uses: [...rows, coverageOutput, walletSwapsProjection],
    queries: [chainPrints]
  },
  {
    name: "solana",
    uses: [tokens, pricesOutput, tapeOutput, markets, candlesOutput, coverageOutput],
    queries: [solanaOverview, solanaIngest]
  },
  {
    name: "token-pages",
    uses: [...rows, coverageOutput],
    queries: [trending, attention, tokenPage, tokenPools, tokenSearch]
  },
  {
    name: "token-stats",
    uses: [...rows, coverageOutput, candlesOutput],
    queries: [priceMap, tokenStats]
  },
  {
    name: "token-traders",
    uses: [tokens, pricesOutput, tapeOutput, coverageOutput, wallets],
    queries: [tokenTraders]
  },
  {
    name: "tokens",
    uses: [...rows, coverageOutput, walletSwapsProjection],
    queries: [tokenList, stocks, tokenTrades]
  },
  { name: "trade", uses: rows, queries: [tokenTradeFlags] },
  {
    name: "traders",
    uses: [...rows, coverageOutput, walletSwapsProjection],
    queries: [smartTraders, dayTraders, boardStands]
  },
  {
    name: "wallets",
    uses: [...rows, coverageOutput, walletSwapsProjection, wallets],
    queries: [walletPnl, walletTrades]
  }
]
