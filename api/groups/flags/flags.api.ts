/** `GET /v1/flags/explain`: explains a token's flags, down to positions in the log. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_LANE_ROUTE, NO_SUCH_TOKEN } from "../../errors.ts"
import { documented, schemasOf } from "../../parameters.ts"
import { chainParameter } from "../chain-parameter.ts"
import { ChainId, Position, rulesParameter, Seconds, UpdatedAt } from "../fields.ts"
import { BASE_WETH, tokenAddress } from "../token-parameter.ts"

const explainQuery = {
  chain: chainParameter,
  token: tokenAddress({ example: BASE_WETH }),
  rules: rulesParameter
}
const ExplainQuery = Schema.Struct(schemasOf(explainQuery))
export type ExplainQuery = typeof ExplainQuery.Type

const Side = Schema.NullOr(
  Schema.Struct({ address: Schema.String, symbol: Schema.NullOr(Schema.String) })
)
const Rule = Schema.Struct({ id: Schema.String, version: Schema.Int, text: Schema.String })
const Usd = Schema.Finite

const judged = {
  rule: Rule,
  thresholds: Schema.Struct({
    minTrades: Schema.Int,
    minUsd: Usd,
    minTradesPerWallet: Schema.Int,
    minUsdPerWallet: Usd
  }),
  figures: Schema.Struct({
    trades: Schema.Int.annotate({ description: "whose wallet is known" }),
    usd: Usd,
    wallets: Schema.Int,
    tradesPerWallet: Schema.Finite,
    usdPerWallet: Usd
  }),
  window: Schema.Struct({ from: Seconds, to: Seconds }),
  wallets: Schema.Array(
    Schema.Struct({ wallet: Schema.String, trades: Schema.Int, usd: Usd })
  ).annotate({ description: "who traded it, most trades first; 100 at most" }),
  prints: Schema.Struct({
    count: Schema.Int.annotate({ description: "all that the rule counted" }),
    newest: Schema.Array(
      Schema.Struct({
        seq: Position,
        block: Schema.Int,
        logIndex: Schema.Int,
        tx: Schema.String,
        ts: Seconds,
        wallet: Schema.String,
        usd: Schema.NullOr(Usd)
      })
    ).annotate({ description: "200 at most" })
  })
}

const Flag = Schema.Union([
  Schema.Struct({ flag: Schema.Literal("wash"), of: Schema.Literal("token"), ...judged }),
  Schema.Struct({
    flag: Schema.Literal("suspect"),
    of: Schema.Literal("market"),
    pool: Schema.String,
    dex: Schema.NullOr(Schema.String),
    token0: Side,
    token1: Side,
    ...judged
  }),
  Schema.Struct({
    flag: Schema.Literal("impostor"),
    of: Schema.Literal("token"),
    rule: Rule,
    symbol: Schema.NullOr(Schema.String),
    readsAs: Schema.String.annotate({ description: "the symbol as people read it" }),
    protects: Schema.Array(
      Schema.Struct({
        symbol: Schema.String,
        address: Schema.NullOr(Schema.String).annotate({
          description: "null for a native unit without a token"
        })
      })
    ).annotate({ description: "the anchors whose symbol reads the same" })
  })
])

const Explanation = Schema.Struct({
  chain: ChainId,
  token: Schema.String,
  rules: Schema.String,
  flags: Schema.Array(Flag),
  suspectMarkets: Schema.Int.annotate({
    description: "markets of the token that bear a flag; 20 are explained, those that trade most"
  }),
  asOf: Position,
  updatedAt: UpdatedAt
}).annotate({
  identifier: "FlagExplanation",
  examples: [
    {
      chain: 8453,
      token: `0x${"34".repeat(20)}`,
      rules: "v1",
      flags: [
        {
          flag: "impostor",
          of: "token",
          rule: {
            id: "impostor-symbol",
            version: 1,
            text: "the symbol reads like that of one of the chain's anchors, the address is another"
          },
          symbol: "UЅDС",
          readsAs: "USDC",
          protects: [{ symbol: "USDC", address: `0x${"22".repeat(20)}` }]
        }
      ],
      suspectMarkets: 0,
      asOf: 1234,
      updatedAt: 1_789_999_321_000
    }
  ]
})

export const FlagsApi = HttpApiGroup.make("flags")
  .add(
    HttpApiEndpoint.get("explainFlags", "/flags/explain", {
      query: ExplainQuery,
      success: Explanation,
      error: [NO_SUCH_TOKEN, ...ANY_LANE_ROUTE]
    }).annotateMerge(
      documented({
        tool: "flags_explain",
        summary: "Flags of a token, explained",
        description:
          "Each flag that the token or one of its markets bears: the rule with its version and thresholds, what it was judged by, the wallets that make it true, and the prints behind it by their positions in the log. The rules are at `/v1/rules`.",
        parameters: explainQuery
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Flags", description: "Why rows bear flags" }))
