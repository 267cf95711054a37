// @ts-check
/** What quotes, simulations and wallets say, in words for people. Pure. */

import { cleanLabel } from "./format.js"

/** @typedef {import("./types.d.ts").Quote} Quote */
/** @typedef {import("./types.d.ts").Simulation} Simulation */
/** @typedef {import("../../client/retry.js").Problem} Problem */

/** How long a stranger's sentence may be. */
const SENTENCE = 240
/** Percent of price impact from which the panel warns, and from which it warns in red. */
const IMPACT_WARN = 3
const IMPACT_SEVERE = 10

/** @type {Readonly<Record<string, string>>} by `noRouteReason` */
const NO_ROUTE = {
  "no-pool": "No pool here trades these two tokens, not even by way of another one.",
  "unknown-state":
    "There are pools, but the log does not tell what they hold yet. Try again in a while.",
  "no-liquidity": "There are pools, but none has anything to give on that side.",
  "too-large": "The pools hold too little for so large an amount. Try a smaller one.",
  "amount-too-small": "So small an amount buys nothing. Try a larger one.",
  "not-executable": "There are pools, but the swap contract cannot trade with any of them.",
  suspect: "All pools here have a day's trades that look like wash trading.",
  "transfer-tax": "The token keeps too much of its own transfers, or of an exact purchase.",
  honeypot: "The token cannot be sold once it is bought, or not be bought at all.",
  "one-sided": "Many have bought the token within a day, and nobody has sold it.",
  thin: "The pools are so shallow that the order would lose more than half of its worth."
}

/** @type {(quote: Quote) => string | null} why a quote has no route; null where it has one */
export const noRouteWords = ({ routePlan, noRouteReason = "" }) =>
  routePlan.length > 0
    ? null
    : (NO_ROUTE[noRouteReason] ?? `No route: ${cleanLabel(noRouteReason, SENTENCE)}`)

/** @type {(quote: Quote) => "plain" | "warn" | "severe"} */
export const impactGrade = ({ priceImpactPct }) => {
  const impact = Number(priceImpactPct)
  return impact >= IMPACT_SEVERE ? "severe" : impact >= IMPACT_WARN ? "warn" : "plain"
}

/** @type {(quote: Quote) => string} percent, to its hundredth */
export const impactText = ({ priceImpactPct }) => {
  const impact = Number(priceImpactPct)
  return impact > 0 && impact < 0.01 ? "below 0.01 %" : `${impact.toFixed(2)} %`
}

/** @type {(quote: Quote) => string[]} what to know before a swap of the quote */
export const warningsOf = quote => {
  const grade = impactGrade(quote)
  const impact =
    grade === "plain"
      ? []
      : [`The order moves the price: it gets ${impactText(quote)} less than a small one would.`]
  return [...impact, ...(quote.warnings ?? []).map(text => cleanLabel(text, SENTENCE))]
}

/** @type {Readonly<Record<string, string>>} by the server's code */
const PROBLEMS = {
  QUOTE_EXPIRED: "The quote has expired. A new one is being fetched.",
  ROUTE_MISMATCH: "The server no longer knows this quote. A new one is being fetched.",
  NO_ROUTE: "The quote has no route.",
  UNREACHABLE: "The server does not answer. This page keeps trying.",
  RATE_LIMIT_EXCEEDED: "Too many requests from this address; waiting for the limit."
}

/** @type {(problem: Problem) => string} why there is no quote or no transaction */
export const problemWords = problem =>
  PROBLEMS[problem.code] ?? `${cleanLabel(problem.message, SENTENCE)}.`

/** @type {Readonly<Record<string, string>>} by a simulation's cause */
const CAUSES = {
  "insufficient-balance": "The wallet does not hold what is to be paid.",
  "router-not-approved": "The swap contract may not take the payment yet: approve first.",
  "price-moved": "The price has moved past the slippage. A new quote is needed.",
  "deadline-passed": "The transaction's deadline has passed. A new quote is needed.",
  "venue-refused": "A pool of the route refuses the trade. Try again in some seconds.",
  "token-refused": "A token of the swap refuses to be moved.",
  "out-of-gas": "It takes more gas than its limit by now. A new quote is needed."
}

/** @type {(simulation: Simulation) => string} why it would fail */
export const causeWords = ({ cause, revert }) =>
  CAUSES[cause ?? ""] ?? `It would fail: ${cleanLabel(revert ?? "no reason is told", SENTENCE)}`

/** Codes of EIP-1193, EIP-1474 and EIP-3326. */
const REFUSED = 4001
const UNKNOWN_CHAIN = 4902
const PENDING = -32002

/**
 * What a wallet's refusal means.
 *
 * @param {unknown} cause what a provider threw: anything
 * @param {string} chain name of the chain that was wanted
 * @returns {string}
 */
export const walletWords = (cause, chain) => {
  const { code, message } = /** @type {{ code?: unknown, message?: unknown }} */ (cause ?? {})
  // of an object without words nothing can be shown; one may even refuse to be a text
  const otherwise = typeof cause === "object" && cause !== null ? "no reason" : String(cause)
  if (code === REFUSED) return "The wallet refused. Nothing was sent."
  if (code === UNKNOWN_CHAIN) return `The wallet does not know ${chain}. Add it there first.`
  if (code === PENDING) return "The wallet still asks you something. Answer it there first."
  const text = cleanLabel(typeof message === "string" ? message : otherwise, SENTENCE)
  return `The wallet says: ${text}`
}
