/** What later folds and queries read of prices. */
import type { OutputKey } from "../../engine/query.ts"
import { topOf } from "../../src/math/top.ts"
import type { Books } from "./books.ts"
import { dollarToldAt, isByRule } from "./dollar-basket.ts"
import type { LatePrint } from "./parked.ts"
import { poolDepthUsd, poolLiquidUsd, poolUsd } from "./pool-book.ts"
import { depthUsd, tokenUsd, toldAt } from "./worth.ts"

export const outputOf = (books: Books) => {
  const { anchors } = books.pair
  const priceOf = (token: number): number => tokenUsd(books, token)
  const poolDepthOf = (pool: number): number => poolDepthUsd(books, pool)
  const deeper = (a: number, b: number): number => poolDepthOf(b) - poolDepthOf(a) || a - b
  return {
    /** the swaps of the slice in hand, priced */
    swaps: books.swaps,
    /** the changes of liquidity of the slice in hand, in dollars of their moment */
    changes: books.changes,
    /**
     * Prints of earlier slices whose token's decimals became known in the slice in hand, oldest
     * first. The print of the other token stood in `swaps` of its own slice.
     */
    late: books.late as ReadonlyArray<LatePrint>,
    /** dollars per whole token now; NaN where no pool may set a price */
    priceOf,
    /** dollars of the pools behind the price */
    depthOf: (token: number) => depthUsd(books, token),
    /** Unix seconds of the oldest pool state behind the price; 0 for none, and for $1 by rule */
    toldAt: (token: number) =>
      anchors.isUsd(token) ? dollarToldAt(books, token) : toldAt(books, token),
    /** dollars per whole token of all tokens, NaN for none: a copy that no later event changes */
    allPrices: () => new Float64Array(books.tokenPrices.count).map((_, token) => priceOf(token)),
    /** dollars per whole base token by a pool, NaN for none */
    poolPriceOf: (pool: number) => poolUsd(books, pool),
    /** dollars that a pool weighs when it sets a price */
    poolDepthOf,
    /** those of its depth that it can pay out: what answers show as its liquidity */
    poolLiquidOf: (pool: number) => poolLiquidUsd(books, pool),
    /** the deepest pools that may price a token, `limit` at most */
    poolsOf: (token: number, limit: number): ReadonlyArray<number> => {
      const met = books.based.of(token).filter(pool => pool < books.poolPrices.count)
      return topOf(met, limit, deeper)
    },
    /** number of pools that may price a token */
    countOf: (token: number) => books.based.countOf(token),
    isAnchor: (token: number) => anchors.isAnchor(token),
    /** whether a token costs $1 by rule, whatever its pools say */
    isOneDollar: (token: number) => anchors.isUsd(token) && isByRule(books, token),
    /** the token of a pair that a swap prices; one of the two may be `NONE` */
    baseOf: (token0: number, token1: number) => anchors.baseOf(token0, token1),
    /** the fold's state, for the explanation of a price */
    books
  }
}

export type Prices = Readonly<ReturnType<typeof outputOf>>

export const pricesOutput: OutputKey<Prices> = { name: "prices" }
