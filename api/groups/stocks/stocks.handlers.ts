import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import { answered, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { ownLane } from "../boards/own-lane.ts"
import { stocks } from "../tokens/token-list.query.ts"
import { STOCKS_LIMIT } from "./stocks.api.ts"

export const StocksHandlers = HttpApiBuilder.group(
  Api,
  "stocks",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo
    const rh = ownLane(lanes, "rh")
    return handlers.handle("rhStocks", ({ query }) => {
      const page = { limit: query.limit ?? STOCKS_LIMIT, offset: query.offset ?? 0 }
      const request = ask(stocks, page)
      return answered(Effect.flatMap(rh, lane => laneResponse(version, lane, request)))
    })
  })
)
