/** The tables of prices. */
import { table } from "../../engine/store/table.ts"

export const poolPricesTable = table({
  name: "pool_prices",
  shape: "state",
  key: ["pool"],
  columns: {
    pool: { type: "u32" },
    /** (virtual) reserves of token 0 and 1 in raw units */
    reserve0: { type: "f64" },
    reserve1: { type: "f64" },
    /** square root of raw token 1 a raw token 0 as last told; 0 where reserves tell it */
    root: { type: "f64" },
    /** 1 where its curve is flat (Solidly's stable pairs): reserves do not tell its price */
    flat: { type: "u8" },
    /** 1 where liquidity lies in ranges and the log holds all that happened to it */
    whole: { type: "u8" },
    /** raw quote tokens in such a pool, and those of them that wait to be collected */
    held: { type: "f64" },
    owed: { type: "f64" },
    /** Unix seconds of its first event, and of its making where the log holds that; else 0 */
    first_ts: { type: "u32" },
    created_ts: { type: "u32" },
    /** the token that its price is in, null before it has one */
    quote: { type: "u32", nullable: true },
    /** quote tokens a whole base token; null while it cannot be told */
    price: { type: "f64", nullable: true },
    /** the same a raw unit where its decimals are unknown */
    unit: { type: "f64", nullable: true },
    /** whole quote tokens of the (virtual) quote side, and before that changed last */
    side: { type: "f64" },
    side_was: { type: "f64" },
    /** those of them that are in it; null where the log does not tell */
    backed: { type: "f64", nullable: true },
    /** what it counts for when it sets a price, in quote tokens */
    depth: { type: "f64" },
    /** Unix seconds of its newest state, and what a quote token cost then; null for nothing */
    ts: { type: "u32" },
    quote_usd: { type: "f64", nullable: true }
  }
})

export const tokenPricesTable = table({
  name: "token_prices",
  shape: "state",
  key: ["token"],
  columns: {
    token: { type: "u32" },
    /**
     * quote tokens a whole token, which cost what they cost at present: a token moves with its
     * quote between its own events. Of an anchor dollars, without a quote.
     */
    price: { type: "f64", nullable: true },
    quote: { type: "u32", nullable: true },
    /** what stands behind it, in quote tokens or dollars likewise */
    depth: { type: "f64" },
    /** the pool that says so; null for an anchor, which several may price */
    pool: { type: "u32", nullable: true },
    /** as the price, a raw unit where decimals are unknown; of a dollar: see `dollar-basket.ts` */
    unit: { type: "f64", nullable: true },
    /** the one before, in dollars at its time (of a dollar as `unit`) */
    unit_was: { type: "f64", nullable: true },
    /** 1 where that is the word of listed venues */
    listed: { type: "u8" },
    /** of an anchor: a mean far from the one before, and since when it is there */
    pending: { type: "f64", nullable: true },
    pending_ts: { type: "u32" },
    /** Unix seconds of the newest state of a pool that says so, 0 for none */
    told_ts: { type: "u32" },
    /** Unix seconds at which it was last found */
    ts: { type: "u32" }
  }
})

/** What the prints of a token say: the level that is accepted, and one that stands against it. */
export const printLevelsTable = table({
  name: "print_levels",
  shape: "state",
  key: ["token"],
  columns: {
    token: { type: "u32" },
    /** price of the last accepted print, in dollars, of what `token_prices.unit` is of */
    accepted: { type: "f64", nullable: true },
    /** 1 where pools say so whose word is strong: see `print-levels.ts` */
    accepted_strong: { type: "u8" },
    /** price of the last print at the other level */
    other: { type: "f64", nullable: true },
    other_strong: { type: "u8" },
    /** prints at it, less those at others */
    votes: { type: "u32" },
    /** the first pool at it, and 1 where there was a second */
    voter: { type: "u32", nullable: true },
    second: { type: "u8" },
    /** Unix seconds of the first print at it */
    since: { type: "u32" }
  }
})

export type PoolPrices = (typeof poolPricesTable)["columns"]
export type TokenPrices = (typeof tokenPricesTable)["columns"]
export type PrintLevels = (typeof printLevelsTable)["columns"]
