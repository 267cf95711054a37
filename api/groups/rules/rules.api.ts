/** `GET /v1/rules`: by which rules rows are flagged. The spec leaves it open (DECISIONS.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_ROUTE } from "../../errors.ts"
import { documented } from "../../parameters.ts"

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
      "over swaps of known wallets in 24 hours (boards) or a UTC day (`daily`), of a token for rows and of a market for sums; every threshold of a rule must be met"
  }),
  impostor: Schema.Struct({ version: Schema.Int, id: Schema.String, text: Schema.String })
}).annotate({ identifier: "Rules", description: "the rules behind flags" })

export const RulesApi = HttpApiGroup.make("rules")
  .add(
    HttpApiEndpoint.get("getRules", "/rules", { success: Rules, error: ANY_ROUTE }).annotateMerge(
      documented({
        summary: "Rules of flags",
        description:
          "The rules by which rows are flagged `wash` or `impostor`, with thresholds and versions."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Rules", description: "The rules behind flags" }))
