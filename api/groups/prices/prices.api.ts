/** `GET /v1/prices/explain`: explains a token's price. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { RECIPE_VERSIONS } from "../../../src/rules/price-recipe.ts"
import { ANY_LANE_ROUTE, NO_SUCH_TOKEN } from "../../errors.ts"
import { documented, oneOf, optional, schemasOf } from "../../parameters.ts"
import { oneChain } from "../chain-parameter.ts"
import { ChainId, priceTs, Seconds, TokenAddress, UpdatedAt } from "../fields.ts"
import { BASE_WETH, tokenAddress } from "../token-parameter.ts"

const query = {
  ...oneChain,
  token: tokenAddress({ example: BASE_WETH }),
  recipe: optional(
    oneOf({
      description: "version of the recipe: an older one tells what it would make of the same pools",
      values: RECIPE_VERSIONS,
      default: RECIPE_VERSIONS[0]
    })
  )
}
const Query = Schema.Struct(schemasOf(query))
export type ExplainQuery = typeof Query.Type

const Dollars = Schema.NullOr(Schema.Finite)

export const Recipe = Schema.Struct({
  version: Schema.Int,
  versions: Schema.Array(Schema.Int).annotate({ description: "that can be asked for" }),
  thresholds: Schema.Record(Schema.String, Schema.Finite),
  steps: Schema.Array(Schema.String)
}).annotate({
  identifier: "PriceRecipe",
  description: "the rules that every price follows; a change is a new version"
})

const Step = Schema.Struct({
  token: Schema.NullOr(TokenAddress),
  priceUsd: Dollars,
  priceTs,
  pool: Schema.NullOr(Schema.String).annotate({
    description:
      "the deepest pool that prices it; null where `dollars` tells it, and without a price"
  })
})

const Pool = Schema.Struct({
  pool: Schema.String.annotate({ description: "address, or pool id where pools have none" }),
  dex: Schema.NullOr(Schema.String).annotate({ description: "venue id" }),
  listed: Schema.Boolean.annotate({ description: "its venue stands in the chain's registry" }),
  quote: Schema.NullOr(TokenAddress),
  quotePriceUsd: Dollars.annotate({ description: "what a quote token costs at present" }),
  priceUsd: Dollars.annotate({ description: "what it says a token costs, at that" }),
  depthUsd: Dollars.annotate({
    description:
      "what it counts for, with what is virtual of it, as of a launch curve; null while its quote has no price"
  }),
  quoteUsd: Dollars.annotate({ description: "its quote side, virtual where liquidity is ranged" }),
  backedUsd: Dollars.annotate({
    description: "quote tokens that are in it; null where the log does not hold all of them"
  }),
  ageSeconds: Schema.NullOr(Schema.Finite).annotate({
    description: "at its newest state; null where it was made before the log, or at its beginning"
  }),
  ts: Seconds.annotate({ description: "time of its newest state" }),
  eligible: Schema.Boolean,
  reason: Schema.NullOr(
    Schema.Literals([
      "no-price",
      "thin",
      "one-sided",
      "new",
      "unlisted",
      "silent",
      "far",
      "by-rule"
    ])
  ).annotate({
    description:
      "why it has no part in the price; `unlisted`: listed pools come first, `silent`: an anchor's other pools told theirs a day later or more, `far`: from the weighted median of an anchor's pools, `by-rule`: the dollar costs $1 whatever they say (`dollars`)"
  }),
  weight: Schema.Finite.annotate({
    description:
      "its part in the price, 0 to 1: all parts times their prices are `priceUsd`, or `pendingUsd` while that waits"
  })
})

const Dollar = Schema.Struct({
  token: Schema.NullOr(TokenAddress),
  priceUsd: Dollars,
  inReference: Schema.Finite.annotate({ description: "its price in the one that is 1 here" }),
  depth: Schema.Finite.annotate({ description: "of its pools that tell so, in dollars" })
})

export const Explained = Schema.Struct({
  chain: ChainId,
  token: TokenAddress,
  priceUsd: Dollars.annotate({ description: "null where no pool may set a price" }),
  priceTs,
  depthUsd: Dollars.annotate({
    description:
      "what its pools count for, with what is virtual of them; what they hold is in `backedUsd`"
  }),
  pendingUsd: Dollars.annotate({
    description: "of an anchor: a price far from the one before, which must last to count"
  }),
  ts: Schema.NullOr(Seconds),
  anchor: Schema.Boolean.annotate({ description: "a dollar price may start from it" }),
  path: Schema.Array(Step).annotate({ description: "from the token to a dollar" }),
  pools: Schema.Array(Pool).annotate({ description: "the deepest 50, deepest first" }),
  poolsTotal: Schema.Int,
  prints: Schema.Struct({
    acceptedUsd: Dollars.annotate({
      description: "last accepted print, where no pool sets a price"
    }),
    otherUsd: Dollars.annotate({ description: "another level that prints stand at" }),
    votes: Schema.Int.annotate({ description: "prints there, less those elsewhere" })
  }),
  dollars: Schema.NullOr(
    Schema.Struct({
      applies: Schema.Boolean.annotate({ description: "their median is $1; else each of them is" }),
      because: Schema.String,
      known: Schema.Array(Dollar)
    })
  ).annotate({
    description: "what the chain's dollars are worth; null in recipes that ask nobody"
  }),
  recipe: Recipe,
  seq: Schema.Int.annotate({ description: "the log position it reflects" }),
  block: Schema.Int,
  updatedAt: UpdatedAt
}).annotate({ identifier: "PriceExplained", description: "a price with all that went into it" })

export const PricesApi = HttpApiGroup.make("prices")
  .add(
    HttpApiEndpoint.get("explainPrice", "/prices/explain", {
      query: Query,
      success: Explained,
      error: [NO_SUCH_TOKEN, ...ANY_LANE_ROUTE]
    }).annotateMerge(
      documented({
        tool: "price_explain",
        summary: "Why a token costs what it costs",
        description:
          "The price recipe with its version and thresholds, the pools considered with the reason why each counts or not, their weights, and the way to dollars, all as of one log position.",
        parameters: query
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Prices", description: "Prices, explained" }))
