/** `GET /v1/rules`: the rules of prices, flags and lists. DECISIONS.md has the payload. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_ROUTE } from "../../errors.ts"
import { documented } from "../../parameters.ts"
import { Recipe } from "../prices/prices.api.ts"

const Rules = Schema.Struct({
  wash: Schema.Struct({
    version: Schema.Int,
    rules: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        text: Schema.String,
        minTrades: Schema.Int,
        minUsd: Schema.Finite,
        minTradesPerWallet: Schema.Int,
        minUsdPerWallet: Schema.Finite
      })
    )
  }).annotate({
    description:
      "over swaps of known wallets in 24 hours (boards) or a UTC day (`daily`), of a token for rows, anchors excepted, and of a market for sums; every threshold of a rule must be met"
  }),
  impostor: Schema.Struct({ version: Schema.Int, id: Schema.String, text: Schema.String }),
  graduated: Schema.Struct({
    version: Schema.Int,
    id: Schema.String,
    text: Schema.String,
    minTrades: Schema.Int,
    minDepthUsd: Schema.Finite
  }).annotate({ description: "when a new launch is shown" }),
  listing: Schema.Struct({
    version: Schema.Int,
    id: Schema.String,
    chains: Schema.Array(Schema.Int),
    text: Schema.String
  }).annotate({ description: "which of the tokens that read alike these chains' boards show" }),
  stock: Schema.Struct({
    version: Schema.Int,
    chain: Schema.Int,
    tag: Schema.String,
    text: Schema.String,
    ticker: Schema.String
  }).annotate({ description: "which tokens of lists are tokenised stocks" }),
  price: Recipe,
  change: Schema.Struct({ version: Schema.Int, id: Schema.String, text: Schema.String }).annotate({
    description: "what every change of a price compares"
  })
}).annotate({ identifier: "Rules", description: "the rules behind prices, flags and lists" })

export const RulesApi = HttpApiGroup.make("rules")
  .add(
    HttpApiEndpoint.get("getRules", "/rules", { success: Rules, error: ANY_ROUTE }).annotateMerge(
      documented({
        toldBy: "code",
        tool: "rules",
        summary: "Rules of prices, flags and lists",
        description:
          "The rules by which tokens are priced, rows are flagged `wash` or `impostor`, launches are shown, and one token of a symbol is listed, with thresholds and versions."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Rules", description: "The rules behind flags" }))
