import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../../engine/lane/lanes.ts"
import { answered, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { servedLane, tokenOn } from "../served-lane.ts"
import { naming } from "../unknown-token.ts"
import { CANDLES_DEFAULT, type CandlesQuery, CHAIN_DEFAULT } from "./candles.api.ts"

/** Parameters of the lane's query `candles`; null where the lane decides. */
const laneParams = (token: string, query: CandlesQuery) => ({
  token,
  tf: query.tf ?? "1h",
  from: query.from ?? null,
  to: query.to ?? null,
  limit: query.limit ?? CANDLES_DEFAULT,
  fill: query.fill === "1"
})

export const CandlesHandlers = HttpApiBuilder.group(
  Api,
  "candles",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo
    const getCandles = Effect.fnUntraced(function* (query: CandlesQuery) {
      const lane = yield* servedLane(lanes, query.chain ?? CHAIN_DEFAULT)
      const token = tokenOn(lane, query.token)
      const request = { name: "candles", params: laneParams(token, query) }
      return yield* naming(laneResponse(version, lane, request), lanes, lane, token)
    })
    return handlers.handle("getCandles", ({ query }) => answered(getCandles(query)))
  })
)
