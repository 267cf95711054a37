/**
 * Routes of a token's page, pools and tape, of search, and of moving tokens, on every chain:
 * `/v1/arc/*`, `/v1/rh/*`, `/v1/chains/{chain}/*`. DECISIONS 38 has the payloads.
 */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import type { Tool } from "../../declared.ts"
import { ANY_CHAIN_ROUTE, failure, NO_SUCH_TOKEN } from "../../errors.ts"
import { documented, type Parameters, schemasOf } from "../../parameters.ts"
import { chainPath } from "../chain-parameter.ts"
import { ChainTrades, TapeQuery, tapeQuery } from "../chains/chains.api.ts"
import {
  Attention,
  AttentionQuery,
  attentionQuery,
  keyedPath,
  ownPath,
  PoolsQuery,
  poolsQuery,
  SearchQuery,
  searchQuery,
  TokenPage,
  TokenPools,
  TokenSearch,
  Trending,
  TrendingQuery,
  trendingQuery
} from "./payloads.ts"

const WORDS = {
  page: "A token's row, its 24 hours one by one, and its venues.",
  pools:
    "The token's pools, those with most volume first. Pools that a wash-trading rule flags (`suspect`) come last.",
  trades:
    "The token's tape, newest first. Pass `nextBefore` back as `before`; it is null on the last page.",
  search:
    "Tokens by symbol, by name, or by address. Of tokens whose symbols read alike one is `verified` at most: an anchor, else the busiest listed one.",
  rhSearch:
    "Tokens by symbol, by name, or by address. Those that the board's listing rule leaves out are `verified: false`, and here while they traded in the last 24 hours.",
  trending:
    "Tokens whose price moved most over the last two clock hours; the formula is in the answer.",
  attention:
    "Tokens that more wallets trade than before, over the last two clock hours; the formula is in the answer."
}

const GONE = failure(410, "AS_OF_GONE")

const words = (tool: Tool, summary: string, description: string, parameters: Parameters) =>
  documented({ tool, summary, description, parameters })

/** Returns the routes of a chain with a route family of its own. */
const own = (key: "arc" | "rh", name: string) =>
  [
    HttpApiEndpoint.get(`${key}TokenPage`, `/${key}/token/:address`, {
      params: schemasOf(ownPath),
      success: TokenPage,
      error: [failure(400, "BAD_ADDRESS"), NO_SUCH_TOKEN, ...ANY_CHAIN_ROUTE]
    }).annotateMerge(words("token", `A token of ${name}`, WORDS.page, ownPath)),
    HttpApiEndpoint.get(`${key}TokenPools`, `/${key}/token/:address/pools`, {
      params: schemasOf(ownPath),
      query: PoolsQuery,
      success: TokenPools,
      error: [failure(400, "BAD_ADDRESS", "BAD_LIMIT"), GONE, NO_SUCH_TOKEN, ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      words("token_pools", `Pools of a token of ${name}`, WORDS.pools, {
        ...ownPath,
        ...poolsQuery
      })
    ),
    HttpApiEndpoint.get(`${key}TokenTrades`, `/${key}/token/:address/trades`, {
      params: schemasOf(ownPath),
      query: TapeQuery,
      success: ChainTrades,
      error: [failure(400, "BAD_ADDRESS", "BAD_LIMIT", "BAD_BEFORE"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      words("token_tape", `Trades of a token of ${name}`, WORDS.trades, {
        ...ownPath,
        ...tapeQuery
      })
    ),
    HttpApiEndpoint.get(`${key}TokenSearch`, `/${key}/tokens/search`, {
      query: SearchQuery,
      success: TokenSearch,
      error: [failure(400, "BAD_LIMIT"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      words(
        { none: "swaptape_token_search searches any chain" },
        `Search of tokens of ${name}`,
        key === "rh" ? WORDS.rhSearch : WORDS.search,
        searchQuery
      )
    ),
    HttpApiEndpoint.get(`${key}Trending`, `/${key}/trending`, {
      query: TrendingQuery,
      success: Trending,
      error: [failure(400, "BAD_LIMIT"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(words("trending", `Movers of ${name}`, WORDS.trending, trendingQuery)),
    HttpApiEndpoint.get(`${key}Attention`, `/${key}/attention`, {
      query: AttentionQuery,
      success: Attention,
      error: [failure(400, "BAD_LIMIT"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(words("attention", `Attention on ${name}`, WORDS.attention, attentionQuery))
  ] as const

export const TokenPagesApi = HttpApiGroup.make("tokenPages")
  .add(...own("arc", "Arc"), ...own("rh", "chain 4663"))
  .add(
    HttpApiEndpoint.get("chainTokenPage", "/chains/:chain/token/:address", {
      params: schemasOf(keyedPath),
      success: TokenPage,
      error: [failure(400, "BAD_ADDRESS"), NO_SUCH_TOKEN, ...ANY_CHAIN_ROUTE]
    }).annotateMerge(words("token", "A token of a chain", WORDS.page, keyedPath)),
    HttpApiEndpoint.get("chainTokenPools", "/chains/:chain/token/:address/pools", {
      params: schemasOf(keyedPath),
      query: PoolsQuery,
      success: TokenPools,
      error: [failure(400, "BAD_ADDRESS", "BAD_LIMIT"), GONE, NO_SUCH_TOKEN, ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      words("token_pools", "Pools of a token of a chain", WORDS.pools, {
        ...keyedPath,
        ...poolsQuery
      })
    ),
    HttpApiEndpoint.get("chainTokenSearch", "/chains/:chain/tokens/search", {
      params: schemasOf(chainPath),
      query: SearchQuery,
      success: TokenSearch,
      error: [failure(400, "BAD_LIMIT"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      words(
        { none: "swaptape_token_search searches any chain" },
        "Search of tokens of a chain",
        WORDS.search,
        { ...chainPath, ...searchQuery }
      )
    ),
    HttpApiEndpoint.get("chainTrending", "/chains/:chain/trending", {
      params: schemasOf(chainPath),
      query: TrendingQuery,
      success: Trending,
      error: [failure(400, "BAD_LIMIT"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      words("trending", "Movers of a chain", WORDS.trending, { ...chainPath, ...trendingQuery })
    ),
    HttpApiEndpoint.get("chainAttention", "/chains/:chain/attention", {
      params: schemasOf(chainPath),
      query: AttentionQuery,
      success: Attention,
      error: [failure(400, "BAD_LIMIT"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      words("attention", "Attention on a chain", WORDS.attention, {
        ...chainPath,
        ...attentionQuery
      })
    )
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Token pages", description: "Tokens one by one, search, movers" })
  )
