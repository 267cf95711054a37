/** A request's quote, asked of the router. */
import { Clock, Effect } from "effect"
import type { Lane } from "../../../engine/lane/lanes.ts"
import type { Trade, TradeSite, TradeUnavailable } from "../../../engine/trade/trade.ts"
import { parseAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts"
import { CallerKey } from "../../caller-key.ts"
import { Refusal } from "../../errors.ts"
import { historyEnd, quotesLag } from "../quote-status.ts"
import { gatedQuote } from "./gated-quote.ts"
import type { TradeGates } from "./gates.ts"
import { type Quote, type QuoteQuery, SLIPPAGE_BPS } from "./quote.api.ts"
import { type Asked, quoteAnswer } from "./quote-answer.ts"
import type { QuoteSeal } from "./quote-seal.ts"

const MAX_AMOUNT = (1n << 256n) - 1n

const invalid = (message: string) => new Refusal({ status: 400, code: "INVALID_PARAMS", message })

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

export const unavailable = ({ reason, message }: TradeUnavailable): Refusal =>
  new Refusal({ ...UNAVAILABLE[reason], message })

/** What a request asks of the router. */
export const askedOf = (lane: Lane, query: QuoteQuery, site: TradeSite) =>
  Effect.gen(function* () {
    const { maxHops = 2, fast, swapMode, slippageBps = SLIPPAGE_BPS.default } = query
    const [tokenIn, tokenOut] = [
      routedToken(lane, query.inputMint),
      routedToken(lane, query.outputMint)
    ]
    if (tokenIn === tokenOut) {
      return yield* invalid("outputMint must be another token than inputMint")
    }
    if (query.only !== undefined && (yield* CallerKey) === null) {
      return yield* invalid("only needs an X-API-Key: who runs the service gives them out")
    }
    const amount = BigInt(query.amount)
    if (amount > MAX_AMOUNT) return yield* invalid("amount must be below 2^256")
    const gasPrice = site.node === null ? null : yield* site.node.gasPrice
    const isFast = fast === "1"
    const asked: Asked = {
      chain: lane.config.id,
      order: {
        ...{
          tokenIn,
          tokenOut,
          amount,
          gasPrice,
          onlyDex: query.only ?? null,
          suspects: [],
          taxed: []
        },
        exact: swapMode === "ExactOut" ? "out" : "in",
        maxHops: isFast ? 1 : (maxHops as 1 | 2 | 3)
      },
      ...{ slippageBps, isFast, isExplained: query.why === "1", router: site.router },
      lag: block => quotesLag(lane, block)
    }
    return asked
  })

/** Unix seconds. */
export const nowSeconds = Effect.map(Clock.currentTimeMillis, ms => Math.floor(ms / 1000))

/** What quotes are made with. */
export interface QuoteServices {
  readonly trade: Trade["Service"]
  readonly gates: TradeGates
  readonly seal: QuoteSeal
}

/** The router's quote, sealed: past the safety gates, unless it is of one venue (spec 4.1). */
export const ownQuote = (lane: Lane, asked: Asked, { trade, gates, seal }: QuoteServices) =>
  Effect.gen(function* () {
    const began = performance.now()
    const isUngated = asked.isFast || asked.order.onlyDex !== null
    const gated = yield* gatedQuote(trade, gates, lane, asked.order, isUngated)
    const moment = { now: yield* nowSeconds, took: performance.now() - began }
    return quoteAnswer(gated, asked, moment, seal)
  })

/** Fails where nothing can be built from a quote any more; null of one that is not the router's. */
export const refuseOld = (
  trade: Trade["Service"],
  lane: Lane,
  quote: Pick<Quote, "seq" | "blockNumber"> | null
) =>
  Effect.gen(function* () {
    const ended = historyEnd(lane)
    if (ended !== null) {
      const message = `${ended}: no swap can be built from it`
      return yield* new Refusal({ status: 503, code: "NOT_ENABLED", message })
    }
    if (quote === null) return
    const isUndone = trade.undone(lane.config.key, quote.seq)
    if (yield* Effect.mapError(isUndone, unavailable)) {
      const message = `the chain undid block ${quote.blockNumber} of the quote: quote again`
      return yield* new Refusal({ status: 400, code: "QUOTE_EXPIRED", message })
    }
  })
