import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import { answered, keptFor, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { firstThatKnows } from "../first-that-knows.ts"
import { accountOn, PLAIN_ADDRESS, servedLane, tokenOn } from "../served-lane.ts"
import { naming } from "../unknown-token.ts"
import { tokenList } from "./token-list.query.ts"
import { tokenTrades } from "./token-trades.query.ts"
import {
  CURATED_DEFAULT,
  type ListQuery,
  TOKENS_DEFAULT,
  TRADES_DEFAULT,
  type TradesQuery
} from "./tokens.api.ts"

/** Seconds that a reader may keep a curated list (spec, part 8). */
const CURATED_SECONDS = 3600

const WALLET = { name: "wallet", code: "INVALID_PARAMS" } as const

const tradesRequest = (token: string, wallet: string | null, query: TradesQuery) =>
  ask(tokenTrades, {
    token,
    side: query.side ?? null,
    dex: query.dex ?? null,
    min: query.min ?? null,
    wallet,
    limit: query.limit ?? TRADES_DEFAULT,
    page: query.page ?? 1,
    asOf: query.asOf ?? null
  })

export const TokensHandlers = HttpApiBuilder.group(
  Api,
  "tokens",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo

    const listTokens = Effect.fnUntraced(function* (query: ListQuery) {
      const lane = yield* servedLane(lanes, query.chain)
      const includeUnlisted = query.includeUnlisted === "1"
      const isCurated = lane.config.curation !== undefined && !includeUnlisted
      const limit = query.limit ?? (isCurated ? CURATED_DEFAULT : TOKENS_DEFAULT)
      const request = ask(tokenList, { limit, includeUnlisted })
      const response = yield* laneResponse(version, lane, request)
      return isCurated ? keptFor(response, CURATED_SECONDS) : response
    })

    const getTokenTrades = Effect.fnUntraced(function* (address: string, query: TradesQuery) {
      const ask = (lane: Lane) =>
        Effect.gen(function* () {
          const token = yield* tokenOn(lane, address, PLAIN_ADDRESS)
          const { wallet: text } = query
          const wallet = text === undefined ? null : yield* accountOn(lane, text, WALLET)
          return yield* laneResponse(version, lane, tradesRequest(token, wallet, query))
        })
      if (query.chain === undefined) return yield* firstThatKnows(lanes.all, address, ask)
      const lane = yield* servedLane(lanes, query.chain)
      const token = yield* tokenOn(lane, address, PLAIN_ADDRESS)
      return yield* naming(ask(lane), lanes, lane, token)
    })

    return handlers
      .handle("listTokens", ({ query }) => answered(listTokens(query)))
      .handle("getTokenTrades", ({ params, query }) =>
        answered(getTokenTrades(params.address, query))
      )
  })
)
