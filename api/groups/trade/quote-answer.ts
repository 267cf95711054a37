/** A quote as answers show it. */

import { encodedLeg, legsToHex, NATIVE } from "../../../engine/trade/contract/router-call.ts"
import type { QuoteOrder, QuoteOutcome } from "../../../engine/trade/quote.ts"
import type { TaxedToken } from "../../../engine/trade/transfer-taxes.ts"
import { LIFE_SECONDS } from "./echoed-quote.ts"
import type { GatedQuote } from "./gated-quote.ts"
import type { Quote } from "./quote.api.ts"
import type { JsonObject, QuoteSeal } from "./quote-seal.ts"

/** What a quote was asked with, beside the order. */
export interface Asked {
  readonly chain: number
  readonly order: QuoteOrder
  readonly slippageBps: number
  readonly isFast: boolean
  readonly isExplained: boolean
  readonly router: string | null
  /** why the quote is not of the chain's newest block; null where it is */
  readonly lag: (block: number) => string | null
}

/** When an answer is made. */
export interface Moment {
  /** Unix seconds */
  readonly now: number
  /** milliseconds that the quote took */
  readonly took: number
}

const BPS = 10_000n

/** Significant digits of percents and dollars: of what a float holds, those that mean something. */
const decimalText = (value: number, digits: number): string => {
  const text = value.toFixed(digits)
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text
}

type Found = Extract<QuoteOutcome, { readonly ok: true }>

const planOf = ({ legs }: Found, router: string | null): Quote["routePlan"] =>
  legs.map(leg => ({
    percent: leg.percent,
    swapInfo: {
      dex: leg.dex,
      pool: leg.pool,
      inputMint: leg.tokenIn,
      outputMint: leg.tokenOut,
      inputAmount: String(leg.amountIn),
      outputAmount: String(leg.amountOut),
      adapter: router ?? NATIVE,
      extraData: encodedLeg(leg.call).data
    }
  }))

const candidatesOf = ({ lost, ...outcome }: QuoteOutcome): NonNullable<Quote["why"]> => {
  const taken = outcome.ok
    ? outcome.legs.map(({ dex, pool, tokenIn, tokenOut }) => ({
        ...{ dex, pool, inputMint: tokenIn, outputMint: tokenOut, lost: null }
      }))
    : []
  const others = lost.map(({ dex, pool, tokenIn, tokenOut, lost: why }) => ({
    ...{ dex, pool, inputMint: tokenIn, outputMint: tokenOut, lost: why }
  }))
  return [...taken, ...others]
}

/** The least output that a swap accepts, of so much quoted. */
export const thresholdOf = (amountOut: bigint, slippageBps: number): bigint =>
  (amountOut * (BPS - BigInt(slippageBps))) / BPS

/** Fields that a route, or its absence, decides. */
const routeFields = (outcome: QuoteOutcome, { order, slippageBps, router }: Asked) => {
  if (outcome.ok) {
    return {
      inputAmount: String(outcome.amountIn),
      outputAmount: String(outcome.amountOut),
      otherAmountThreshold: String(thresholdOf(outcome.amountOut, slippageBps)),
      priceImpactPct: decimalText(outcome.priceImpact, 6),
      routePlan: planOf(outcome, router),
      routerLegs: legsToHex(outcome.calls.map(encodedLeg)),
      gasEstimate: String(outcome.gas),
      gasCostUSD: outcome.gasDollars === null ? null : decimalText(outcome.gasDollars, 9)
    }
  }
  return {
    inputAmount: order.exact === "in" ? String(order.amount) : "0",
    outputAmount: "0",
    otherAmountThreshold: "0",
    priceImpactPct: "0",
    routePlan: [],
    routerLegs: null,
    noRouteReason: outcome.reason,
    causes: outcome.causes,
    gasEstimate: "0",
    gasCostUSD: null
  }
}

/** Percents of what is sent that a token keeps. */
const taxShown = ({ token, pool, taxes }: TaxedToken) => ({
  ...{ token, pool },
  fromPoolPct: taxes.fromPool / 1e4,
  toTakerPct: taxes.toTaker / 1e4,
  fromTakerPct: taxes.fromTaker / 1e4,
  toPoolPct: taxes.toPool / 1e4
})

/** The quote of an outcome, sealed. */
export const quoteAnswer = (
  { order, outcome, warnings }: GatedQuote,
  asked: Asked,
  { now, took }: Moment,
  seal: QuoteSeal
): Quote => {
  const { chain, slippageBps, isFast, isExplained } = asked
  const lag = asked.lag(outcome.block)
  const told = lag === null ? warnings : [lag, ...warnings]
  const quote = {
    chain,
    inputMint: order.tokenIn,
    outputMint: order.tokenOut,
    ...routeFields(outcome, asked),
    slippageBps,
    swapMode: order.exact === "in" ? ("ExactIn" as const) : ("ExactOut" as const),
    gasPriceWei: order.gasPrice === null ? null : String(order.gasPrice),
    blockNumber: outcome.block,
    seq: outcome.seq,
    timeTaken: Math.round(took * 1000) / 1000,
    feeBps: 0 as const,
    feeAmount: "0" as const,
    feeMint: order.tokenOut,
    feeTier: "none" as const,
    ...(order.taxed.length === 0 ? {} : { transferTaxes: order.taxed.map(taxShown) }),
    ...(told.length === 0 ? {} : { warnings: told }),
    ...(isFast ? { preliminary: true as const } : {}),
    ...(isExplained ? { why: candidatesOf(outcome) } : {}),
    expiresAt: now + LIFE_SECONDS
  }
  return { ...quote, quoteId: seal.idOf("quote", quote as unknown as JsonObject & typeof quote) }
}
