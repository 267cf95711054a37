/** The swaps of each wallet: an index of the tape, and the questions that it answers. */
import { projection } from "../../engine/projection.ts"
import { walletPnl } from "./pnl.ts"
import { walletTradesTable } from "./tables.ts"
import { walletTrades } from "./trades.ts"

export const walletTradesProjection = projection<null>({
  name: "wallet_trades",
  version: 1,
  tables: [walletTradesTable],
  create: () => ({ out: null, apply: () => {} }),
  queries: [walletTrades, walletPnl]
})
