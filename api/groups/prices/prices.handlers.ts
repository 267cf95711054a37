import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../../engine/lane/lanes.ts"
import { answered, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { servedLane, tokenOn } from "../served-lane.ts"
import { naming } from "../unknown-token.ts"
import type { ExplainQuery } from "./prices.api.ts"

export const PricesHandlers = HttpApiBuilder.group(
  Api,
  "prices",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo
    const explainPrice = Effect.fnUntraced(function* (query: ExplainQuery) {
      const lane = yield* servedLane(lanes, query.chain)
      const token = tokenOn(lane, query.token)
      const request = { name: "explainPrice", params: { token, recipe: query.recipe ?? null } }
      return yield* naming(laneResponse(version, lane, request), lanes, lane, token)
    })
    return handlers.handle("explainPrice", ({ query }) => answered(explainPrice(query)))
  })
)
