/** A request's quote, asked of the router. */
import { Clock, Effect } from "effect"
import type { Lane } from "../../../engine/lane/lanes.ts"
import type { Trade, TradeSite, TradeUnavailable } from "../../../engine/trade/trade.ts"
import { parseAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts"
import { Refusal } from "../../errors.ts"
import { quotesLag } from "../quote-status.ts"
import { type QuoteQuery, SLIPPAGE_BPS } from "./quote.api.ts"
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
        ...{ tokenIn, tokenOut, amount, gasPrice, onlyDex: null },
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

/** The router's quote, sealed. */
export const ownQuote = (key: string, asked: Asked, trade: Trade["Service"], seal: QuoteSeal) =>
  Effect.gen(function* () {
    const began = performance.now()
    const outcome = yield* trade.quote(key, asked.order)
    const moment = { now: yield* nowSeconds, took: performance.now() - began }
    return quoteAnswer(outcome, asked, moment, seal)
  })
