/** `GET /v1/tokens/trades/{address}` and `GET /v1/tokens` (spec 4.5). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_LANE_ROUTE, failure, NO_SUCH_TOKEN } from "../../errors.ts"
import {
  address,
  decimal,
  documented,
  flag,
  integer,
  oneOf,
  optional,
  rowFields,
  schemasOf,
  text
} from "../../parameters.ts"
import { anyChain, oneChain } from "../chain-parameter.ts"
import { asOfParameter, ChainId, Position, Trade, UnknownTime, UpdatedAt } from "../fields.ts"
import { BASE_WETH, tokenAddress } from "../token-parameter.ts"
import { ListedRow, Lists } from "./list-payloads.ts"

export const TRADES_DEFAULT = 25
export const TOKENS_DEFAULT = 100
export const CURATED_DEFAULT = 1000

const path = {
  address: tokenAddress({ example: BASE_WETH })
}

const query = {
  ...anyChain,
  side: optional(oneOf({ description: "one side only", values: ["buy", "sell"] })),
  dex: optional(
    text({
      description: "one venue only, by its id",
      pattern: /^[a-z0-9_]{1,64}$/,
      expected: "a venue id: lower-case letters, digits and underscores",
      example: "uniswap_v3"
    })
  ),
  min: optional(decimal({ description: "smallest trade, US dollars", min: 0 })),
  wallet: optional(address({ description: "one wallet only" })),
  limit: optional(
    integer({ description: "trades a page", min: 1, max: 500, default: TRADES_DEFAULT })
  ),
  page: optional(integer({ description: "page, from 1", min: 1, max: 1_000_000, default: 1 })),
  asOf: asOfParameter,
  ...rowFields("trades", Trade)
}
const TradesQuery = Schema.Struct(schemasOf(query))
export type TradesQuery = typeof TradesQuery.Type

const TokenTrades = Schema.Struct({
  trades: Schema.Array(Trade),
  total: Schema.Int,
  page: Schema.Int,
  pageSize: Schema.Int,
  dexes: Schema.Array(Schema.String).annotate({ description: "venues seen" }),
  stats24h: Schema.Struct({
    buys: Schema.Int,
    sells: Schema.Int,
    buyUsd: Schema.Finite,
    sellUsd: Schema.Finite
  }),
  asOf: Position,
  unknown: UnknownTime
}).annotate({
  identifier: "TokenTrades",
  description: "trades, newest first",
  examples: [
    {
      trades: [
        {
          tx: `0x${"ab".repeat(32)}`,
          logIndex: 7,
          dex: "uniswap_v3",
          side: "buy",
          tokenAmt: 1.5,
          quoteAmount: 4500.25,
          usd: 4500.25,
          priceUsd: 3000.17,
          ts: 1_789_999_321,
          wallet: `0x${"12".repeat(20)}`,
          walletBy: "direct",
          block: 36_000_000,
          pool: `0x${"34".repeat(20)}`
        }
      ],
      total: 1,
      page: 1,
      pageSize: TRADES_DEFAULT,
      dexes: ["uniswap_v3"],
      stats24h: { buys: 1, sells: 0, buyUsd: 4500.25, sellUsd: 0 },
      asOf: 1234,
      unknown: [{ from: 0, to: 1_789_000_000 }]
    }
  ]
})

const ListRow = Schema.Struct({ chainId: ChainId, ...ListedRow.fields })

const listQuery = {
  ...oneChain,
  limit: optional(
    integer({
      description: `tokens; by default ${CURATED_DEFAULT}, or ${TOKENS_DEFAULT} with \`includeUnlisted=1\``,
      min: 1,
      max: 1000
    })
  ),
  includeUnlisted: optional(
    flag({
      description: "1: all tokens with trades, most traded first, in place of the curated list"
    })
  ),
  ...rowFields("tokens", ListRow)
}
const ListQuery = Schema.Struct(schemasOf(listQuery))
export type ListQuery = typeof ListQuery.Type

const TokenList = Schema.Struct({
  chain: ChainId,
  curated: Schema.Boolean.annotate({
    description: "false: no list covers the chain, or all tokens were wanted"
  }),
  lists: Lists,
  tokens: Schema.Array(ListRow),
  total: Schema.Int,
  unknown: UnknownTime,
  updatedAt: UpdatedAt
}).annotate({ identifier: "TokenList", description: "tokens of the chain" })

export const TokensApi = HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.get("listTokens", "/tokens", {
      query: ListQuery,
      success: TokenList,
      error: [...ANY_LANE_ROUTE]
    }).annotateMerge(
      documented({
        tool: "token_list",
        summary: "Tokens of a chain",
        description:
          "The chain's curated tokens as its token lists have them, with what is known of each, also those that never traded; may be kept for an hour. Where no list covers the chain: the tokens with indexed trades. Most traded first.",
        parameters: listQuery
      })
    ),
    HttpApiEndpoint.get("getTokenTrades", "/tokens/trades/:address", {
      params: schemasOf(path),
      query: TradesQuery,
      success: TokenTrades,
      error: [NO_SUCH_TOKEN, failure(410, "AS_OF_GONE"), ...ANY_LANE_ROUTE]
    }).annotateMerge(
      documented({
        tool: "token_trades",
        summary: "Trades of a token",
        description:
          "The token's tape, newest first, by pages. With the first page's `asOf` the next pages are of the same tape, whatever has come since.",
        parameters: { ...path, ...query }
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Tokens", description: "Token lists and tapes" }))
