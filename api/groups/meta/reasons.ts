/** Who was asked and why not used, as answers and the ledger tell it. */

import type { Trail } from "../../../engine/trade/meta/meta-desk.ts"
import { type PassedOverReason, passOver } from "../../../engine/trade/meta/protocol/passed-over.ts"
import { type Asked, type MetaQuote, OWN, type Why } from "./meta-quote.api.ts"

const rawText = (amount: bigint | null): string | null => (amount === null ? null : String(amount))

/** An aggregator's part. */
export const askedOfTrail = (trail: Trail): Asked => {
  const { provider, isAsked, reason, message, amountOut, router, ms } = trail
  return { provider, asked: isAsked, reason, message, outputAmount: rawText(amountOut), router, ms }
}

/** The router's part, where it is used: what it answered. */
export const ownUsed = (outputAmount: string, router: string | null, ms: number): Asked => ({
  ...{ provider: OWN, asked: true, reason: null, message: null },
  ...{ outputAmount, router, ms }
})

/** The router's part, where it is not. */
export const ownPassed = (reason: PassedOverReason, message: string, ms: number): Asked => {
  const passed = passOver(reason, message)
  return {
    ...{ provider: OWN, asked: true, reason, message: passed.message },
    ...{ outputAmount: null, router: null, ms }
  }
}

/** Those that were not used, as an answer shows them. */
export const passedOver = (asked: ReadonlyArray<Asked>): MetaQuote["passedOver"] =>
  asked.flatMap(({ provider, reason, message }) =>
    reason === null ? [] : [{ provider, reason, message: message ?? "" }]
  )

/** In words, for a refusal. */
export const inWords = (asked: ReadonlyArray<Asked>): string =>
  passedOver(asked)
    .map(({ provider, reason, message }) => `${provider}: ${reason} (${message})`)
    .join("; ")

/** Swaps of a quote that are remembered. */
const MOST_SWAPS = 5

/** What the ledger has of a new quote. */
export const whyOf = (quote: MetaQuote, asked: ReadonlyArray<Asked>, at: number): Why => {
  const { quoteId, chain, inputMint, outputMint, inputAmount } = quote
  const { otherAmountThreshold, provider } = quote
  return {
    ...{ quoteId, chain, inputMint, outputMint, inputAmount, otherAmountThreshold, provider },
    ...{ at, asked, swaps: [] }
  }
}

/** What the ledger has of a quote, with one more swap of it. */
export const withSwap = (why: Why, swap: Why["swaps"][number]): Why => ({
  ...why,
  swaps: [...why.swaps, swap].slice(-MOST_SWAPS)
})
