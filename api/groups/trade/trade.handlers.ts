import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { simulateSwap, swapInput } from "../../../engine/trade/simulate.ts"
import { finderOf } from "../../../engine/trade/token-slots.ts"
import { Trade, type TradeSite } from "../../../engine/trade/trade.ts"
import { parseAddress } from "../../../src/domain/address.ts"
import { answered, freshText } from "../../answering.ts"
import { Api } from "../../api.ts"
import { Refusal } from "../../errors.ts"
import { quoteStatus } from "../quote-status.ts"
import { tradedLane } from "../served-lane.ts"
import { refuseRecipient, swapOf } from "./build.ts"
import { echoedQuote } from "./echoed-quote.ts"
import { Gates } from "./gates.ts"
import { askedOf, nowSeconds, ownQuote, refuseOld, unavailable } from "./own-quote.ts"
import type { Quote, QuoteQuery } from "./quote.api.ts"
import { Seal } from "./quote-seal.ts"
import type { CalldataQuery, SimulateBody, Simulation, SwapBody } from "./swap.api.ts"

type Hex = `0x${string}`

const TYPE = "application/json"

const refuse = (status: number, code: string, message: string) =>
  new Refusal({ status, code, message })

const invalid = (message: string) => refuse(400, "INVALID_PARAMS", message)

const json = (value: unknown) => freshText(JSON.stringify(value), TYPE)

/** An answer that tells of a position of a lane's log. */
const jsonOf = (lane: Lane, value: unknown, seq: number) =>
  freshText(JSON.stringify(value), TYPE, { seq, log: lane.log() })

/** What a transaction would do now, by the chain's node. */
const simulated = ({ node, router }: TradeSite, body: SimulateBody) =>
  Effect.gen(function* () {
    if (node === null) {
      const message = `chain ${body.chainId} has no node to ask: set RPC_${body.chainId}`
      return yield* refuse(503, "TRADE_UNAVAILABLE", message)
    }
    if (router === null || parseAddress(body.to) !== router) {
      return yield* invalid(`to must be the router contract${router === null ? "" : ` ${router}`}`)
    }
    const call = {
      from: parseAddress(body.from) as string as Hex,
      ...{ to: router, data: body.data as Hex, value: BigInt(body.value ?? "0") },
      ...(body.gas === undefined ? {} : { gas: BigInt(body.gas) })
    }
    const input = swapInput(call.data)
    if (input === null) return yield* invalid("data must be the data of a built swap")
    const finder = body.assumeFunded === true ? finderOf(node) : null
    const outcome = yield* Effect.mapError(simulateSwap(node, call, input, finder), error =>
      refuse(503, "TRADE_UNAVAILABLE", error.message)
    )
    const { ok, assumed } = outcome
    const told: Simulation = ok
      ? { ok, outputAmount: String(outcome.amountOut), revert: null, cause: null, assumed }
      : { ok, outputAmount: null, revert: outcome.revert, cause: outcome.cause, assumed }
    return told
  })

export const TradeHandlers = HttpApiBuilder.group(
  Api,
  "trade",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const trade = yield* Trade
    const seal = yield* Seal
    const gates = yield* Gates
    const quote = Effect.fnUntraced(function* (query: QuoteQuery) {
      const lane = yield* tradedLane(lanes, query.chain)
      const { key } = lane.config
      const asked = yield* askedOf(lane, query, trade.site(key))
      const answer = yield* Effect.mapError(
        ownQuote(lane, asked, { trade, gates, seal }),
        unavailable
      )
      return { lane, answer }
    })
    const swap = Effect.fnUntraced(function* (body: SwapBody) {
      const { taker, recipient, permit2, ...quote } = body
      const sealed = yield* echoedQuote<Quote>(seal, "quote", quote, yield* nowSeconds)
      const lane = yield* tradedLane(lanes, String(sealed.chain))
      yield* refuseOld(trade, lane, sealed)
      const site = trade.site(lane.config.key)
      yield* refuseRecipient(site, body)
      return yield* swapOf(sealed, site, { taker, recipient, permit2 })
    })
    const calldata = Effect.fnUntraced(function* (query: CalldataQuery) {
      const { taker, recipient, ...asked } = query
      const { lane, answer } = yield* quote(asked)
      const whose = { taker, recipient, permit2: undefined }
      const site = trade.site(lane.config.key)
      yield* refuseRecipient(site, query)
      yield* refuseOld(trade, lane, answer)
      const swap = yield* swapOf(answer, site, whose)
      return { lane, built: { quote: answer, swap } }
    })
    const simulate = Effect.fnUntraced(function* (body: SimulateBody) {
      const lane = yield* tradedLane(lanes, String(body.chainId))
      const told = yield* simulated(trade.site(lane.config.key), body)
      if (told.cause !== "price-moved") return told
      // a new quote is of no use while quotes are of an old block
      const { state, problem } = yield* quoteStatus(trade, lane)
      if (state === "live" || problem === null) return told
      return { ...told, revert: `${told.revert} once quotes are of the newest block: ${problem}` }
    })
    return handlers
      .handle("getQuote", ({ query }) =>
        answered(Effect.map(quote(query), ({ lane, answer }) => jsonOf(lane, answer, answer.seq)))
      )
      .handle("postSwap", ({ payload }) =>
        answered(Effect.map(swap(payload), built => json(built)))
      )
      .handle("getCalldata", ({ query }) =>
        answered(
          Effect.map(calldata(query), ({ lane, built }) => jsonOf(lane, built, built.quote.seq))
        )
      )
      .handle("postSimulate", ({ payload }) =>
        answered(Effect.map(simulate(payload), outcome => json(outcome)))
      )
  })
)
