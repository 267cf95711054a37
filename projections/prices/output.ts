/** What later folds and queries read of prices. */
import type { OutputKey } from "../../engine/query.ts"
import type { Pair } from "./pair.ts"
import type { PoolBook } from "./pool-book.ts"
import type { TokenBook } from "./token-book.ts"
import type { Trades } from "./trades.ts"
import type { Worth } from "./worth.ts"

/** What the prints of a token say: NaN where there is no such price. */
export interface PrintLevel {
  readonly accepted: number
  readonly other: number
  readonly votes: number
}

export interface Prices {
  /** the swaps of the slice in hand, priced */
  readonly trades: Trades
  /**
   * Prints of before whose token's decimals became known in the slice in hand, oldest first: the
   * token is token 0 and has had no price until now, the other side has been told in its time.
   */
  readonly late: Trades
  /** dollars a whole token at present; NaN where no pool may tell, and what stands behind that */
  readonly priceOf: (token: number) => number
  readonly depthOf: (token: number) => number
  /** how old that is: Unix seconds of the oldest state it goes back to; 0 for none, or by rule */
  readonly toldAt: (token: number) => number
  /** dollars of all tokens, NaN for none: a copy, for when the folds go on */
  readonly allPrices: () => Float64Array
  /** dollars a whole base token by a pool, NaN for none; dollars that it counts for */
  readonly poolPriceOf: (pool: number) => number
  readonly poolDepthOf: (pool: number) => number
  /** what the prints of a token say; null where none was judged */
  readonly levelOf: (token: number) => PrintLevel | null
  /** the deepest pools that may price a token, at most so many; and how many there are */
  readonly poolsOf: (token: number, most: number) => ReadonlyArray<number>
  readonly countOf: (token: number) => number
  readonly isAnchor: (token: number) => boolean
  /** of two tokens, one of which may be `NONE`, the one whose price a print tells */
  readonly baseOf: (token0: number, token1: number) => number
  /** what explains a price */
  readonly books: {
    readonly pools: PoolBook
    readonly tokens: TokenBook
    readonly worth: Worth
    readonly pair: Pair
  }
}

export const pricesOutput: OutputKey<Prices> = { name: "prices" }
