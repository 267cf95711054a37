import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import type { QueryRequest } from "../../../engine/question.ts"
import { answered, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import type { Refusal } from "../../errors.ts"
import { ownLane } from "../boards/own-lane.ts"
import { chainKeyedLane } from "../chains/chain-family.ts"
import type { ChainTradesQuery } from "../chains/chains.api.ts"
import { tapeRequest } from "../chains/chains.handlers.ts"
import { tokenOn } from "../served-lane.ts"
import { attention, trending } from "./movers.query.ts"
import {
  MOVERS_LIMIT,
  POOLS_LIMIT,
  type PoolsQuery,
  SEARCH_LIMIT,
  type SearchQuery
} from "./payloads.ts"
import { tokenPage } from "./token-page.query.ts"
import { tokenPools } from "./token-pools.query.ts"
import { tokenSearch } from "./token-search.query.ts"

interface MoversQuery {
  readonly limit?: number
}

export const TokenPagesHandlers = HttpApiBuilder.group(
  Api,
  "tokenPages",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo

    /** Returns the handlers of the routes over one lane. */
    const routesOf = (lane: Effect.Effect<Lane, Refusal>) => {
      const request = (on: (lane: Lane) => QueryRequest) =>
        answered(Effect.flatMap(lane, pageLane => laneResponse(version, pageLane, on(pageLane))))
      const ofToken = (address: string, on: (token: string) => QueryRequest) =>
        answered(
          Effect.gen(function* () {
            const opened = yield* lane
            return yield* laneResponse(version, opened, on(yield* tokenOn(opened, address)))
          })
        )
      return {
        page: (address: string) => ofToken(address, token => ask(tokenPage, { token })),
        pools: (address: string, query: PoolsQuery) =>
          ofToken(address, token =>
            ask(tokenPools, {
              token,
              limit: query.limit ?? POOLS_LIMIT,
              offset: query.offset ?? 0,
              asOf: query.asOf ?? null
            })
          ),
        trades: (address: string, query: ChainTradesQuery) =>
          ofToken(address, token => tapeRequest(token, query)),
        search: (query: SearchQuery) =>
          request(() => ask(tokenSearch, { q: query.q, limit: query.limit ?? SEARCH_LIMIT })),
        trending: ({ limit = MOVERS_LIMIT }: MoversQuery) =>
          request(() => ask(trending, { limit })),
        attention: ({ limit = MOVERS_LIMIT }: MoversQuery) =>
          request(() => ask(attention, { limit }))
      }
    }
    const arc = routesOf(ownLane(lanes, "arc"))
    const rh = routesOf(ownLane(lanes, "rh"))
    const keyed = (chain: string) => routesOf(chainKeyedLane(lanes, chain))

    return handlers
      .handle("arcTokenPage", ({ params }) => arc.page(params.address))
      .handle("arcTokenPools", ({ params, query }) => arc.pools(params.address, query))
      .handle("arcTokenTrades", ({ params, query }) => arc.trades(params.address, query))
      .handle("arcTokenSearch", ({ query }) => arc.search(query))
      .handle("arcTrending", ({ query }) => arc.trending(query))
      .handle("arcAttention", ({ query }) => arc.attention(query))
      .handle("rhTokenPage", ({ params }) => rh.page(params.address))
      .handle("rhTokenPools", ({ params, query }) => rh.pools(params.address, query))
      .handle("rhTokenTrades", ({ params, query }) => rh.trades(params.address, query))
      .handle("rhTokenSearch", ({ query }) => rh.search(query))
      .handle("rhTrending", ({ query }) => rh.trending(query))
      .handle("rhAttention", ({ query }) => rh.attention(query))
      .handle("chainTokenPage", ({ params }) => keyed(params.chain).page(params.address))
      .handle("chainTokenPools", ({ params, query }) =>
        keyed(params.chain).pools(params.address, query)
      )
      .handle("chainTokenSearch", ({ params, query }) => keyed(params.chain).search(query))
      .handle("chainTrending", ({ params, query }) => keyed(params.chain).trending(query))
      .handle("chainAttention", ({ params, query }) => keyed(params.chain).attention(query))
  })
)
