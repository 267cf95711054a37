/**
 * Candles of every token over all its pools, and of every pool, from the prints of the tape. Base
 * tables hold minutes and hours of both; other frames are folded from them when asked, so a higher
 * frame is exactly the fold of the lower one. Minutes may leave, hours stay. Frames below a minute
 * are folded from the prints themselves.
 */

import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import { coverageOutput } from "../coverage/output.ts"
import { pools } from "../pools/output.ts"
import { prices } from "../prices/projection.ts"
import { tapeOutput } from "../tape/output.ts"
import { tokens } from "../tokens/output.ts"
import { CandleFold } from "./fold.ts"
import { candleFrames } from "./frames.ts"
import { KeptWallets } from "./kept-wallets.ts"
import { type CandlesMemory, candlesOutput } from "./output.ts"
import { candleProof } from "./proof.ts"
import { candlesQuery } from "./queries.ts"
import {
  bareHoursTable,
  bareMinutesTable,
  hourCandlesTable,
  minuteCandlesTable,
  pairHoursTable,
  pairMinutesTable,
  poolPairsTable
} from "./tables.ts"

/** Tells of the time of each block of a slice. */
const reachBlocks = (kept: KeptWallets, { batch, from, to }: Slice): void => {
  let last = -1
  for (let i = from; i < to; i++) {
    const block = batch.block.values[i] as number
    if (block !== last) kept.reached(batch.blocks.time.values[block] as number)
    last = block
  }
}

const create = (context: FoldContext): Fold<CandlesMemory> => {
  const { swaps, late } = context.output(prices)
  const fold = new CandleFold(context)
  const kept = new KeptWallets()
  return {
    out: { kept },
    apply: slice => {
      reachBlocks(kept, slice)
      for (let i = 0; i < late.count; i++) fold.takeLate(late, i)
      for (let i = 0; i < swaps.count; i++) fold.take(slice, swaps, i)
    },
    reloaded: () => {
      fold.reloaded()
      kept.clear()
    }
  }
}

export const candles = projection<CandlesMemory>({
  name: candlesOutput.name,
  version: 6,
  tables: [
    minuteCandlesTable,
    hourCandlesTable,
    bareMinutesTable,
    bareHoursTable,
    poolPairsTable,
    pairMinutesTable,
    pairHoursTable
  ],
  uses: [coverageOutput, tokens, pools, prices, tapeOutput],
  create,
  queries: [candlesQuery, candleProof],
  frames: candleFrames
})
