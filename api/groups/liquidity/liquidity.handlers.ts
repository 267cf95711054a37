import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import type { QueryRequest } from "../../../engine/question.ts"
import { answered, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import type { Refusal } from "../../errors.ts"
import { solanaLane } from "../boards/own-lane.ts"
import { pageParams } from "../chains/chains.handlers.ts"
import { accountOr } from "../solana-account.ts"
import { type EventsQuery, LIQUIDITY_LIMIT, type PositionsQuery } from "./liquidity.api.ts"
import { liquidityEvents } from "./liquidity-events.query.ts"
import { liquidityPools } from "./liquidity-pools.query.ts"
import { liquidityPositions, liquidityWallets } from "./liquidity-positions.query.ts"

/** Returns the account that a parameter names; null where it is left out. */
const accountIn = (
  name: string,
  text: string | undefined
): Effect.Effect<string | null, Refusal> =>
  text === undefined ? Effect.succeed(null) : accountOr(name, text)

const eventsRequest = (query: EventsQuery) =>
  Effect.gen(function* () {
    const pool = yield* accountIn("pool", query.pool)
    const wallet = yield* accountIn("wallet", query.wallet)
    const token = yield* accountIn("token", query.token)
    const { limit = LIQUIDITY_LIMIT } = query
    return ask(liquidityEvents, { ...pageParams(query), limit, pool, wallet, token })
  })

const positionsRequest = (query: PositionsQuery) =>
  Effect.gen(function* () {
    const pool = yield* accountIn("pool", query.pool)
    const wallet = yield* accountIn("wallet", query.wallet)
    const { limit = LIQUIDITY_LIMIT, offset = 0 } = query
    return ask(liquidityPositions, { pool, wallet, limit, offset })
  })

export const LiquidityHandlers = HttpApiBuilder.group(
  Api,
  "liquidity",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo
    const answer = (request: Effect.Effect<QueryRequest, Refusal>) =>
      answered(
        Effect.gen(function* () {
          const wanted = yield* request
          return yield* laneResponse(version, yield* solanaLane(lanes), wanted)
        })
      )
    return handlers
      .handle("solanaLiquidityPools", ({ query }) => {
        const { sort = "depth", limit = LIQUIDITY_LIMIT, offset = 0, asOf = null } = query
        return answer(Effect.succeed(ask(liquidityPools, { sort, limit, offset, asOf })))
      })
      .handle("solanaLiquidityEvents", ({ query }) => answer(eventsRequest(query)))
      .handle("solanaLiquidityPositions", ({ query }) => answer(positionsRequest(query)))
      .handle("solanaLiquidityWallets", ({ query: { limit = LIQUIDITY_LIMIT, offset = 0 } }) =>
        answer(Effect.succeed(ask(liquidityWallets, { limit, offset })))
      )
  })
)
