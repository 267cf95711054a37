import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import { answered, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import type { Refusal } from "../../errors.ts"
import { ownLane } from "../boards/own-lane.ts"
import { chainKeyedLane } from "../chains/chain-family.ts"
import { pageParams } from "../chains/chains.handlers.ts"
import { chainPrints } from "./chain-prints.query.ts"
import type { PrintsQuery } from "./prints.api.ts"

export const PrintsHandlers = HttpApiBuilder.group(
  Api,
  "prints",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo
    const prints = (lane: Effect.Effect<Lane, Refusal>, query: PrintsQuery) => {
      const request = ask(chainPrints, { ...pageParams(query), min: query.min ?? null })
      return answered(Effect.flatMap(lane, opened => laneResponse(version, opened, request)))
    }
    return handlers
      .handle("arcPrints", ({ query }) => prints(ownLane(lanes, "arc"), query))
      .handle("rhPrints", ({ query }) => prints(ownLane(lanes, "rh"), query))
      .handle("chainPrints", ({ params, query }) =>
        prints(chainKeyedLane(lanes, params.chain), query)
      )
  })
)
