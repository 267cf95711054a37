import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import type { QueryRequest } from "../../../engine/question.ts"
import { answered, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { candlesRequest } from "../candles/candles.handlers.ts"
import { firstThatKnows } from "../first-that-knows.ts"
import { PLAIN_ADDRESS, servedLane, tokenOn } from "../served-lane.ts"
import { SEARCH_LIMIT } from "../token-pages/payloads.ts"
import { tokenSearch } from "../token-pages/token-search.query.ts"
import { naming } from "../unknown-token.ts"
import { priceMap } from "./price-map.query.ts"
import {
  type ChartQuery,
  type FindQuery,
  MARKET_LIMIT,
  type MarketQuery
} from "./token-stats.api.ts"
import { tokenStats } from "./token-stats.query.ts"

/** Seconds for which the previous answer may be served while a new one is computed (spec 4.5). */
const STATS_STALE_SECONDS = 1

export const TokenStatsHandlers = HttpApiBuilder.group(
  Api,
  "tokenStats",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo

    /** Queries the named chain or, where none is named, the first that knows the token. */
    const ofToken = Effect.fnUntraced(function* (
      address: string,
      chain: string | undefined,
      request: (token: string) => QueryRequest,
      staleSeconds = 0
    ) {
      const ask = (lane: Lane) =>
        Effect.flatMap(tokenOn(lane, address, PLAIN_ADDRESS), token =>
          laneResponse(version, lane, request(token), staleSeconds)
        )
      if (chain === undefined) return yield* firstThatKnows(lanes.all, address, ask)
      const lane = yield* servedLane(lanes, chain)
      const token = yield* tokenOn(lane, address, PLAIN_ADDRESS)
      return yield* naming(ask(lane), lanes, lane, token)
    })
    const ofChain = Effect.fnUntraced(function* (chain: string | undefined, request: QueryRequest) {
      const lane = yield* servedLane(lanes, chain)
      return yield* laneResponse(version, lane, request)
    })
    const market = ({ chain, limit }: MarketQuery) =>
      ofChain(chain, ask(priceMap, { limit: limit ?? MARKET_LIMIT }))
    const search = ({ chain, q, limit }: FindQuery) =>
      ofChain(chain, ask(tokenSearch, { q, limit: limit ?? SEARCH_LIMIT }))
    const chart = (address: string, { chain, ...query }: ChartQuery) =>
      ofToken(address, chain, token => candlesRequest({ token, pool: null }, query))

    return handlers
      .handle("getTokenStats", ({ params, query }) =>
        answered(
          ofToken(
            params.address,
            query.chain,
            token => ask(tokenStats, { token }),
            STATS_STALE_SECONDS
          )
        )
      )
      .handle("getMarket", ({ query }) => answered(market(query)))
      .handle("searchTokens", ({ query }) => answered(search(query)))
      .handle("getTokenChart", ({ params, query }) => answered(chart(params.address, query)))
  })
)
