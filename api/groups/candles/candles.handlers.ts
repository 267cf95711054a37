import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import type { QueryRequest } from "../../../engine/question.ts"
import { candleProof } from "../../../projections/candles/proof.ts"
import { candlesQuery } from "../../../projections/candles/queries.ts"
import { idsOf } from "../../../src/domain/ids.ts"
import { answered, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { Refusal } from "../../errors.ts"
import { poolOn, servedLane, TOKEN, tokenOn } from "../served-lane.ts"
import { naming } from "../unknown-token.ts"
import { CANDLES_DEFAULT, PROOF_DEFAULT } from "./candle-parameters.ts"
import type { CandlesQuery, ProofQuery } from "./candles.api.ts"

/** What candles are of; a null token means the pool's base token. */
interface Of {
  readonly token: string | null
  readonly pool: string | null
}

/** Returns the lane's request for candles. */
export const candlesRequest = (of: Of, query: CandlesQuery): QueryRequest =>
  ask(candlesQuery, {
    ...of,
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

const proofRequest = (of: Of, query: ProofQuery): QueryRequest => {
  const [block, logIndex] = query.after?.split(":").map(Number) ?? []
  return ask(candleProof, {
    ...of,
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

/** Returns what a query names. Refuses (400) one with neither token nor pool. */
const subjectIn = (
  lane: Lane,
  { token, pool, quote = "usd" }: CandlesQuery | ProofQuery
): Effect.Effect<Of, Refusal> =>
  Effect.gen(function* () {
    if (pool === undefined) {
      const { accountText } = idsOf(lane.config)
      if (token === undefined) return yield* refused(`token is required: ${accountText}`)
      if (quote === "token")
        return yield* refused('quote must be usd or mcap without pool, got "token"')
    }
    return {
      token: token === undefined ? null : yield* tokenOn(lane, token, TOKEN),
      pool: pool === undefined ? null : yield* poolOn(lane, pool)
    }
  })

export const CandlesHandlers = HttpApiBuilder.group(
  Api,
  "candles",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo
    const ask = Effect.fnUntraced(function* <Q extends CandlesQuery | ProofQuery>(
      query: Q,
      request: (of: Of, query: Q) => QueryRequest
    ) {
      const lane = yield* servedLane(lanes, query.chain)
      const subject = yield* subjectIn(lane, query)
      const response = laneResponse(version, lane, request(subject, query))
      return yield* subject.token === null ? response : naming(response, lanes, lane, subject.token)
    })
    return handlers
      .handle("getCandles", ({ query }) => answered(ask(query, candlesRequest)))
      .handle("getCandleProof", ({ query }) => answered(ask(query, proofRequest)))
  })
)
