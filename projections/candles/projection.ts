/**
 * Candles of every token over all its pools, and of every pool, from the prints of the tape. Base
 * tables hold minutes and hours of both; other frames are folded from them when asked, so a higher
 * frame is exactly the fold of the lower one. Minutes may leave, hours stay. Frames below a minute
 * are folded from the prints themselves.
 */

import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { coverageOutput } from "../coverage/output.ts"
import { pools } from "../pools/output.ts"
import { Anchors } from "../prices/anchors.ts"
import { prices } from "../prices/projection.ts"
import { tapeOutput } from "../tape/output.ts"
import { tokens } from "../tokens/output.ts"
import { candleFrames } from "./frames.ts"
import { KeptWallets } from "./kept-wallets.ts"
import { type CandlesMemory, candlesOutput } from "./output.ts"
import { PairCandles } from "./pair-candles.ts"
import { candleProof } from "./proof.ts"
import { candlesQuery } from "./queries.ts"
import { SwapHash } from "./swap-hash.ts"
import {
  bareHoursTable,
  bareMinutesTable,
  hourCandlesTable,
  minuteCandlesTable,
  pairHoursTable,
  pairMinutesTable,
  poolPairsTable
} from "./tables.ts"
import { TokenCandles } from "./token-candles.ts"

/** In place of the hash of a transaction that is not known. */
const NO_HASH = new Uint8Array(32)

/** Hashes the swap of an event. */
const hashSwap = (hash: SwapHash, { batch }: Slice, event: number, block: number): void => {
  const logIndex = batch.logIndex.values[event] as number
  const tx = batch.tx.values[event] as number
  if (tx === NONE) hash.take(NO_HASH, 0, block, logIndex)
  else hash.take(batch.txs.hash.data, tx * 32, block, logIndex)
}

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
  const known = context.output(tokens)
  const ofTokens = new TokenCandles(context)
  const anchors = new Anchors(context.chain, known)
  const ofPairs = new PairCandles(context, anchors)
  const hash = new SwapHash()
  const kept = new KeptWallets()
  return {
    out: { kept },
    apply: slice => {
      reachBlocks(kept, slice)
      for (let i = 0; i < late.count; i++) ofTokens.takeLate(late, i)
      for (let i = 0; i < swaps.count; i++) {
        hashSwap(hash, slice, swaps.event[i] as number, swaps.block[i] as number)
        ofTokens.take(swaps, i, hash)
        ofPairs.take(swaps, i, slice.batch, hash)
      }
    },
    reloaded: () => {
      anchors.reset()
      ofTokens.reloaded(known.count())
      ofPairs.reloaded()
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
