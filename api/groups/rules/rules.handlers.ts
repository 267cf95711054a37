import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { impostorRule } from "../../../projections/flags/impostor.ts"
import { washRules } from "../../../projections/flags/wash.ts"
import { graduationRule } from "../../../projections/launches/graduation.ts"
import { listingRule } from "../../../projections/listing/listing-rule.ts"
import { changeRule } from "../../../projections/markets/change.ts"
import { recipe } from "../../../projections/prices/recipe.ts"
import { stockRule } from "../../../src/domain/stock-rule.ts"
import { lastingResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"

export const RulesHandlers = HttpApiBuilder.group(
  Api,
  "rules",
  Effect.fnUntraced(function* (handlers) {
    const { version } = yield* EngineInfo
    const bytes = new TextEncoder().encode(
      JSON.stringify({
        wash: washRules,
        impostor: impostorRule,
        graduated: graduationRule,
        listing: listingRule,
        stock: stockRule,
        price: recipe,
        change: changeRule
      })
    )
    return handlers.handle("getRules", () =>
      Effect.sync(() => lastingResponse(version, bytes, "application/json"))
    )
  })
)
