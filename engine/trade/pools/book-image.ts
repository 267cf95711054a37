/**
 * A book of pools as plain values, taken at once: states are values that no event changes, so an
 * image stays what it was while the book goes on.
 */
import type { PoolFacts } from "../../../streams/venue.ts"
import type { BookPosition } from "./pool-book.ts"
import type { Undone } from "./rollbacks.ts"

export interface PoolImage {
  readonly pool: string
  /** null where nothing is known of it but swaps */
  readonly known: {
    /** name of its venue kind */
    readonly kind: string
    readonly dex: string | null
    readonly factory: string | null
    readonly facts: PoolFacts
    readonly state: unknown
  } | null
  readonly swaps: number
  /** of a state that was read: places of the tokens that no swap traded since as it has them; null
   *  where none is left */
  readonly untold: ReadonlyArray<number> | null
}

/** A pool that stands under its tokens, in the order in which they were told of. */
export interface Listing {
  readonly pool: string
  readonly tokens: ReadonlyArray<string>
}

export interface BookImage {
  /** of the last event that it knows */
  readonly seq: number
  readonly at: BookPosition
  readonly pools: ReadonlyArray<PoolImage>
  readonly listings: ReadonlyArray<Listing>
  readonly decimals: ReadonlyArray<readonly [token: string, decimals: number | null]>
  /** quotes of what they undid may still be about */
  readonly rollbacks: ReadonlyArray<Undone>
}
