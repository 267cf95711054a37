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
import { pageParams } from "../chains/chains.handlers.ts"
import { accountOn, tokenOn } from "../served-lane.ts"
import { type EventsQuery, LIQUIDITY_LIMIT, type PositionsQuery } from "./liquidity.api.ts"
import { liquidityEvents } from "./liquidity-events.query.ts"
import { liquidityPools } from "./liquidity-pools.query.ts"
import { liquidityPositions, liquidityWallets } from "./liquidity-positions.query.ts"

/** Returns the account that a parameter names, as `read` takes it; null where it is left out. */
const accountIn = (
  lane: Lane,
  name: string,
  text: string | undefined,
  read: typeof accountOn = accountOn
): Effect.Effect<string | null, Refusal> =>
  text === undefined ? Effect.succeed(null) : read(lane, text, { name, code: "BAD_ADDRESS" })

const eventsRequest = (lane: Lane, query: EventsQuery) =>
  Effect.gen(function* () {
    const pool = yield* accountIn(lane, "pool", query.pool)
    const wallet = yield* accountIn(lane, "wallet", query.wallet)
    const token = yield* accountIn(lane, "token", query.token, tokenOn)
    const { limit = LIQUIDITY_LIMIT } = query
    return ask(liquidityEvents, { ...pageParams(query), limit, pool, wallet, token })
  })

const positionsRequest = (lane: Lane, query: PositionsQuery) =>
  Effect.gen(function* () {
    const pool = yield* accountIn(lane, "pool", query.pool)
    const wallet = yield* accountIn(lane, "wallet", query.wallet)
    const { limit = LIQUIDITY_LIMIT, offset = 0 } = query
    return ask(liquidityPositions, { pool, wallet, limit, offset })
  })

export const LiquidityHandlers = HttpApiBuilder.group(
  Api,
  "liquidity",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo
    const answer = (request: (lane: Lane) => Effect.Effect<QueryRequest, Refusal>) =>
      answered(
        Effect.gen(function* () {
          const lane = yield* ownLane(lanes, "solana")
          return yield* laneResponse(version, lane, yield* request(lane))
        })
      )
    return handlers
      .handle("solanaLiquidityPools", ({ query }) => {
        const { sort = "depth", limit = LIQUIDITY_LIMIT, offset = 0, asOf = null } = query
        return answer(() => Effect.succeed(ask(liquidityPools, { sort, limit, offset, asOf })))
      })
      .handle("solanaLiquidityEvents", ({ query }) => answer(lane => eventsRequest(lane, query)))
      .handle("solanaLiquidityPositions", ({ query }) =>
        answer(lane => positionsRequest(lane, query))
      )
      .handle("solanaLiquidityWallets", ({ query: { limit = LIQUIDITY_LIMIT, offset = 0 } }) =>
        answer(() => Effect.succeed(ask(liquidityWallets, { limit, offset })))
      )
  })
)
