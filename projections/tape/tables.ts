/** The tables of the tape. */
import { table } from "../../engine/store/table.ts"

export const tapeTable = table({
  name: "tape",
  shape: "append",
  key: [],
  columns: {
    block: { type: "i64" },
    ts: { type: "u32" },
    tx_index: { type: "u32" },
    log_index: { type: "u32" },
    tx: { type: "bytes32" },
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
    wallet: { type: "bytes20", nullable: true },
    /** how the wallet was found or why it was not: place in `attributions` */
    attribution: { type: "u8" }
  }
})

export const printsTable = table({
  name: "prints",
  shape: "index",
  key: ["token", "seq"],
  columns: {
    token: { type: "u32" },
    ts: { type: "u32" },
    block: { type: "i64" },
    log_index: { type: "u32" },
    pool: { type: "u32" },
    /** 1 where the trader bought the token */
    buy: { type: "u8" },
    usd: { type: "i64", nullable: true }
  }
})

export const tokenActivityTable = table({
  name: "token_activity",
  shape: "state",
  key: ["token"],
  columns: {
    token: { type: "u32" },
    trades: { type: "i64" },
    first_ts: { type: "u32" },
    last_ts: { type: "u32" }
  }
})
