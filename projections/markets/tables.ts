/**
 * The tables of markets. A market is a pair of tokens in a pool: a pool of two tokens is one, a
 * pool of four up to six. Each swap belongs to exactly one market, so sums over them count it once.
 *
 * The rings hold the last day by hours, the makers the last day by who traded; their slots are used
 * again once that is over.
 */
import { table } from "../../engine/store/table.ts"

/** Venue ids in order of appearance; null in `id` stands for pools of an unknown one. */
export const venuesTable = table({
  name: "venues",
  shape: "state",
  key: ["venue"],
  columns: {
    venue: { type: "u32" },
    id: { type: "text", nullable: true },
    /** start of the UTC day of the newest swap, Unix seconds */
    last_day: { type: "u32" }
  }
})

/** A token on a venue. */
export const listingsTable = table({
  name: "listings",
  shape: "state",
  key: ["listing"],
  columns: {
    listing: { type: "u32" },
    token: { type: "u32" },
    venue: { type: "u32" },
    /** start of the UTC day of the newest swap */
    last_day: { type: "u32" }
  }
})

export const marketsTable = table({
  name: "markets",
  shape: "state",
  key: ["market"],
  columns: {
    market: { type: "u32" },
    pool: { type: "u32" },
    token0: { type: "u32", nullable: true },
    token1: { type: "u32", nullable: true },
    venue: { type: "u32" },
    listing0: { type: "u32", nullable: true },
    listing1: { type: "u32", nullable: true },
    first_ts: { type: "u32" }
  }
})

/** Swaps of a market in one of the last 24 hours. */
export const marketHoursTable = table({
  name: "market_hours",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    market: { type: "u32", nullable: true },
    /** start of the hour, Unix seconds */
    hour: { type: "u32" },
    trades: { type: "u32" },
    /** micro-dollars that count */
    usd: { type: "i64" },
    /** those of them whose wallet is known */
    known: { type: "u32" },
    known_usd: { type: "i64" },
    /** distinct wallets */
    makers: { type: "u32" }
  }
})

/** Prints of a token in one of the last 24 hours. */
export const tokenHoursTable = table({
  name: "token_hours",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    token: { type: "u32", nullable: true },
    hour: { type: "u32" },
    trades: { type: "u32" },
    buys: { type: "u32" },
    /** micro-dollars that count */
    buy_usd: { type: "i64" },
    sell_usd: { type: "i64" },
    /** those whose wallet is known, with the micro-dollars of both sides */
    known: { type: "u32" },
    known_usd: { type: "i64" },
    /** distinct wallets */
    makers: { type: "u32" },
    /** dollars of the newest print that counts; null while none does */
    close: { type: "f64", nullable: true }
  }
})

/** What lasts of a token beyond a day. */
export const tokenMarksTable = table({
  name: "token_marks",
  shape: "state",
  key: ["token"],
  columns: {
    token: { type: "u32" },
    /** the highest price of a print that counts, dollars, and its time */
    ath: { type: "f64", nullable: true },
    ath_ts: { type: "u32" },
    /** the first price of a print that counts, and its time */
    first: { type: "f64", nullable: true },
    first_ts: { type: "u32" },
    /** the close of the newest hour before the last 24, and that hour */
    base: { type: "f64", nullable: true },
    base_hour: { type: "u32" },
    /** start of the UTC day of the newest print */
    last_day: { type: "u32" }
  }
})

/** Who traded a market in the last 25 hours, and when last; 0 for never. */
export const marketMakersTable = table({
  name: "market_makers",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    market: { type: "u32", nullable: true },
    wallet: { type: "u32" },
    /** newest swap that bought token 0, and token 1 */
    bought0_ts: { type: "u32" },
    bought1_ts: { type: "u32" }
  }
})

/**
 * Swaps of a market on a UTC day that is over, of markets that a rule might call wash trading: what
 * is summed by days can be told without them. The newest 31 days.
 */
export const oddDaysTable = table({
  name: "odd_days",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    market: { type: "u32", nullable: true },
    /** start of the day, Unix seconds */
    day: { type: "u32" },
    trades: { type: "u32" },
    usd: { type: "i64" },
    known: { type: "u32" },
    known_usd: { type: "i64" },
    /** distinct wallets */
    makers: { type: "u32" }
  }
})

/** Swaps on a venue on one of the newest 31 UTC days. */
export const venueDaysTable = table({
  name: "venue_days",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    venue: { type: "u32", nullable: true },
    day: { type: "u32" },
    trades: { type: "i64" },
    usd: { type: "i64" },
    /** distinct tokens */
    tokens: { type: "u32" }
  }
})

/** Swaps of the whole chain on one of the newest 31 UTC days. */
export const chainDaysTable = table({
  name: "chain_days",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    /** always 0 */
    chain: { type: "u32", nullable: true },
    day: { type: "u32" },
    trades: { type: "i64" },
    usd: { type: "i64" },
    /** distinct ones */
    tokens: { type: "u32" },
    wallets: { type: "u32" },
    venues: { type: "u32" }
  }
})

export const marketTables = [
  venuesTable,
  listingsTable,
  marketsTable,
  marketHoursTable,
  tokenHoursTable,
  tokenMarksTable,
  marketMakersTable,
  oddDaysTable,
  venueDaysTable,
  chainDaysTable
]
