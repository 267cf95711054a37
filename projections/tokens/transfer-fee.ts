/** The part of a transfer that a token keeps, as answers tell it. */
import { NULL_I32 } from "../../streams/batch/columns.ts"

/** Parts of a transfer in 1e-6 below which it is taken for rounding, as of rebasing tokens. */
const LEAST_FEE = 100

/** The largest part of a transfer that stayed away, in percent; null where none was followed. */
export const transferFeePct = (fee: number): number | null =>
  fee === NULL_I32 ? null : fee < LEAST_FEE ? 0 : fee / 10_000
