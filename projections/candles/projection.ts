/**
 * Candles of every token over all its pools, and of every pool, from the prints of the tape. Base
 * tables hold minutes and hours of both; other frames are folded from them when asked, so a higher
 * frame is exactly the fold of the lower one. Minutes may leave, hours stay. Frames below a minute
 * are folded from the prints themselves.
 */

import { type Fold, type FoldContext, projection } from "../../engine/projection.ts"
import { coverageOutput } from "../coverage/output.ts"
import { markets } from "../markets/output.ts"
import { pools } from "../pools/output.ts"
import { prices } from "../prices/projection.ts"
import { tapeOutput } from "../tape/output.ts"
import { tokens } from "../tokens/output.ts"
import { CandleFold } from "./fold.ts"
import { candleFrames } from "./frames.ts"
import { candlesOutput } from "./output.ts"
import { candleProof } from "./proof.ts"
import { candlesQuery } from "./queries.ts"
import {
  bareHoursTable,
  bareMinutesTable,
  hourCandlesTable,
  minuteCandlesTable,
  pairHoursTable,
  pairMinutesTable
} from "./tables.ts"

const create = (context: FoldContext): Fold<null> => {
  const { swaps, late } = context.output(prices)
  const fold = new CandleFold(context)
  return {
    out: null,
    apply: slice => {
      for (const one of late) fold.takeLate(one)
      for (let i = 0; i < swaps.count; i++) fold.take(slice, swaps, i)
    },
    reloaded: () => fold.reloaded()
  }
}

export const candles = projection({
  name: candlesOutput.name,
  version: 8,
  tables: [
    minuteCandlesTable,
    hourCandlesTable,
    bareMinutesTable,
    bareHoursTable,
    pairMinutesTable,
    pairHoursTable
  ],
  uses: [coverageOutput, tokens, pools, prices, tapeOutput, markets],
  create,
  queries: [candlesQuery, candleProof],
  frames: candleFrames
})
