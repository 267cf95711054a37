/**
 * Markets: what was traded, where, how much and by how many, by hours of the last day and by days.
 * Boards and totals are read from here; no request looks at single swaps.
 */

import { projection } from "../../engine/projection.ts"
import { pools } from "../pools/output.ts"
import { pricesOutput } from "../prices/output.ts"
import { wallets } from "../wallets/output.ts"
import { MarketFold } from "./fold.ts"
import { type Markets, markets } from "./output.ts"
import { marketTables } from "./tables.ts"

export const marketsProjection = projection<Markets>({
  name: markets.name,
  version: 6,
  tables: marketTables,
  uses: [pools, pricesOutput, wallets],
  create: context => {
    const fold = new MarketFold(context)
    return { out: fold, apply: () => fold.apply(), reloaded: () => fold.reloaded() }
  },
  queries: []
})
