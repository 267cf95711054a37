/**
 * Prices: what each pool says a token costs, what the deepest pool of each token says, and the
 * dollars of every swap. The recipe (version 3):
 *
 * 1. A `usd` anchor costs $1. Another anchor costs the mean of its pools against better-ranked
 *    anchors, weighted by depth, of those at least `MIN_DEPTH_USD` deep. Pools of venues that
 *    the registry lists come first, here and in 3: others count only while none of those is deep
 *    enough, because what a contract logs of its own depth anybody can write.
 * 2. A pool's price is that of its state after its newest event (reserves, or sqrtPrice and
 *    liquidity as virtual reserves), not of a print; its depth is the quote side in dollars.
 * 3. Any other token costs what its deepest pool against an anchor says, if that is deep enough.
 * 4. A swap's dollars are its quote side times the quote's price. No anchor side, no price: null.
 *    On a chain with an ingest floor, swaps below it or of unknown dollars are no prints (spec,
 *    1.8); the log has them, and they move their pool.
 * 5. A print's price is its dollars by its amount; null where less than 1,000 raw units moved of
 *    either token, because rounding then distorts it. Such dust stays on the tape, and out of
 *    candles.
 * 6. The native unit (the zero address) counts as its wrapped token, in its own decimals.
 * 7. Without a token's decimals its prints have dollars and no price. They are parked, and priced
 *    when the token tells its decimals, as if it had told them before.
 */
import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import { table } from "../../engine/store/table.ts"
import { pools } from "../pools/output.ts"
import { tokens } from "../tokens/output.ts"
import { PriceFold } from "./fold.ts"
import { priceFrames } from "./frames.ts"
import { Parked, parkedPrintsTable } from "./parked.ts"
import type { Trades } from "./trades.ts"

export const poolPricesTable = table({
  name: "pool_prices",
  shape: "state",
  key: ["pool"],
  columns: {
    pool: { type: "u32" },
    /** (virtual) reserves of token 0 and 1 in raw units */
    reserve0: { type: "f64" },
    reserve1: { type: "f64" },
    /** dollars a whole base token; null while it cannot be told */
    price: { type: "f64", nullable: true },
    depth_usd: { type: "f64" },
    ts: { type: "u32" }
  }
})

export const tokenPricesTable = table({
  name: "token_prices",
  shape: "state",
  key: ["token"],
  columns: {
    token: { type: "u32" },
    price: { type: "f64", nullable: true },
    depth_usd: { type: "f64" },
    /** the pool that says so; null for an anchor, which several may price */
    pool: { type: "u32", nullable: true },
    ts: { type: "u32" }
  }
})

export type PoolPrices = (typeof poolPricesTable)["columns"]
export type TokenPrices = (typeof tokenPricesTable)["columns"]

export interface Prices {
  /** the swaps of the slice in hand, priced */
  readonly trades: Trades
  /**
   * Prints of before whose token's decimals became known in the slice in hand, oldest first: the
   * token is token 0 and has had no price until now, the other side has been told in its time.
   */
  readonly late: Trades
  readonly tokenPrices: () => ColumnArrays<TokenPrices>
}

const create = (context: FoldContext): Fold<Prices> => {
  const poolPrices = context.state(poolPricesTable)
  const tokenPrices = context.state(tokenPricesTable)
  const fold = new PriceFold(
    context.chain,
    context.output(tokens),
    context.output(pools),
    poolPrices,
    tokenPrices,
    new Parked(context.state(parkedPrintsTable))
  )
  return {
    out: { trades: fold.trades, late: fold.late, tokenPrices: () => tokenPrices.columns },
    apply: (slice: Slice) => fold.apply(slice),
    reloaded: () => fold.reloaded()
  }
}

export const prices = projection<Prices>({
  name: "prices",
  version: 3,
  tables: [poolPricesTable, tokenPricesTable, parkedPrintsTable],
  create,
  queries: {},
  frames: priceFrames
})
