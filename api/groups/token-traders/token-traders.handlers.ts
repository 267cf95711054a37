import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import { answered, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { ownLane } from "../boards/own-lane.ts"
import { tokenOn } from "../served-lane.ts"
import { TRADERS_HOURS, TRADERS_LIMIT } from "./token-traders.api.ts"
import { tokenTraders } from "./token-traders.query.ts"

export const TokenTradersHandlers = HttpApiBuilder.group(
  Api,
  "tokenTraders",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo
    return handlers.handle("solanaTokenTraders", ({ params, query }) => {
      const { hours = TRADERS_HOURS, limit = TRADERS_LIMIT } = query
      return answered(
        Effect.gen(function* () {
          const lane = yield* ownLane(lanes, "solana")
          const token = yield* tokenOn(lane, params.address)
          return yield* laneResponse(version, lane, ask(tokenTraders, { token, hours, limit }))
        })
      )
    })
  })
)
