/** The table of tokens, and what later projections and queries read of it. */
import type { OutputKey } from "../../engine/query.ts"
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import { table } from "../../engine/store/table.ts"
import type { ReadTexts } from "./readings.ts"

export const tokensTable = table({
  name: "tokens",
  shape: "state",
  key: ["token"],
  columns: {
    token: { type: "u32" },
    address: { type: "account" },
    symbol: { type: "text", nullable: true },
    name: { type: "text", nullable: true },
    decimals: { type: "i32", nullable: true },
    /** raw units when it was last read */
    total_supply: { type: "bytes32", nullable: true },
    /** the largest part of a transfer seen to stay away, in 1e-6; null: none was followed */
    transfer_fee: { type: "i32", nullable: true }
  },
  replica: { columns: ["address"] }
})

export interface Tokens {
  /** id of a known token, -1 otherwise */
  readonly find: (address: Uint8Array) => number
  readonly columns: () => ColumnArrays<(typeof tokensTable)["columns"]>
  readonly count: () => number
  /** its address as text */
  readonly addressOf: (token: number) => string
  /** raw units of one whole token by id; NaN while decimals are unknown */
  readonly scale: (token: number) => number
  readonly symbols: ReadTexts
  readonly names: ReadTexts
}

export const tokens: OutputKey<Tokens> = { name: "tokens" }
