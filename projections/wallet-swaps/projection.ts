/** The swaps of each wallet: an index of the tape. */

import { projection } from "../../engine/projection.ts"
import { tapeOutput } from "../tape/output.ts"
import { walletSwapsTable } from "./tables.ts"

export const walletSwapsProjection = projection<null>({
  name: "wallet_swaps",
  version: 2,
  tables: [walletSwapsTable],
  uses: [tapeOutput],
  create: () => ({ out: null, apply: () => {} }),
  queries: []
})
