/** What is said where the log tells trades, and of none of them whose they were. */
import type { FoldsContext } from "../../engine/query.ts"
import { boardsOutput, windowOf } from "./board-memory.ts"

export const NO_WALLETS =
  "the log tells no sender of any trade of the last 24 hours: counts of wallets are 0, and not known"

/** That, where it holds of all trades of the last 24 hours. */
export const walletWarnings = (
  context: FoldsContext
): { readonly warnings?: ReadonlyArray<string> } => {
  const isUnknown = context.output(boardsOutput).once("no wallets", context.seq, () => {
    const { trades, known } = windowOf(context).ofTokens.columns
    return trades.some(count => count > 0) && known.every(count => count === 0)
  })
  return isUnknown ? { warnings: [NO_WALLETS] } : {}
}
