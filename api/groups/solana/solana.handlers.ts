import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import { answered, keptFor, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import type { Refusal } from "../../errors.ts"
import { ownLane } from "../boards/own-lane.ts"
import { candlesRequest } from "../candles/candles.handlers.ts"
import { tokenOn } from "../served-lane.ts"
import { SEARCH_LIMIT } from "../token-pages/payloads.ts"
import { tokenSearch } from "../token-pages/token-search.query.ts"
import { naming } from "../unknown-token.ts"
import { solanaOverview } from "./overview.query.ts"
import type { CandlesOfToken } from "./solana.api.ts"
import { statusResponse } from "./status.ts"

/** Seconds that a reader may keep the totals (spec, part 8). */
const OVERVIEW_SECONDS = 30

export const SolanaHandlers = HttpApiBuilder.group(
  Api,
  "solana",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version, startedAtMs } = yield* EngineInfo
    const clock = yield* Clock.Clock
    const lane: Effect.Effect<Lane, Refusal> = ownLane(lanes, "solana")

    const overview = Effect.flatMap(lane, solanaLane =>
      Effect.map(laneResponse(version, solanaLane, ask(solanaOverview, {})), response =>
        keptFor(response, OVERVIEW_SECONDS)
      )
    )
    const status = Effect.flatMap(lane, solanaLane =>
      statusResponse(solanaLane, {
        isPublic: lanes.isPublic(solanaLane),
        startedAtMs,
        nowSeconds: clock.currentTimeMillisUnsafe() / 1000
      })
    )
    const candles = Effect.fnUntraced(function* (address: string, query: CandlesOfToken) {
      const opened = yield* lane
      const token = yield* tokenOn(opened, address)
      const request = candlesRequest({ token, pool: null }, query)
      return yield* naming(laneResponse(version, opened, request), lanes, opened, token)
    })

    return handlers
      .handle("solanaOverview", () => answered(overview))
      .handle("solanaStatus", () => answered(status))
      .handle("solanaSearch", ({ query: { q, limit = SEARCH_LIMIT } }) =>
        answered(
          Effect.flatMap(lane, solanaLane =>
            laneResponse(version, solanaLane, ask(tokenSearch, { q, limit }))
          )
        )
      )
      .handle("solanaCandles", ({ params, query }) => answered(candles(params.address, query)))
  })
)
