/** `/v1/tokens/stats/{address}`, `/market`, `/search` and `/chart/{address}` (spec 4.5). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_LANE_ROUTE, NO_SUCH_TOKEN } from "../../errors.ts"
import { documented, integer, optional, schemasOf } from "../../parameters.ts"
import { candlesQuery } from "../candles/candle-parameters.ts"
import { Candles } from "../candles/candles.api.ts"
import { anyChain, oneChain } from "../chain-parameter.ts"
import {
  ChainId,
  changeSince,
  priceTs,
  Seconds,
  TokenAddress,
  UnknownTime,
  UpdatedAt,
  Wallets,
  warnings
} from "../fields.ts"
import { searchQuery, TokenSearch } from "../token-pages/payloads.ts"
import { BASE_WETH, tokenAddress } from "../token-parameter.ts"

export const MARKET_LIMIT = 1000

const path = {
  address: tokenAddress({ example: BASE_WETH })
}

const AnyChain = Schema.Struct(schemasOf(anyChain))
export type AnyChain = typeof AnyChain.Type

const marketQuery = {
  ...oneChain,
  limit: optional(
    integer({
      description: "tokens, those with most volume",
      min: 1,
      max: 10_000,
      default: MARKET_LIMIT
    })
  )
}
const MarketQuery = Schema.Struct(schemasOf(marketQuery))
export type MarketQuery = typeof MarketQuery.Type

const { code: _code, ...limit } = searchQuery.limit
const findQuery = {
  ...oneChain,
  q: searchQuery.q,
  limit: { ...limit, code: "INVALID_PARAMS" as const },
  fields: searchQuery.fields
}
const FindQuery = Schema.Struct(schemasOf(findQuery))
export type FindQuery = typeof FindQuery.Type

const { tf, from, to, limit: candleLimit, fill } = candlesQuery
const chartQuery = { ...anyChain, tf, from, to, limit: candleLimit, fill }
const ChartQuery = Schema.Struct(schemasOf(chartQuery))
export type ChartQuery = typeof ChartQuery.Type

const Usd = Schema.Finite.annotate({ description: "US dollars" })
const MaybeUsd = Schema.NullOr(Schema.Finite)

const Window = Schema.Struct({
  change: MaybeUsd.annotate({
    description:
      "percent, newest print against the newest one before the window, or against the first of all (`/v1/rules`); null without a price"
  }),
  changeSince,
  txns: Schema.Int,
  buys: Schema.Int,
  sells: Schema.Int,
  buyVol: Usd,
  sellVol: Usd,
  makers: Schema.Int.annotate({
    description:
      "distinct wallets of the trades whose sender the log names, as `buyers` and `sellers`; where it names nobody's, which `warnings` says, 0"
  }),
  buyers: Schema.Int,
  sellers: Schema.Int
})

const TokenStats = Schema.Struct({
  chain: ChainId,
  token: TokenAddress,
  priceUsd: MaybeUsd,
  priceTs,
  windows: Schema.Struct({ m5: Window, h1: Window, h6: Window, h24: Window }).annotate({
    description: "the seconds that end with the newest block's"
  }),
  liquidityUsd: MaybeUsd.annotate({
    description:
      "on the quote side of the pools that price it, of an anchor without those that have been silent for a day longer than the newest; null where none does"
  }),
  ath: Schema.NullOr(Schema.Struct({ priceUsd: Schema.Finite, ts: Seconds })),
  range24h: Schema.NullOr(Schema.Struct({ high: Schema.Finite, low: Schema.Finite })),
  firstTradeTs: Seconds,
  totalTxns: Schema.Int,
  markets: Schema.Array(
    Schema.Struct({
      dex: Schema.NullOr(Schema.String),
      pool: Schema.String,
      txns24h: Schema.Int,
      vol24h: Usd,
      makers24h: Wallets
    })
  ).annotate({ description: "of the 24 hours, the 500 with most volume" }),
  marketsTotal: Schema.optionalKey(Schema.Int).annotate({
    description: "how many there are, where there are more"
  }),
  warnings,
  unknown: UnknownTime,
  updatedAt: UpdatedAt
}).annotate({ identifier: "TokenStats" })

const PriceMap = Schema.Struct({
  chain: ChainId,
  sinceHour: Seconds,
  prices: Schema.Record(
    Schema.String,
    Schema.Struct({
      priceUsd: MaybeUsd,
      priceTs,
      change24hPct: MaybeUsd,
      changeSince,
      volume24h: Usd,
      trades24h: Schema.Int,
      lastTradeTs: Seconds,
      wash: Schema.optionalKey(Schema.Boolean),
      impostor: Schema.optionalKey(Schema.Boolean)
    })
  ).annotate({ description: "by address: lower-case hex, or base58 on Solana" }),
  total: Schema.Int,
  unknown: UnknownTime,
  updatedAt: UpdatedAt
}).annotate({ identifier: "PriceMap" })

export const TokenStatsApi = HttpApiGroup.make("tokenStats")
  .add(
    HttpApiEndpoint.get("getTokenStats", "/tokens/stats/:address", {
      params: schemasOf(path),
      query: AnyChain,
      success: TokenStats,
      error: [NO_SUCH_TOKEN, ...ANY_LANE_ROUTE]
    }).annotateMerge(
      documented({
        tool: "token_stats",
        summary: "Windows of a token",
        description:
          "Trades, volume and wallets of the last 5 minutes, hour, 6 hours and 24 hours, exact to the second; all-time high, 24-hour range and markets. Prints that are not believed are counted as trades and in nothing else. An answer up to a second out of date may be given while a new one is made; `X-Log-Seq` tells its position.",
        parameters: { ...path, ...anyChain }
      })
    ),
    HttpApiEndpoint.get("getMarket", "/tokens/market", {
      query: MarketQuery,
      success: PriceMap,
      error: [...ANY_LANE_ROUTE]
    }).annotateMerge(
      documented({
        tool: "market",
        summary: "Price map",
        description:
          "Prices of the tokens that traded in the last 24 hours, up to the newest block.",
        parameters: marketQuery
      })
    ),
    HttpApiEndpoint.get("searchTokens", "/tokens/search", {
      query: FindQuery,
      success: TokenSearch,
      error: [...ANY_LANE_ROUTE]
    }).annotateMerge(
      documented({
        tool: "token_search",
        summary: "Search of tokens",
        description:
          "By symbol, name or address. Of tokens whose symbols read alike one is `verified` at most.",
        parameters: findQuery
      })
    ),
    HttpApiEndpoint.get("getTokenChart", "/tokens/chart/:address", {
      params: schemasOf(path),
      query: ChartQuery,
      success: Candles,
      error: [NO_SUCH_TOKEN, ...ANY_LANE_ROUTE]
    }).annotateMerge(
      documented({
        tool: { none: "swaptape_candles answers the same with more parameters" },
        summary: "Chart of a token",
        description: "Candles as `GET /v1/candles` answers them, by the token's path.",
        parameters: { ...path, ...chartQuery }
      })
    )
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Token stats", description: "Windows, prices, search, charts" })
  )
