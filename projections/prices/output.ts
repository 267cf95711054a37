/** What later folds and queries read of prices. */
import type { OutputKey } from "../../engine/projection.ts"
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import type { PoolPrices, TokenPrices } from "./tables.ts"
import type { Trades } from "./trades.ts"

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
  readonly tokenPrices: () => ColumnArrays<TokenPrices>
  readonly poolPrices: () => ColumnArrays<PoolPrices>
  /** what the prints of a token say; null where none was judged */
  readonly levelOf: (token: number) => PrintLevel | null
  /** the deepest pools that may price a token, at most so many; and how many there are */
  readonly poolsOf: (token: number, most: number) => ReadonlyArray<number>
  readonly countOf: (token: number) => number
  /** whether the pool is of a venue of the registry */
  readonly isListed: (pool: number) => boolean
  /** the token that quotes a pool's price, `NONE` while that is unknown */
  readonly quoteOf: (pool: number) => number
  readonly isAnchor: (token: number) => boolean
  readonly isUsd: (token: number) => boolean
  /** of two tokens, one of which may be `NONE`, the one whose price a print tells */
  readonly baseOf: (token0: number, token1: number) => number
  /** time of the log's first event of any pool, Unix seconds */
  readonly begin: () => number
}

export const pricesOutput: OutputKey<Prices> = { name: "prices" }
