/** The table of wallets, and what later projections and queries read of it. */
import type { OutputKey } from "../../engine/query.ts"
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import { table } from "../../engine/store/table.ts"

export const walletsTable = table({
  name: "wallets",
  shape: "state",
  key: ["wallet"],
  columns: {
    wallet: { type: "u32" },
    address: { type: "account" },
    /** start of the UTC day of its newest swap, Unix seconds; written once a day */
    last_day: { type: "u32" }
  }
})

export interface Wallets {
  /** by place in `swaps` of `prices`: id of the wallet, `NONE` where it is unknown */
  readonly ids: () => Uint32Array
  /** by place in `swaps`: 1 where the swap is the wallet's first of its UTC day */
  readonly firstOfDay: () => Uint8Array
  /** returns the id of a known wallet, -1 for others */
  readonly find: (address: Uint8Array) => number
  readonly columns: () => ColumnArrays<(typeof walletsTable)["columns"]>
  readonly count: () => number
}

export const wallets: OutputKey<Wallets> = { name: "wallets" }
