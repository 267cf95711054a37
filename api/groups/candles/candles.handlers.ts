import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import type { QueryRequest } from "../../../engine/question.ts"
import { candleProof } from "../../../projections/candles/proof.ts"
import { candlesQuery } from "../../../projections/candles/queries.ts"
import { answered, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { Refusal } from "../../errors.ts"
import { servedLane, tokenOn } from "../served-lane.ts"
import { naming } from "../unknown-token.ts"
import { CANDLES_DEFAULT, PROOF_DEFAULT } from "./candle-parameters.ts"
import type { CandlesQuery, ProofQuery } from "./candles.api.ts"

/** Returns the lane's request for candles; a null token means the pool's base token. */
export const candlesRequest = (token: string | null, query: CandlesQuery): QueryRequest =>
  ask(candlesQuery, {
    token,
    pool: query.pool?.toLowerCase() ?? null,
    tf: query.tf ?? "1h",
    from: query.from ?? null,
    to: query.to ?? null,
    limit: query.limit ?? CANDLES_DEFAULT,
    fill: query.fill === "1",
    closed: query.closed === "1",
    quote: query.quote ?? "usd",
    raw: query.raw === "1",
    fields: query.fields ?? ""
  })

const proofRequest = (token: string | null, query: ProofQuery): QueryRequest => {
  const [block, logIndex] = query.after?.split(":").map(Number) ?? []
  return ask(candleProof, {
    token,
    pool: query.pool?.toLowerCase() ?? null,
    tf: query.tf ?? "1h",
    t: query.t,
    quote: query.quote ?? "usd",
    limit: query.limit ?? PROOF_DEFAULT,
    afterBlock: block ?? null,
    afterLogIndex: logIndex ?? null
  })
}

const refused = (message: string) =>
  Effect.fail(new Refusal({ status: 400, code: "INVALID_PARAMS", message }))

/** Returns the token; null for a pool without a token. Refuses (400) a request with neither. */
const tokenOf = (lane: Lane, { token, pool, quote = "usd" }: CandlesQuery | ProofQuery) => {
  if (pool !== undefined) return Effect.succeed(token === undefined ? null : tokenOn(lane, token))
  if (token === undefined) return refused("token is required: 0x and 40 hex digits")
  if (quote === "token") return refused('quote must be usd or mcap without pool, got "token"')
  return Effect.succeed(tokenOn(lane, token))
}

export const CandlesHandlers = HttpApiBuilder.group(
  Api,
  "candles",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo
    const ask = Effect.fnUntraced(function* <Q extends CandlesQuery | ProofQuery>(
      query: Q,
      request: (token: string | null, query: Q) => QueryRequest
    ) {
      const lane = yield* servedLane(lanes, query.chain)
      const token = yield* tokenOf(lane, query)
      const response = laneResponse(version, lane, request(token, query))
      return yield* token === null ? response : naming(response, lanes, lane, token)
    })
    return handlers
      .handle("getCandles", ({ query }) => answered(ask(query, candlesRequest)))
      .handle("getCandleProof", ({ query }) => answered(ask(query, proofRequest)))
  })
)
