/** A pool's place in the book of its chain, which stays while what is known of it changes. */
import type { TradePool } from "./pool-market.ts"
import { type StatedPool, whyUnquoted } from "./quotable.ts"
import type { ReadProof } from "./read-state.ts"

/** What is known of a pool; replaced as a whole by every change. */
export interface KnownPool extends StatedPool {
  readonly dex: string | null
  readonly factory: string | null
}

export interface PoolSlot {
  readonly pool: string
  /** null where nothing is known (any more) */
  known: KnownPool | null
  /** holds a state that was read against swaps until one tells; null where there is none */
  proof: ReadProof | null
  /** swaps that were seen, undone ones among them */
  swaps: number
  /** why it gives no quotes, as it was looked at last */
  why: { readonly known: KnownPool; readonly reason: string | null } | null
  /** the pool as it was shown last, and what that was made of */
  shown: { readonly known: KnownPool; readonly sealSeq: number; readonly trade: TradePool } | null
}

export const emptySlot = (pool: string): PoolSlot => ({
  ...{ pool, known: null, proof: null, swaps: 0, why: null, shown: null }
})

/** Why a pool gives no quotes, looked at again where it has changed; null where it gives some. */
export const reasonOf = (slot: PoolSlot, known: KnownPool): string | null => {
  if (slot.why?.known !== known) slot.why = { known, reason: whyUnquoted(known) }
  return slot.why.reason
}
