/** The swaps of each wallet. */
import { accountEquals, type Stands, versions } from "../../engine/store/sql.ts"
import { rowsName, table } from "../../engine/store/table.ts"
import { tapeTable } from "../tape/tables.ts"

/**
 * One row a swap, with what profit and loss is folded from; swaps without a wallet stay out. The
 * last word of the account comes first: as a plain number it sorts and finds a wallet faster.
 */
export const walletSwapsTable = table({
  name: "wallet_swaps",
  shape: "index",
  key: ["wallet_lo", "wallet_hi", "wallet_top", "seq"],
  leaves: { by: "ts", after: "raw" },
  select: `SELECT wallet_top, wallet_hi, wallet_lo, ts, token0, token1, amount0, amount1, bought0, usd,
    unscaled, flags, seq FROM ${rowsName(tapeTable)} WHERE wallet_lo IS NOT NULL`,
  columns: {
    wallet: { type: "account" },
    ts: { type: "u32" },
    token0: { type: "u32", nullable: true },
    token1: { type: "u32", nullable: true },
    /** as on the tape */
    amount0: { type: "f64", nullable: true },
    amount1: { type: "f64", nullable: true },
    bought0: { type: "u8" },
    /** micro-dollars */
    usd: { type: "i64", nullable: true },
    unscaled: { type: "u8" },
    flags: { type: "u8" }
  }
})

/** Rows of a wallet in the index, as a table expression. */
export const walletRows = (view: Stands, wallet: string, where: string): string => {
  const condition = `${accountEquals("wallet", wallet)} AND ${where}`
  return `(${versions(view, walletSwapsTable, condition)})`
}
