import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import { explainPrice } from "../../../projections/prices/queries.ts"
import { answered, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { servedLane, TOKEN, tokenOn } from "../served-lane.ts"
import { naming } from "../unknown-token.ts"
import type { ExplainQuery } from "./prices.api.ts"

export const PricesHandlers = HttpApiBuilder.group(
  Api,
  "prices",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo
    const explain = Effect.fnUntraced(function* (query: ExplainQuery) {
      const lane = yield* servedLane(lanes, query.chain)
      const token = yield* tokenOn(lane, query.token, TOKEN)
      const request = ask(explainPrice, { token, recipe: query.recipe ?? null })
      return yield* naming(laneResponse(version, lane, request), lanes, lane, token)
    })
    return handlers.handle("explainPrice", ({ query }) => answered(explain(query)))
  })
)
