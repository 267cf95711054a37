/** What a rule calls wash trading: shown apart, never summed. */
import { washRuleOf } from "../flags/wash.ts"
import type { Window } from "../markets/window.ts"

const MICRO = 1e6

/** Whether swaps of a day, their dollars in micro-dollars, are wash trading by a rule. */
export const isWashed = (known: number, knownUsd: number, makers: number): boolean =>
  washRuleOf({ known, knownUsd: knownUsd / MICRO, makers }) !== null

/** The same of what a market or a token was traded in the 24 hours. */
const isWashedIn = (sums: Window["ofTokens"] | Window["ofMarkets"], id: number): boolean => {
  const { known, knownUsd, makers } = sums.columns
  return isWashed(known[id] ?? 0, knownUsd[id] ?? 0, makers[id] ?? 0)
}

/** Whether a market's swaps of the 24 hours are wash trading. */
export const isSuspect = ({ ofMarkets }: Window, market: number): boolean =>
  isWashedIn(ofMarkets, market)

/** Whether a token's prints of the 24 hours are. */
export const isWash = ({ ofTokens }: Window, token: number): boolean => isWashedIn(ofTokens, token)
