import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { changeRule } from "../../../projections/markets/change.ts"
import { stockRule } from "../../../src/domain/stock-rule.ts"
import { graduationRule } from "../../../src/rules/graduation.ts"
import { impostorRule } from "../../../src/rules/impostor.ts"
import { listingRule } from "../../../src/rules/listing-rule.ts"
import { recipe } from "../../../src/rules/price-recipe.ts"
import { botRule, dayTraderRule, smartTraderRule } from "../../../src/rules/trader-rules.ts"
import { washRules } from "../../../src/rules/wash.ts"
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
        change: changeRule,
        bot: botRule,
        dayTraders: dayTraderRule,
        smartTraders: smartTraderRule
      })
    )
    return handlers.handle("getRules", () =>
      Effect.sync(() => lastingResponse(version, bytes, "application/json"))
    )
  })
)
