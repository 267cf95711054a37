/** What later folds and queries read of prices. */
import type { OutputKey } from "../../engine/query.ts"
import type { Books } from "./books.ts"
import type { PricedSwaps } from "./priced-swaps.ts"

export interface Prices {
  /** the swaps of the slice in hand, priced */
  readonly swaps: PricedSwaps
  /**
   * Prints of earlier slices whose token's decimals became known in the slice in hand, oldest
   * first. The token is token 0 of the row. The print of the other token stood in `swaps` of its
   * own slice, so token 1 is `NONE`.
   */
  readonly late: PricedSwaps
  /** dollars per whole token now; NaN where no pool may set a price */
  readonly priceOf: (token: number) => number
  /** dollars of the pools behind the price */
  readonly depthOf: (token: number) => number
  /** Unix seconds of the oldest pool state behind the price; 0 for none, and for $1 by rule */
  readonly toldAt: (token: number) => number
  /** dollars per whole token of all tokens, NaN for none: a copy that later events do not change */
  readonly allPrices: () => Float64Array
  /** dollars per whole base token by a pool, NaN for none */
  readonly poolPriceOf: (pool: number) => number
  /** dollars that a pool weighs when it sets a price */
  readonly poolDepthOf: (pool: number) => number
  /** the deepest pools that may price a token, `limit` at most */
  readonly poolsOf: (token: number, limit: number) => ReadonlyArray<number>
  /** number of pools that may price a token */
  readonly countOf: (token: number) => number
  readonly isAnchor: (token: number) => boolean
  /** whether a token costs $1 by rule, whatever its pools say */
  readonly isOneDollar: (token: number) => boolean
  /** the token of a pair that a swap prices; one of the two may be `NONE` */
  readonly baseOf: (token0: number, token1: number) => number
  /** the fold's state, for the explanation of a price */
  readonly books: Books
}

export const pricesOutput: OutputKey<Prices> = { name: "prices" }
