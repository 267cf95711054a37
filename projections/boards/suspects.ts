/** Markets that a rule calls wash trading: their volume is shown apart, never summed. */
import { washRuleOf } from "../flags/wash.ts"
import type { Window } from "../markets/window.ts"

const MICRO = 1e6

/** Whether a market's swaps of the 24 hours are wash trading by a rule. */
export const isSuspect = ({ ofMarkets }: Window, market: number): boolean => {
  const { known, knownUsd, makers } = ofMarkets.columns
  return (
    washRuleOf({
      known: known[market] ?? 0,
      knownUsd: (knownUsd[market] ?? 0) / MICRO,
      makers: makers[market] ?? 0
    }) !== null
  )
}

/** Whether a token's prints of the 24 hours are. */
export const isWash = ({ ofTokens }: Window, token: number): boolean => {
  const { known, knownUsd, makers } = ofTokens.columns
  return (
    washRuleOf({
      known: known[token] ?? 0,
      knownUsd: (knownUsd[token] ?? 0) / MICRO,
      makers: makers[token] ?? 0
    }) !== null
  )
}
