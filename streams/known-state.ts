/**
 * What is known of a pool before a swap. Logs that begin in the middle of a pool's life, or leave
 * blocks out, tell its state in part: then either the swap itself shows that the part is enough, or
 * the state is unknown, with the reason. The kind's own `StateCheck` looks into its states.
 */
import type { EventOf } from "./event.ts"
import { placeOf } from "./quote-check/swap-sides.ts"
import type { AnyVenueKind, PoolFacts } from "./venue.ts"

type Swap = EventOf<"SwapExecuted">

/** Why nothing can be said of a swap. */
export const UNKNOWN = {
  facts: "the pool's tokens and factory are not known",
  created: "only the event of its creation tells its tokens, and the log lacks that",
  first: "the pool's first swap seen",
  fee: "its fee is not known",
  ticks: "its ticks are not known, and it crossed some",
  skipped: "the log lacks what happened to the pool before",
  untold: "its state is not told by events"
} as const

/** Why nothing is known of what a pool trades. */
export const whyNoFacts = ({ poolCalls }: AnyVenueKind): string =>
  poolCalls.length === 0 ? UNKNOWN.created : UNKNOWN.facts

/** Whether a fee alone is lacking, as of kinds that take theirs from the facts. */
const lacksFee = (kind: AnyVenueKind, state: unknown, facts: PoolFacts): boolean => {
  if (facts.fee !== null) return false
  const quote = kind.pool.quote(state, { ...facts, fee: 0 }, 0, 1, 1n)
  return quote.ok || quote.reason !== "unknown-state"
}

/** Why a pool's quote does not know its state. */
export const whyUnknown = (kind: AnyVenueKind, state: unknown, facts: PoolFacts): string => {
  if (facts.tokens.length === 0) return whyNoFacts(kind)
  if (kind.neverQuotes !== undefined) return kind.neverQuotes
  const lack = kind.pool.check?.lacks?.(state) ?? null
  if (lack === "state") return UNKNOWN.first
  if (lack === "ticks") return UNKNOWN.ticks
  return lacksFee(kind, state, facts) ? UNKNOWN.fee : UNKNOWN.untold
}

/**
 * Whether reserves before and after differ by what the swap's event tells and the fees that left
 * them (raw units, by the tokens' place in the pool), so that no event is missing. True where the
 * reserves, or the places of the swap's tokens, are not known: then nothing shows a hole.
 */
export const reservesFit = (
  kind: AnyVenueKind,
  before: unknown,
  after: unknown,
  swap: Swap,
  tokens: ReadonlyArray<string>,
  fees: readonly [bigint, bigint]
): boolean => {
  const { check } = kind.pool
  const [was, is] = [before, after].map(state =>
    state === null ? null : (check?.reserves?.(state) ?? null)
  )
  if (was === null || is === null || was === undefined || is === undefined) return true
  const [place0, place1] = [placeOf(swap, 0, tokens), placeOf(swap, 1, tokens)]
  if (place0 + place1 !== 1 || place0 * place1 !== 0) return true
  const of0 = swap.amount0In - swap.amount0Out
  const of1 = swap.amount1In - swap.amount1Out
  const [change0, change1] = place0 === 0 ? [of0, of1] : [of1, of0]
  return was[0] + change0 + fees[0] === is[0] && was[1] + change1 + fees[1] === is[1]
}
