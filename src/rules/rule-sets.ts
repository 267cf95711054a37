/** The rules behind flags by their version, so that a board can be made anew by an older one. */
import { familyOf } from "../domain/chain-family.ts"
import type { ChainFamily } from "../domain/ids.ts"
import { impostorRule } from "./impostor.ts"
import { type Traded, type WashRule, washRules } from "./wash.ts"

export interface RuleSet {
  readonly wash: { readonly version: number; readonly rules: ReadonlyArray<WashRule> }
  /** null where no token is called an impostor */
  readonly impostor: typeof impostorRule | null
}

/** Newest first. */
export const RULE_VERSIONS = ["v1"] as const
export type RuleVersion = (typeof RULE_VERSIONS)[number]

const ruleSets: { readonly [version in RuleVersion]: RuleSet } = {
  v1: { wash: washRules, impostor: impostorRule }
}

/** Flags nothing. */
const noRules: RuleSet = { wash: { version: 0, rules: [] }, impostor: null }

/** The version that a request means, which has been checked. */
export const versionOf = (version: unknown): RuleVersion =>
  RULE_VERSIONS.find(one => one === version) ?? RULE_VERSIONS[0]

/**
 * The rules of a version by which rows of a chain are flagged; the newest where none is named. On
 * Solana there are no flags, and tokens are told apart by their mints (spec 4.14).
 */
export const rulesOf = (chain: { readonly family?: ChainFamily }, version?: unknown): RuleSet =>
  familyOf(chain).flags ? ruleSets[versionOf(version)] : noRules

const matches = (rule: WashRule, known: number, knownUsd: number, makers: number): boolean =>
  makers > 0 &&
  known >= rule.minTrades &&
  knownUsd >= rule.minUsd &&
  known >= rule.minTradesPerWallet * makers &&
  knownUsd >= rule.minUsdPerWallet * makers

const least = new Map<RuleSet, number>()

/** Fewer swaps of known wallets are wash trading by no rule of a set; without a rule all are. */
export const leastWashed = (rules: RuleSet): number => {
  const known = least.get(rules) ?? Math.min(...rules.wash.rules.map(({ minTrades }) => minTrades))
  least.set(rules, known)
  return known
}

/** The wash rule for counts that are at hand: boards ask it of every market and token there is. */
export const washRuleFor = (
  known: number,
  knownUsd: number,
  makers: number,
  { wash }: RuleSet
): WashRule | null => {
  for (const rule of wash.rules) if (matches(rule, known, knownUsd, makers)) return rule
  return null
}

/** The first rule that calls it wash trading; null where none does. */
export const washRuleOf = ({ known, knownUsd, makers }: Traded, rules: RuleSet) =>
  washRuleFor(known, knownUsd, makers, rules)
