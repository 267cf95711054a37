/** `GET /v1/rules`: the rules of prices, flags and lists. DECISIONS.md has the payload. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_ROUTE } from "../../errors.ts"
import { documented } from "../../parameters.ts"
import { Recipe } from "../prices/prices.api.ts"

/** Dollars, seconds and parts of one; `smartTraders.texts` say what each is for. */
const SmartThresholds = Schema.Record(
  Schema.String,
  Schema.Union([
    Schema.Finite,
    Schema.Array(Schema.Struct({ above: Schema.Finite, factor: Schema.Finite }))
  ])
)

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
  }),
  bot: Schema.Struct({
    version: Schema.Int,
    id: Schema.String,
    tradesADay: Schema.Int,
    tokensADay: Schema.Int,
    text: Schema.String
  }).annotate({ description: "which wallets are likely bots (`likelyBot`)" }),
  dayTraders: Schema.Struct({
    version: Schema.Int,
    id: Schema.String,
    minVolumeUsd: Schema.Finite,
    text: Schema.String
  }).annotate({ description: "whom the board of a day's traders leaves out" }),
  smartTraders: Schema.Struct({
    version: Schema.Int,
    id: Schema.String,
    texts: Schema.Array(Schema.String),
    thresholds: SmartThresholds
  }).annotate({ description: "who is a smart trader, and by which score" })
}).annotate({ identifier: "Rules", description: "the rules behind prices, flags and lists" })

export const RulesApi = HttpApiGroup.make("rules")
  .add(
    HttpApiEndpoint.get("getRules", "/rules", { success: Rules, error: ANY_ROUTE }).annotateMerge(
      documented({
        toldBy: "code",
        tool: "rules",
        summary: "Rules of prices, flags and lists",
        description:
          "The rules by which tokens are priced, rows are flagged `wash` or `impostor`, launches are shown, and one token of a symbol is listed, with thresholds and versions. On Solana no row is flagged."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Rules", description: "The rules behind flags" }))
