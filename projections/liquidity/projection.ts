/** Liquidity: what was added to pools and removed from them, by whom, in dollars of the moment. */

import { projection } from "../../engine/projection.ts"
import { pools } from "../pools/output.ts"
import { pricesOutput } from "../prices/output.ts"
import { LiquidityFold } from "./fold.ts"
import {
  type Liquidity,
  liquidityEventsTable,
  liquidityOutput,
  lpPositionsTable
} from "./tables.ts"

export const liquidityProjection = projection<Liquidity>({
  name: liquidityOutput.name,
  version: 3,
  tables: [liquidityEventsTable, lpPositionsTable],
  uses: [pools, pricesOutput],
  create: context => {
    const fold = new LiquidityFold(context)
    return { out: fold.out, apply: slice => fold.apply(slice), reloaded: () => fold.reloaded() }
  },
  queries: []
})
