/** Which pools can be quoted, and why others cannot. */
import { whyUnknown } from "../../../streams/known-state.ts"
import type { AnyVenueKind, PoolFacts } from "../../../streams/venue.ts"

/** Why pools are not quoted, and how many of them for each reason. */
export interface UnquotedPools {
  readonly reason: string
  readonly pools: number
}

export interface PoolCounts {
  readonly pools: number
  readonly quotable: number
  /** most pools first */
  readonly unquoted: ReadonlyArray<UnquotedPools>
}

/** A pool as it is asked whether it can be quoted. */
export interface StatedPool {
  readonly kind: AnyVenueKind
  readonly facts: PoolFacts
  readonly state: unknown
}

/** Pairs of places that every token is sold and bought in. One token of several may be the pool's
 *  own, which is not traded. */
export const ringOf = (tokens: number): ReadonlyArray<readonly [number, number]> =>
  Array.from({ length: tokens }, (_, i) => [i, (i + 1) % tokens] as const)

/** Why a pool gives no quotes; null where it gives some, if only that there is no liquidity. */
export const whyUnquoted = ({ kind, facts, state }: StatedPool): string | null => {
  if (facts.tokens.length < 2) return whyUnknown(kind, state, facts)
  const isKnown = ringOf(facts.tokens.length).some(([tokenIn, tokenOut]) => {
    const quote = kind.pool.quote(state, facts, tokenIn, tokenOut, 1n)
    return quote.ok || quote.reason !== "unknown-state"
  })
  return isKnown ? null : whyUnknown(kind, state, facts)
}

/** Counts pools by the reasons for which they are not quoted; null for those that are. */
export const countQuotable = (reasons: Iterable<string | null>): PoolCounts => {
  const counts = new Map<string, number>()
  let [pools, quotable] = [0, 0]
  for (const reason of reasons) {
    pools++
    if (reason === null) quotable++
    else counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  const unquoted = [...counts]
    .map(([reason, count]) => ({ reason, pools: count }))
    .sort((a, b) => b.pools - a.pools || (a.reason < b.reason ? -1 : 1))
  return { pools, quotable, unquoted }
}
