import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import type { QueryRequest } from "../../../engine/question.ts"
import { chainTrades } from "../../../projections/tape/queries.ts"
import { answered, freshJson, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { tokenOn } from "../served-lane.ts"
import { chainKeyedLane } from "./chain-family.ts"
import { CHAIN_TRADES_DEFAULT, type ChainTradesQuery } from "./chains.api.ts"
import { directory } from "./directory.ts"

/** Returns a cursor's parts: block and log index are null for a Unix second, all for no cursor. */
const cursorOf = (before: string | undefined) => {
  const [ts, block, logIndex] = before === undefined ? [] : before.split(":").map(Number)
  return {
    beforeTs: ts ?? null,
    beforeBlock: block ?? null,
    beforeLogIndex: logIndex ?? null
  }
}

/** Returns the query parameters of a tape's page: its size and its cursor. */
export const pageParams = ({ limit, before }: ChainTradesQuery) => ({
  limit: limit ?? CHAIN_TRADES_DEFAULT,
  ...cursorOf(before)
})

/** Returns the request of a page of a token's tape. */
export const tapeRequest = (token: string, query: ChainTradesQuery): QueryRequest =>
  ask(chainTrades, { token, ...pageParams(query) })

export const ChainsHandlers = HttpApiBuilder.group(
  Api,
  "chains",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo

    const getChainTrades = Effect.fnUntraced(function* (
      chain: string,
      address: string,
      query: ChainTradesQuery
    ) {
      const lane = yield* chainKeyedLane(lanes, chain)
      const token = yield* tokenOn(lane, address)
      return yield* laneResponse(version, lane, tapeRequest(token, query))
    })
    return handlers
      .handle("listChains", () => Effect.sync(() => freshJson(version, directory(lanes.all))))
      .handle("getChainTrades", ({ params, query }) =>
        answered(getChainTrades(params.chain, params.address, query))
      )
  })
)
