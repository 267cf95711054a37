/** The tables of prices. */
import { table } from "../../engine/store/table.ts"

export const poolPricesTable = table({
  name: "pool_prices",
  shape: "state",
  key: ["pool"],
  columns: {
    pool: { type: "u32" },
    /** (virtual) reserves of token 0 and 1 in raw units, without those of `virtual` */
    reserve0: { type: "f64" },
    reserve1: { type: "f64" },
    /** 1 where an event told reserves, which may be 0 */
    told: { type: "u8" },
    /** raw units that price the pool beside its reserves and that it does not hold */
    virtual0: { type: "f64" },
    virtual1: { type: "f64" },
    /** square root of raw token 1 per raw token 0 by the newest event; 0 where reserves give it */
    root: { type: "f64" },
    /**
     * 1 where a parameter says so for which the pool's kind declares it (Solidly's stable pairs,
     * whose curve is flat): reserves do not give a price
     */
    flat: { type: "u8" },
    /** 1 where liquidity lies in ranges and the log holds all that happened to it */
    whole: { type: "u8" },
    /**
     * raw quote tokens in a pool of ranges, and those of burnt liquidity that are not collected yet
     */
    held: { type: "f64" },
    owed: { type: "f64" },
    /**
     * Unix seconds of the first event, and of the pool's making; 0 where the log lacks the making
     */
    first_ts: { type: "u32" },
    created_ts: { type: "u32" },
    /** the token that the price is in; null before there is a price */
    quote: { type: "u32", nullable: true },
    /** quote tokens per whole base token; null while unknown */
    price: { type: "f64", nullable: true },
    /** the price per raw unit of the base where its decimals are unknown, else `price` */
    unit: { type: "f64", nullable: true },
    /** whole quote tokens of the (virtual) quote side, and their number before the newest event */
    side: { type: "f64" },
    side_was: { type: "f64" },
    /** whole quote tokens that are in the pool; null where the log does not say */
    backed: { type: "f64", nullable: true },
    /** quote tokens that the pool weighs when it sets a price */
    depth: { type: "f64" },
    /** Unix seconds of the newest state, and dollars per quote token then; null where unknown */
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
     * quote tokens per whole token; for an anchor dollars, and no quote. Readers multiply by the
     * quote's present price, so a token moves with its quote between its own events.
     */
    price: { type: "f64", nullable: true },
    quote: { type: "u32", nullable: true },
    /** depth of the pools behind the price, in quote tokens; for an anchor in dollars */
    depth: { type: "f64" },
    /** the leading pool; null for an anchor, which several pools price */
    pool: { type: "u32", nullable: true },
    /** the price, per raw unit where decimals are unknown; for a dollar see `dollar-basket.ts` */
    unit: { type: "f64", nullable: true },
    /** the former `unit`, in dollars of its time; for a dollar as `unit` */
    unit_was: { type: "f64", nullable: true },
    /** 1 where the price comes from listed venues */
    listed: { type: "u8" },
    /** for an anchor: a mean far from the former price, and the Unix seconds since when it lasts */
    pending: { type: "f64", nullable: true },
    pending_ts: { type: "u32" },
    /** Unix seconds of the newest pool state behind the price; 0 for none */
    told_ts: { type: "u32" },
    /** Unix seconds of the event at which the row was computed last */
    ts: { type: "u32" }
  }
})

/** The price levels of a token's prints: the accepted one, and one that votes against it. */
export const printLevelsTable = table({
  name: "print_levels",
  shape: "state",
  key: ["token"],
  columns: {
    token: { type: "u32" },
    /** dollars of the last accepted print, per whole token or raw unit as `token_prices.unit` */
    accepted: { type: "f64", nullable: true },
    /** 1 where the accepted print was strong: see `print-levels.ts` */
    accepted_strong: { type: "u8" },
    /** dollars of the last print at the other level */
    other: { type: "f64", nullable: true },
    other_strong: { type: "u8" },
    /** prints at the other level, less those elsewhere since its first */
    votes: { type: "u32" },
    /** the first pool with a print at the other level, and 1 where a second pool had one */
    voter: { type: "u32", nullable: true },
    second: { type: "u8" },
    /** Unix seconds of the first print at the other level */
    since: { type: "u32" }
  }
})
