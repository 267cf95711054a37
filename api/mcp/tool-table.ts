/**
 * Which operations of the declared API are tools, and under what name. Each GET operation stands
 * either here or among those that are none, with the reason; a test holds the API to that.
 */

/** Every tool's name begins so. */
export const TOOL_PREFIX = "swaptape_"

export const TOOLS: { readonly [name: string]: Operations } = {
  chains: "chains.listChains",
  status: "status.getStatus",
  health: "health.getChainsHealth",
  rules: "rules.getRules",
  overview: { arc: "boards.arcOverview", rh: "boards.rhOverview", keyed: "boards.chainOverview" },
  venues: { arc: "boards.arcVenues", rh: "boards.rhVenues", keyed: "boards.chainVenues" },
  token_board: { arc: "boards.arcTokens", rh: "boards.rhTokens", keyed: "boards.chainTokens" },
  chain_status: { arc: "boards.arcStatus", rh: "boards.rhStatus", keyed: "boards.chainStatus" },
  trending: {
    arc: "tokenPages.arcTrending",
    rh: "tokenPages.rhTrending",
    keyed: "tokenPages.chainTrending"
  },
  attention: {
    arc: "tokenPages.arcAttention",
    rh: "tokenPages.rhAttention",
    keyed: "tokenPages.chainAttention"
  },
  prints: { arc: "prints.arcPrints", rh: "prints.rhPrints", keyed: "prints.chainPrints" },
  token_list: "tokens.listTokens",
  token_search: "tokenStats.searchTokens",
  token: {
    arc: "tokenPages.arcTokenPage",
    rh: "tokenPages.rhTokenPage",
    keyed: "tokenPages.chainTokenPage"
  },
  token_pools: {
    arc: "tokenPages.arcTokenPools",
    rh: "tokenPages.rhTokenPools",
    keyed: "tokenPages.chainTokenPools"
  },
  token_tape: {
    arc: "tokenPages.arcTokenTrades",
    rh: "tokenPages.rhTokenTrades",
    keyed: "chains.getChainTrades"
  },
  token_trades: "tokens.getTokenTrades",
  token_holders: {
    arc: "holders.getArcHolders",
    rh: "holders.getRhHolders",
    keyed: "holders.getChainHolders"
  },
  token_stats: "tokenStats.getTokenStats",
  market: "tokenStats.getMarket",
  candles: "candles.getCandles",
  candle_proof: "candles.getCandleProof",
  price_explain: "prices.explainPrice",
  flags_explain: "flags.explainFlags",
  wallet: {
    arc: "wallets.arcWalletPnl",
    rh: "wallets.rhWalletPnl",
    keyed: "wallets.chainWalletPnl"
  },
  wallet_trades: {
    arc: "wallets.arcWalletTrades",
    rh: "wallets.rhWalletTrades",
    keyed: "wallets.chainWalletTrades"
  },
  graduated: { arc: "launches.arcGraduated", rh: "launches.rhGraduated" },
  launchers: { arc: "launches.arcLaunchers", rh: "launches.rhLaunchers" },
  stocks: "stocks.rhStocks",
  quote: "trade.getQuote",
  swap: "trade.getCalldata",
  meta_quote: "meta.getMetaQuote",
  meta_providers: "meta.getMetaProviders",
  meta_why: "meta.getMetaWhy"
}

/** GET operations that are no tools, and why. */
export const NO_TOOLS: { readonly [operation: string]: string } = {
  "health.getHealth": "swaptape_health says it of each chain, and is no error while one is unwell",
  "status.getMetrics": "text for Prometheus; swaptape_status has the same figures as JSON",
  "logos.getLogo": "a picture",
  "changelog.getChangelog":
    "for who writes programs; what tools take and answer stands in their list",
  "account.getKey": "tells of the key that the agent's client was given, not of a market",
  "agents.getAgentStats": "tells whoever runs the service what agents ask of it",
  "tokenStats.getTokenChart": "swaptape_candles answers the same with more parameters",
  "tokenPages.arcTokenSearch": "swaptape_token_search searches any chain",
  "tokenPages.rhTokenSearch": "swaptape_token_search searches any chain",
  "tokenPages.chainTokenSearch": "swaptape_token_search searches any chain",
  "mcp.getTools": "the list of these tools",
  "mcp.getServerCard": "describes this server to who is not connected yet"
}

/** Operations by the place in the path that names the chain. */
export interface Family {
  readonly arc?: string
  readonly rh?: string
  /** of `/v1/chains/{chain}` */
  readonly keyed?: string
}

/** Ids in the OpenAPI document: one operation, or a family of which `chain` chooses. */
export type Operations = string | Family
