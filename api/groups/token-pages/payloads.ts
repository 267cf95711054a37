/** Parameters and answers of the routes of token pages. */
import { Schema } from "effect"
import { integer, optional, rowFields, schemasOf, text } from "../../parameters.ts"
import { TokenRow } from "../boards/boards.api.ts"
import { chainPath } from "../chain-parameter.ts"
import {
  asOfParameter,
  ChainId,
  Position,
  Seconds,
  TokenAddress,
  UnknownTime,
  UpdatedAt,
  Wallets,
  warnings
} from "../fields.ts"
import { ARC_USDC, BASE_WETH, tokenAddress } from "../token-parameter.ts"

export const POOLS_LIMIT = 50
export const SEARCH_LIMIT = 20
export const MOVERS_LIMIT = 50

const tokenOf = (example: string) => ({ address: tokenAddress({ code: "BAD_ADDRESS", example }) })

/** A token of a chain with a route family of its own, and of others. */
export const ownPath = tokenOf(ARC_USDC)
export const keyedPath = { ...chainPath, ...tokenOf(BASE_WETH) }

const limitOf = (fallback: number, max: number) =>
  optional(integer({ description: "rows", min: 1, max, default: fallback, code: "BAD_LIMIT" }))

const Usd = Schema.Finite.annotate({ description: "US dollars" })
const Dex = Schema.NullOr(Schema.String)

export const TokenPage = Schema.Struct({
  chain: ChainId,
  sinceHour: Seconds,
  token: TokenRow,
  ath: Schema.NullOr(Schema.Struct({ priceUsd: Schema.Finite, ts: Seconds })).annotate({
    description: "highest price of a print that counts; null while none does"
  }),
  firstTradeTs: Seconds,
  hourly24: Schema.Array(
    Schema.Struct({
      hour: Seconds,
      trades: Schema.Int,
      buys: Schema.Int,
      sells: Schema.Int,
      buyUsd: Usd,
      sellUsd: Usd,
      makers: Wallets,
      close: Schema.NullOr(Schema.Finite)
    })
  ),
  venues24h: Schema.Array(
    Schema.Struct({ dex: Dex, volUsd: Usd, trades: Schema.Int, sharePct: Schema.Finite })
  ),
  warnings,
  unknown: UnknownTime,
  updatedAt: UpdatedAt
}).annotate({ identifier: "TokenPage" })

const PoolSide = Schema.NullOr(
  Schema.Struct({
    address: TokenAddress,
    symbol: Schema.NullOr(Schema.String),
    impostor: Schema.optionalKey(Schema.Boolean)
  })
)

const PoolRow = Schema.Struct({
  pool: Schema.String.annotate({ description: "address, or pool id where pools have none" }),
  dex: Dex,
  kind: Schema.NullOr(Schema.String),
  feePct: Schema.NullOr(Schema.Finite),
  token0: PoolSide,
  token1: PoolSide,
  tokens: Schema.Array(TokenAddress).annotate({ description: "all of them, by place" }),
  priceUsd: Schema.NullOr(Schema.Finite).annotate({
    description: "of the side that is not the quote, by the pool's own state"
  }),
  depthUsd: Schema.NullOr(Schema.Finite).annotate({
    description: "what the pool counts for when it sets a price (`/v1/prices/explain`)"
  }),
  txns24h: Schema.Int,
  vol24h: Usd,
  makers24h: Wallets,
  suspect: Schema.optionalKey(Schema.Boolean)
})

export const poolsQuery = {
  limit: limitOf(POOLS_LIMIT, 500),
  offset: optional(integer({ description: "rows to skip", min: 0, max: 1_000_000, default: 0 })),
  asOf: asOfParameter,
  ...rowFields("pools", PoolRow)
}
export const PoolsQuery = Schema.Struct(schemasOf(poolsQuery))
export type PoolsQuery = typeof PoolsQuery.Type

export const TokenPools = Schema.Struct({
  chain: ChainId,
  token: TokenAddress,
  offset: Schema.Int,
  asOf: Position.annotate({ description: "position of the order; the figures are present ones" }),
  total: Schema.Int,
  pools: Schema.Array(PoolRow),
  warnings,
  unknown: UnknownTime,
  updatedAt: UpdatedAt
}).annotate({ identifier: "TokenPools" })

const FoundToken = Schema.Struct({ ...TokenRow.fields, verified: Schema.Boolean })

export const searchQuery = {
  q: text({
    description: "symbol, part of the name, or address",
    pattern: /^.{1,64}$/u,
    expected: "1 to 64 characters",
    example: "usd"
  }),
  limit: limitOf(SEARCH_LIMIT, 100),
  ...rowFields("tokens", FoundToken)
}
export const SearchQuery = Schema.Struct(schemasOf(searchQuery))
export type SearchQuery = typeof SearchQuery.Type

export const TokenSearch = Schema.Struct({
  chain: ChainId,
  q: Schema.String,
  tokens: Schema.Array(FoundToken),
  total: Schema.Int,
  unknown: UnknownTime,
  updatedAt: UpdatedAt
}).annotate({ identifier: "TokenSearch" })

const Formula = Schema.Struct({
  version: Schema.Int,
  text: Schema.String,
  minMakers: Schema.Int,
  minTrades: Schema.optionalKey(Schema.Int),
  minUsd: Schema.optionalKey(Schema.Finite)
})

const TrendingToken = Schema.Struct({
  ...TokenRow.fields,
  change2hPct: Schema.Finite,
  change2hSince: Seconds,
  trades2h: Schema.Int,
  volume2h: Usd
})

export const trendingQuery = {
  limit: limitOf(MOVERS_LIMIT, 500),
  ...rowFields("tokens", TrendingToken)
}
export const TrendingQuery = Schema.Struct(schemasOf(trendingQuery))

export const Trending = Schema.Struct({
  chain: ChainId,
  sinceHour: Seconds,
  formula: Formula,
  tokens: Schema.Array(TrendingToken),
  warnings,
  unknown: UnknownTime,
  updatedAt: UpdatedAt
}).annotate({ identifier: "Trending" })

const AttentionToken = Schema.Struct({
  ...TokenRow.fields,
  attention: Schema.Finite,
  tradersPerHour: Schema.Finite,
  tradersPerHourBefore: Schema.Finite
})

export const attentionQuery = {
  limit: limitOf(MOVERS_LIMIT, 500),
  ...rowFields("tokens", AttentionToken)
}
export const AttentionQuery = Schema.Struct(schemasOf(attentionQuery))

export const Attention = Schema.Struct({
  chain: ChainId,
  sinceHour: Seconds,
  formula: Formula,
  tokens: Schema.Array(AttentionToken),
  warnings,
  unknown: UnknownTime,
  updatedAt: UpdatedAt
}).annotate({ identifier: "Attention" })
