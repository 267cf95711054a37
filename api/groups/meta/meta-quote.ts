/** A quote of the router, or of the first aggregator that has one where it has none. */
import { Clock, Effect, Result } from "effect"
import type { Lane } from "../../../engine/lane/lanes.ts"
import type { Meta } from "../../../engine/trade/meta/meta.ts"
import type { Found } from "../../../engine/trade/meta/meta-desk.ts"
import type { ProviderOrder, ProviderQuote } from "../../../engine/trade/meta/protocol/provider.ts"
import { isUnsafe } from "../../../engine/trade/no-route.ts"
import type { TradeUnavailable } from "../../../engine/trade/trade.ts"
import { parseAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts"
import { wrappedNativeOf } from "../../../src/domain/chain.ts"
import { historyEnd } from "../quote-status.ts"
import { LIFE_SECONDS } from "../trade/echoed-quote.ts"
import {
  askedOf,
  nowSeconds,
  ownQuote,
  type QuoteServices,
  unavailable
} from "../trade/own-quote.ts"
import type { Quote } from "../trade/quote.api.ts"
import { type Asked as AskedOrder, thresholdOf } from "../trade/quote-answer.ts"
import type { JsonObject, QuoteSeal } from "../trade/quote-seal.ts"
import { type Asked, type MetaQuote, type MetaQuoteQuery, OWN } from "./meta-quote.api.ts"
import { askedOfTrail, ownPassed, ownUsed, passedOver } from "./reasons.ts"

type Hex = `0x${string}`

export interface MetaServices extends QuoteServices {
  readonly meta: Meta["Service"]
}

/** A quote, who was asked for it, and the position that it is of where the router answered. */
export interface MetaQuoted {
  readonly quote: MetaQuote
  readonly asked: ReadonlyArray<Asked>
  readonly seq: number | undefined
}

type Unsealed = Omit<MetaQuote, "quoteId">

const sealed = (seal: QuoteSeal, quote: Unsealed): MetaQuote => ({
  ...quote,
  quoteId: seal.idOf("meta-quote", quote as unknown as JsonObject & Unsealed)
})

const isNative = (token: string): boolean => token === ZERO_ADDRESS

/** Whether an order only wraps or unwraps the native unit, which no aggregator is asked for. */
const converts = ({ config }: Lane, tokenIn: string, tokenOut: string): boolean =>
  (isNative(tokenIn) && tokenOut === wrappedNativeOf(config)) ||
  (isNative(tokenOut) && tokenIn === wrappedNativeOf(config))

const orderOf = ({ chain, order, slippageBps }: AskedOrder, taker: string | undefined) =>
  ({
    chainId: chain,
    tokenIn: order.tokenIn as Hex,
    tokenOut: order.tokenOut as Hex,
    amountIn: order.amount,
    slippageBps,
    taker: taker === undefined ? null : (parseAddress(taker) as Hex | null),
    gasPrice: order.gasPrice
  }) satisfies ProviderOrder

/** The router's own quote as this answers it, be it that it has no route. */
const ofOwn = (own: Quote, asked: ReadonlyArray<Asked>, router: string | null): Unsealed => ({
  ...{ chain: own.chain, provider: OWN, inputMint: own.inputMint, outputMint: own.outputMint },
  inputAmount: own.inputAmount,
  outputAmount: own.outputAmount,
  otherAmountThreshold: own.otherAmountThreshold,
  slippageBps: own.slippageBps,
  router,
  spender: isNative(own.inputMint) ? null : router,
  gasEstimate: own.gasEstimate,
  quote: own,
  ...(own.noRouteReason === undefined ? {} : { noRouteReason: own.noRouteReason }),
  passedOver: passedOver(asked),
  ...(own.warnings === undefined ? {} : { warnings: own.warnings }),
  expiresAt: own.expiresAt
})

const ofProvider = (
  { provider, answer }: NonNullable<Found<ProviderQuote>["found"]>,
  { chainId, tokenIn, tokenOut, amountIn, slippageBps }: ProviderOrder,
  asked: ReadonlyArray<Asked>,
  now: number
): Unsealed => ({
  ...{ chain: chainId, provider, inputMint: tokenIn, outputMint: tokenOut },
  inputAmount: String(amountIn),
  outputAmount: String(answer.amountOut),
  otherAmountThreshold: String(thresholdOf(answer.amountOut, slippageBps)),
  slippageBps,
  router: answer.router,
  spender: isNative(tokenIn) ? null : answer.spender,
  gasEstimate: answer.gas === null ? null : String(answer.gas),
  quote: null,
  passedOver: passedOver(asked),
  expiresAt: now + LIFE_SECONDS
})

const NOBODY: Found<ProviderQuote> = { found: null, trail: [] }

/** What aggregators say, where they may be asked. */
const askOthers = (lane: Lane, { meta }: MetaServices, order: ProviderOrder) =>
  order.amountIn === 0n ||
  converts(lane, order.tokenIn, order.tokenOut) ||
  historyEnd(lane) !== null
    ? Effect.succeed(NOBODY)
    : meta.quote(lane.config.key, order)

const ownFailure = (own: Result.Result<Quote, TradeUnavailable>, ms: number): Asked =>
  Result.isFailure(own)
    ? ownPassed("router-unavailable", own.failure.message, ms)
    : ownPassed("no-route", own.success.noRouteReason ?? "no route", ms)

/** Quotes a request; fails where the router does not answer and no aggregator has a quote. */
export const metaQuote = (lane: Lane, services: MetaServices, query: MetaQuoteQuery) =>
  Effect.gen(function* () {
    const { trade, seal } = services
    const { key } = lane.config
    const { taker, ...asks } = query
    const site = trade.site(key)
    const asked = yield* askedOf(lane, asks, site)
    const beganMs = yield* Clock.currentTimeMillis
    const own = yield* Effect.result(ownQuote(lane, asked, services))
    const ms = (yield* Clock.currentTimeMillis) - beganMs
    if (Result.isSuccess(own) && own.success.noRouteReason === undefined) {
      const used = [ownUsed(own.success.outputAmount, site.router, ms)]
      const quote = sealed(seal, ofOwn(own.success, used, site.router))
      return { quote, asked: used, seq: own.success.seq } satisfies MetaQuoted
    }
    const order = orderOf(asked, taker)
    const reason = Result.isSuccess(own) ? own.success.noRouteReason : undefined
    const isRefused = reason !== undefined && isUnsafe(reason)
    const { found, trail } = isRefused ? NOBODY : yield* askOthers(lane, services, order)
    const all = [ownFailure(own, ms), ...trail.map(askedOfTrail)]
    const seq = Result.isSuccess(own) ? own.success.seq : undefined
    if (found !== null) {
      const quote = sealed(seal, ofProvider(found, order, all, yield* nowSeconds))
      return { quote, asked: all, seq } satisfies MetaQuoted
    }
    if (Result.isFailure(own)) return yield* unavailable(own.failure)
    const quote = sealed(seal, ofOwn(own.success, all, site.router))
    return { quote, asked: all, seq } satisfies MetaQuoted
  })
