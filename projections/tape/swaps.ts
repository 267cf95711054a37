/** Swaps of a token by columns, from memory or as they were read: one program folds both. */
import { pieceOf } from "../../engine/memory/refill.ts"
import { Tail } from "../../engine/memory/tail.ts"
import type { FoldsView, ResultColumns } from "../../engine/query.ts"
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import { partOf } from "../../engine/store/table.ts"
import { printsOf, tapeOutput } from "./output.ts"
import { tapeTable } from "./tables.ts"

/** The columns of the tape that sums and prices are made of. */
export const swapsTable = partOf(tapeTable, [
  ...(["ts", "pool", "token0", "token1", "amount0", "amount1"] as const),
  ...(["bought0", "usd", "price0", "price1", "unscaled", "flags"] as const)
])

export type SwapColumns = ColumnArrays<(typeof swapsTable)["columns"]>

/** Looks at the swap at a place; false for no more of them. */
export type LookAtSwap = (columns: SwapColumns, at: number) => boolean

/** A source of a token's swaps. */
export interface SwapSource {
  /**
   * Shows the swaps of a token up to a position, newest first, each once, until `look` has seen
   * enough; false where there may be more that are not here.
   */
  readonly walk: (token: number, seq: number, look: LookAtSwap) => boolean
}

/** The newest swaps, in memory. */
export const recentSwaps = (view: FoldsView): SwapSource => {
  const { recent } = view.output(tapeOutput)
  return {
    walk: (token, seq, look) => recent.walk(token, seq, printsOf(view, token), look)
  }
}

/** Unix seconds since which memory holds all swaps; infinite where it holds none. */
export const recentSince = (view: FoldsView): number => {
  const { held, columns } = view.output(tapeOutput).recent
  // of the oldest's second others may have been let go
  return held.oldest === null ? Number.POSITIVE_INFINITY : (columns.ts[held.oldest] as number) + 1
}

/** All swaps that a statement on `swapsTable` has found, in the order of the log. */
export const swapsOf = (found: ResultColumns): SwapSource => {
  const rows = 2 ** Math.ceil(Math.log2(Math.max(1, found.count)))
  const all = new Tail(swapsTable, rows, ["token0", "token1"])
  all.take(pieceOf(swapsTable, found))
  return {
    walk: (token, seq, look) => {
      all.walk(token, seq, 0, look)
      return true
    }
  }
}
