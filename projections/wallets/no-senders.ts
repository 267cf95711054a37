/** The warning about a wallet where the log holds trades and no sender of any of them. */
import type { RowsView } from "../../engine/query.ts"
import { tapeOutput } from "../tape/output.ts"
import { wallets } from "./output.ts"

const NO_SENDERS =
  "the log tells no sender of any trade: what this wallet traded is not known, and is not nothing"

/** Returns the warning where no trade of the log has a wallet; no field elsewhere. */
export const senderWarnings = ({
  output
}: Pick<RowsView, "output">): { readonly warnings?: ReadonlyArray<string> } => {
  const { first_ts } = output(tapeOutput).activity()
  const isTraded = output(wallets).count() === 0 && first_ts.some(ts => ts > 0)
  return isTraded ? { warnings: [NO_SENDERS] } : {}
}
