/** What queries and later projections read of the tape beside its tables. */
import type { Tail } from "../../engine/memory/tail.ts"
import type { FoldsView, OutputKey } from "../../engine/query.ts"
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import type { tapeTable, tokenActivityTable } from "./tables.ts"

/** Whose the swaps of the slice in hand are. */
export interface TradeWallets {
  /** by place in `swaps` of `prices`: the batch's reference of the wallet, `NONE` where unknown */
  refs: Uint32Array
}

export interface Tape {
  /** the newest swaps, found by both their tokens */
  readonly recent: Tail<(typeof tapeTable)["columns"]>
  readonly wallets: TradeWallets
  /** by token: prints, the first and the newest */
  readonly activity: () => ColumnArrays<(typeof tokenActivityTable)["columns"]>
}

export const tapeOutput: OutputKey<Tape> = { name: "tape" }

/** Prints that a token has had; a swap of it for itself is two. */
export const printsOf = (view: FoldsView, token: number): number =>
  view.output(tapeOutput).activity().trades[token] ?? 0
