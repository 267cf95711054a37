/** The swaps of each wallet: an index of the tape. */

import { projection } from "../../engine/projection.ts"
import { tapeOutput } from "../tape/output.ts"
import { walletTradesTable } from "./tables.ts"

export const walletTradesProjection = projection<null>({
  name: "wallet_trades",
  version: 1,
  tables: [walletTradesTable],
  uses: [tapeOutput],
  create: () => ({ out: null, apply: () => {} }),
  queries: []
})
