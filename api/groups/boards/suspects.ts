/** What a rule calls wash trading: shown apart, never summed. */

import type { Window } from "../../../projections/markets/window.ts"
import { leastWashed, type RuleSet, washRuleFor } from "../../../src/rules/rule-sets.ts"
import type { Traded, WashRule } from "../../../src/rules/wash.ts"

const MICRO = 1e6

/** Whether swaps of a day, their dollars in micro-dollars, are wash trading by a rule. */
export const isWashed = (
  known: number,
  knownUsd: number,
  makers: number,
  rules: RuleSet
): boolean => washRuleFor(known, knownUsd / MICRO, makers, rules) !== null

/** What a rule judges of a market's or a token's 24 hours. */
export const tradedIn = (sums: Window["ofTokens"] | Window["ofMarkets"], id: number): Traded => {
  const { known, known_usd, makers } = sums.columns
  return {
    known: known[id] ?? 0,
    knownUsd: (known_usd[id] ?? 0) / MICRO,
    makers: makers[id] ?? 0
  }
}

/** The rule by which a day of a market or token is wash trading; null where none is. */
const ruleIn = (
  sums: Window["ofTokens"] | Window["ofMarkets"],
  id: number,
  rules: RuleSet
): WashRule | null => {
  const { known, knownUsd, makers } = tradedIn(sums, id)
  return washRuleFor(known, knownUsd, makers, rules)
}

/** The rule by which a market's swaps of the 24 hours are wash trading; null where none is. */
export const ruleOfMarket = ({ ofMarkets }: Window, market: number, rules: RuleSet) =>
  ruleIn(ofMarkets, market, rules)

/** The rule by which a token's prints of the 24 hours are wash trading; null where none is. */
export const ruleOfToken = ({ ofTokens }: Window, token: number, rules: RuleSet) =>
  ruleIn(ofTokens, token, rules)

/** Whether a market's swaps of the 24 hours are wash trading. */
export const isSuspect = (window: Window, market: number, rules: RuleSet): boolean =>
  (window.ofMarkets.columns.known[market] ?? 0) >= leastWashed(rules) &&
  ruleOfMarket(window, market, rules) !== null
