/** Who traded a token of Solana most: `/v1/chains/solana/token/{address}/traders` (spec 4.14). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_CHAIN_ROUTE, failure } from "../../errors.ts"
import { address, documented, integer, optional, rowFields, schemasOf } from "../../parameters.ts"
import { ChainId, Position, Seconds, UnknownTime, UpdatedAt, warnings } from "../fields.ts"
import { SOL } from "../token-parameter.ts"

export const TRADERS_LIMIT = 30
export const TRADERS_HOURS = 24

const Usd = Schema.Finite.annotate({ description: "US dollars" })
const MaybeUsd = Schema.NullOr(Schema.Finite).annotate({ description: "null where unknown" })

const TraderRow = Schema.Struct({
  wallet: Schema.String,
  boughtUsd: Usd,
  soldUsd: Usd,
  netUsd: Schema.Finite.annotate({ description: "US dollars: bought less sold" }),
  trades: Schema.Int,
  lastTrade: Seconds,
  heldAmount: Schema.NullOr(Schema.Finite).annotate({
    description:
      "whole tokens bought less those sold inside the window: less than 0 where `partial`; null while the decimals are unknown"
  }),
  heldValueUsd: Schema.NullOr(Schema.Finite).annotate({
    description: "of what is left: 0 where `partial`; null where unknown"
  }),
  realizedPnlUsd: Schema.NullOr(Schema.Finite).annotate({
    description:
      "what was sold came to, less its part of what all buys of the window had cost on average, later ones included; null where `partial`, or where a print has no believed price"
  }),
  unrealizedPnlUsd: MaybeUsd,
  partial: Schema.Boolean.annotate({
    description: "sold more than it bought: what that had cost is not in the window"
  }),
  unpriced: Schema.Int.annotate({
    description: "trades whose dollars are unknown or not believed; in no sum of dollars"
  })
})

const path = {
  address: address({
    description: "mint; the case of its letters counts",
    example: SOL,
    code: "BAD_ADDRESS"
  })
}

const query = {
  hours: optional(
    integer({
      description: "whole UTC hours before the newest block's, which is in the window too",
      min: 1,
      max: 48,
      default: TRADERS_HOURS,
      code: "BAD_HOURS"
    })
  ),
  limit: optional(
    integer({
      description: "wallets to answer",
      min: 1,
      max: 100,
      default: TRADERS_LIMIT,
      code: "BAD_LIMIT"
    })
  ),
  ...rowFields("traders", TraderRow)
}
const TradersQuery = Schema.Struct(schemasOf(query))
export type TradersQuery = typeof TradersQuery.Type

const TokenTraders = Schema.Struct({
  chain: ChainId,
  token: Schema.String,
  windowHours: Schema.Int,
  since: Seconds.annotate({
    description: "Unix seconds: start of the window, or of what is kept of it"
  }),
  priceUsd: MaybeUsd,
  traders: Schema.Array(TraderRow).annotate({
    description: "most dollars bought and sold first; of equal ones most trades"
  }),
  unattributedTrades: Schema.Int.annotate({
    description: "trades of the window whose wallet is not known: no row has them"
  }),
  warnings,
  asOf: Position,
  unknown: UnknownTime,
  updatedAt: UpdatedAt
}).annotate({
  identifier: "TokenTraders",
  description: "the wallets that traded a token most",
  examples: [
    {
      chain: "solana",
      token: SOL,
      windowHours: 24,
      since: 1_789_909_200,
      priceUsd: 15,
      traders: [
        {
          wallet: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
          boughtUsd: 300,
          soldUsd: 150,
          netUsd: 150,
          trades: 2,
          lastTrade: 1_789_999_000,
          heldAmount: 20,
          heldValueUsd: 300,
          realizedPnlUsd: 50,
          unrealizedPnlUsd: 100,
          partial: false,
          unpriced: 0
        }
      ],
      unattributedTrades: 0,
      asOf: 1234,
      unknown: [],
      updatedAt: 1_789_999_321
    }
  ]
})

export const TokenTradersApi = HttpApiGroup.make("tokenTraders")
  .add(
    HttpApiEndpoint.get("solanaTokenTraders", "/chains/solana/token/:address/traders", {
      params: schemasOf(path),
      query: TradersQuery,
      success: TokenTraders,
      error: [
        failure(400, "BAD_ADDRESS", "BAD_LIMIT", "BAD_HOURS"),
        failure(404, "TOKEN_NOT_FOUND"),
        ...ANY_CHAIN_ROUTE
      ]
    }).annotateMerge(
      documented({
        tool: "token_traders",
        summary: "Traders of a token on Solana",
        description:
          "The wallets that traded a token most, by dollars, with what they made at average cost inside the window: the average of all buys there, not of those ahead of each sell. Only trades attributed to a wallet count, and transfers are not seen: a token received and then sold is a sell without a buy (`partial`).",
        parameters: { ...path, ...query }
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Token traders", description: "Who trades a token" }))
