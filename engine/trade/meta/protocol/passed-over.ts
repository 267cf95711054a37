/** Why an answer of a provider is not used, or none is asked for. */
import { Data } from "effect"
import { shownWords } from "../../shown-words.ts"

/** The provider did not do its part: its breaker counts these. */
const FAILURES = [
  /** no answer in time */
  "timeout",
  /** no connection */
  "unreachable",
  /** it says that it is overloaded, or failed */
  "provider-failed",
  /** it wants fewer calls */
  "rate-limited",
  /** its answer is not of its protocol's form, or too large */
  "bad-answer",
  /** it refuses the key, or does not know the chain */
  "misconfigured",
  /** the answer is of another chain, token or amount than was asked for */
  "mismatch",
  /** its transaction goes to a contract that is not on the allow-list, or by another function */
  "router-not-allowed",
  /** it wants an approval for a contract that is not on the allow-list */
  "spender-not-allowed",
  /** its transaction gives the output to somebody else */
  "recipient-changed",
  /** its transaction sells or sends another amount, or accepts less than was asked for */
  "amount-changed",
  /** two transactions one after the other revert on paper */
  "reverts"
] as const

/** It did, or was not asked. */
const OTHERS = [
  "no-route",
  /** it refuses the request, of which the engine or who asks is the cause */
  "request-refused",
  /** the price has moved below the least output */
  "price-moved",
  /** its transaction reverts on paper, or gives less than it says */
  "simulation-failed",
  /** no node answers, so that nothing can be simulated */
  "not-simulated",
  "breaker-open",
  /** calls that its rate limit leaves are used up */
  "call-budget",
  "no-key",
  /** the allow-list has no confirmed router of it on the chain */
  "no-known-router",
  "simulated-chain",
  "no-node",
  "chain-not-served",
  /** it quotes for a taker alone */
  "needs-taker",
  "no-gas-price",
  /** a slippage that it does not take */
  "slippage-unfit",
  /** conversions of the native unit are the router's own */
  "conversion",
  "not-needed",
  /** the router, which is asked first: it does not answer */
  "router-unavailable",
  /** the router's contract is not known on the chain */
  "no-router-contract"
] as const

export const PASSED_OVER_REASONS = [...FAILURES, ...OTHERS] as const
export type PassedOverReason = (typeof PASSED_OVER_REASONS)[number]

const failures: ReadonlySet<PassedOverReason> = new Set(FAILURES)

/** Whether a provider's breaker counts it as a failure. */
export const isFailure = (reason: PassedOverReason): boolean => failures.has(reason)

export class PassedOver extends Data.TaggedError("PassedOver")<{
  readonly reason: PassedOverReason
  /** for people; holds no URL and no key */
  readonly message: string
  /** milliseconds that the provider wants before the next call */
  readonly retryAfterMs?: number
}> {}

/** The reason as a value; what strangers wrote is cut and made harmless. */
export const passOver = (
  reason: PassedOverReason,
  message: string,
  retryAfterMs: number | null = null
): PassedOver =>
  new PassedOver({
    reason,
    message: shownWords(message),
    ...(retryAfterMs === null ? {} : { retryAfterMs })
  })
