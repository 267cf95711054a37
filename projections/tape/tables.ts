/** The tables of the tape. */
import { readNames, rowsName, table } from "../../engine/store/table.ts"

export const tapeTable = table({
  name: "tape",
  shape: "append",
  key: [],
  leaves: { by: "ts", after: "raw" },
  // about 150 bytes each
  tail: { rows: 1 << 18, keys: ["token0", "token1"] },
  columns: {
    block: { type: "i64" },
    ts: { type: "u32" },
    log_index: { type: "u32" },
    tx: { type: "tx" },
    pool: { type: "u32" },
    token0: { type: "u32", nullable: true },
    token1: { type: "u32", nullable: true },
    /** whole tokens, without sign; raw units where `unscaled` says so */
    amount0: { type: "f64", nullable: true },
    amount1: { type: "f64", nullable: true },
    /** 1 where the trader bought token 0 */
    bought0: { type: "u8" },
    /** micro-dollars */
    usd: { type: "i64", nullable: true },
    /** dollars a whole token; the print's dollars where `unscaled` says so */
    price0: { type: "f64", nullable: true },
    price1: { type: "f64", nullable: true },
    /** 1 of token 0, 2 of token 1: its decimals were unknown, they are applied when it is read */
    unscaled: { type: "u8" },
    /** 1 where the print is an outlier of token 0, 2 of token 1: candles and sums leave it out */
    flags: { type: "u8" },
    wallet: { type: "account", nullable: true },
    /** how the wallet was found or why it was not: place in `attributions` */
    attribution: { type: "u8" }
  }
})

const printsOf = (side: 0 | 1, buy: string): string => {
  const other = side === 0 ? 1 : 0
  // its bits change places with the sides
  const unscaled =
    side === 0 ? "unscaled" : "(((unscaled & 1) << 1) | (unscaled >> 1))::UTINYINT AS unscaled"
  return `SELECT token${side} AS token, ts, block, log_index, pool, ${buy} AS buy, usd,
     price${side} AS price, amount${side} AS amount, amount${other} AS other_amount, ${unscaled},
     ((flags >> ${side}) & 1)::UTINYINT AS flags, attribution,
     ${readNames(tapeTable, "wallet", "tx")}, seq
     FROM ${rowsName(tapeTable)} WHERE token${side} IS NOT NULL`
}

/**
 * The prints of each token, with all that a page of them shows and a range of them is folded from:
 * to look a few rows up in the tape takes a look through all of it that they are spread over.
 */
export const printsTable = table({
  name: "prints",
  shape: "index",
  key: ["token", "seq"],
  leaves: { by: "ts", after: "raw" },
  select: `${printsOf(0, "bought0")} UNION ALL ${printsOf(1, "(1 - bought0)::UTINYINT")}`,
  columns: {
    token: { type: "u32" },
    ts: { type: "u32" },
    block: { type: "i64" },
    log_index: { type: "u32" },
    pool: { type: "u32" },
    /** 1 where the trader bought the token */
    buy: { type: "u8" },
    usd: { type: "i64", nullable: true },
    /** dollars a whole token; the print's dollars where `unscaled` says so */
    price: { type: "f64", nullable: true },
    /** whole tokens; raw units where `unscaled` says so */
    amount: { type: "f64", nullable: true },
    /** of the swap's other token */
    other_amount: { type: "f64", nullable: true },
    /** 1 of the token, 2 of the other: its decimals were unknown */
    unscaled: { type: "u8" },
    /** bit 0: an outlier of this token */
    flags: { type: "u8" },
    attribution: { type: "u8" },
    wallet: { type: "account", nullable: true },
    tx: { type: "tx" }
  }
})

export const tokenActivityTable = table({
  name: "token_activity",
  shape: "state",
  key: ["token"],
  columns: {
    token: { type: "u32" },
    trades: { type: "i64" },
    /** block of the first print */
    first_block: { type: "i64" },
    first_ts: { type: "u32" },
    last_ts: { type: "u32" }
  }
})
