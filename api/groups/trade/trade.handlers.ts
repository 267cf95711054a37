import { randomBytes } from "node:crypto"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import type { ChainNode } from "../../../engine/trade/chain-node.ts"
import { simulateSwap, swapInput } from "../../../engine/trade/simulate.ts"
import { SlotFinder } from "../../../engine/trade/token-slots.ts"
import { Trade, type TradeSite, type TradeUnavailable } from "../../../engine/trade/trade.ts"
import { parseAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts"
import { answered, freshText } from "../../answering.ts"
import { Api } from "../../api.ts"
import { Refusal } from "../../errors.ts"
import { quotesLag } from "../quote-status.ts"
import { servedLane } from "../served-lane.ts"
import { swapOf } from "./build.ts"
import { gatedQuote } from "./gated-quote.ts"
import { TradeGates } from "./gates.ts"
import { type Quote, type QuoteQuery, SLIPPAGE_BPS } from "./quote.api.ts"
import { type Asked, quoteAnswer } from "./quote-answer.ts"
import { type JsonObject, QuoteSeal } from "./quote-seal.ts"
import type { CalldataQuery, SimulateBody, Simulation, SwapBody } from "./swap.api.ts"

type Hex = `0x${string}`

const TYPE = "application/json"
const MAX_AMOUNT = (1n << 256n) - 1n

const refuse = (status: number, code: string, message: string) =>
  new Refusal({ status, code, message })

const invalid = (message: string) => refuse(400, "INVALID_PARAMS", message)

/** A token as the router knows it: on Arc the native unit is its predeploy. */
const routedToken = ({ config }: Lane, text: string): string => {
  const token = parseAddress(text) ?? ZERO_ADDRESS
  const hasWrapped = config.anchors.some(({ kind }) => kind === "native")
  return token === ZERO_ADDRESS && !hasWrapped ? (config.nativeToken ?? token) : token
}

/** How each reason for which the router does not answer is told. */
const UNAVAILABLE = {
  starting: { status: 503, code: "NOT_READY" },
  lost: { status: 502, code: "ENGINE_ERROR" },
  off: { status: 503, code: "NOT_ENABLED" }
} as const

const unavailable = ({ reason, message }: TradeUnavailable): Refusal =>
  new Refusal({ ...UNAVAILABLE[reason], message })

/** What a request asks of the router. */
const askedOf = (lane: Lane, query: QuoteQuery, site: TradeSite) =>
  Effect.gen(function* () {
    const { maxHops = 2, fast, swapMode, slippageBps = SLIPPAGE_BPS.default } = query
    const [tokenIn, tokenOut] = [
      routedToken(lane, query.inputMint),
      routedToken(lane, query.outputMint)
    ]
    if (tokenIn === tokenOut) {
      return yield* invalid("outputMint must be another token than inputMint")
    }
    if (query.only !== undefined) {
      return yield* invalid("only needs an X-API-Key, and this deployment gives none out")
    }
    const amount = BigInt(query.amount)
    if (amount > MAX_AMOUNT) return yield* invalid("amount must be below 2^256")
    const gasPrice = site.node === null ? null : yield* site.node.gasPrice
    const isFast = fast === "1"
    const asked: Asked = {
      chain: lane.config.id,
      order: {
        ...{ tokenIn, tokenOut, amount, gasPrice, onlyDex: null, suspects: [], taxed: [] },
        exact: swapMode === "ExactOut" ? "out" : "in",
        maxHops: isFast ? 1 : (maxHops as 1 | 2 | 3)
      },
      ...{ slippageBps, isFast, isExplained: query.why === "1", router: site.router },
      lag: block => quotesLag(lane, block)
    }
    return asked
  })

/** Checks an echoed quote; fails where it cannot be built from. */
const echoed = (seal: QuoteSeal, body: SwapBody, now: number) =>
  Effect.gen(function* () {
    const { taker: _, recipient: __, permit2: ___, ...quote } = body
    const check = seal.check(quote as JsonObject)
    if (!check.ok) {
      const message = "the quote is not as it was given here: echo it unedited, or quote again"
      return yield* refuse(400, "ROUTE_MISMATCH", message)
    }
    const { slippageBps = check.slippageBps } = quote
    if (slippageBps !== check.slippageBps) {
      const message = `slippageBps is ${slippageBps}, but the quote was given for ${check.slippageBps}`
      return yield* refuse(400, "SLIPPAGE_MISMATCH", message)
    }
    const sealed = { ...quote, slippageBps } as unknown as Quote
    if (sealed.expiresAt < now) {
      const message = `the quote was good until ${sealed.expiresAt}, and it is ${now}: quote again`
      return yield* refuse(400, "QUOTE_EXPIRED", message)
    }
    return sealed
  })

const nowSeconds = Effect.map(Clock.currentTimeMillis, ms => Math.floor(ms / 1000))

const json = (value: unknown) => freshText(JSON.stringify(value), TYPE)

/** An answer that tells of a position of a lane's log. */
const jsonOf = (lane: Lane, value: unknown, seq: number) =>
  freshText(JSON.stringify(value), TYPE, { seq, log: lane.log() })

/** What a transaction would do now, by the chain's node. */
const simulated = (
  { node, router }: TradeSite,
  body: SimulateBody,
  finderOf: (node: ChainNode) => SlotFinder
) =>
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
      ...{ to: router, data: body.data as Hex, value: BigInt(body.value ?? "0") }
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
    const seal = new QuoteSeal(randomBytes(32))
    const gates = new TradeGates()
    const finders = new WeakMap<ChainNode, SlotFinder>()
    const finderOf = (node: ChainNode): SlotFinder => {
      const finder = finders.get(node) ?? new SlotFinder(node)
      finders.set(node, finder)
      return finder
    }
    const quote = Effect.fnUntraced(function* (query: QuoteQuery) {
      const lane = yield* servedLane(lanes, query.chain)
      const { key } = lane.config
      const asked = yield* askedOf(lane, query, trade.site(key))
      const began = performance.now()
      const found = yield* Effect.mapError(
        gatedQuote(trade, gates, lane, asked.order, asked.isFast),
        unavailable
      )
      const moment = { now: yield* nowSeconds, took: performance.now() - began }
      return { lane, answer: quoteAnswer(found, asked, moment, seal) }
    })
    const swap = Effect.fnUntraced(function* (body: SwapBody) {
      const sealed = yield* echoed(seal, body, yield* nowSeconds)
      const lane = yield* servedLane(lanes, String(sealed.chain))
      const isUndone = trade.undone(lane.config.key, sealed.seq)
      if (yield* Effect.mapError(isUndone, unavailable)) {
        const message = `the chain undid block ${sealed.blockNumber} of the quote: quote again`
        return yield* refuse(400, "QUOTE_EXPIRED", message)
      }
      const { taker, recipient, permit2 } = body
      const site = trade.site(lane.config.key)
      return yield* swapOf(lane, sealed, site, { taker, recipient, permit2 })
    })
    const calldata = Effect.fnUntraced(function* (query: CalldataQuery) {
      const { taker, recipient, ...asked } = query
      const { lane, answer } = yield* quote(asked)
      const whose = { taker, recipient, permit2: undefined }
      const swap = yield* swapOf(lane, answer, trade.site(lane.config.key), whose)
      return { lane, built: { quote: answer, swap } }
    })
    const simulate = Effect.fnUntraced(function* (body: SimulateBody) {
      const lane = yield* servedLane(lanes, String(body.chainId))
      return yield* simulated(trade.site(lane.config.key), body, finderOf)
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
