/**
 * The candles of every pool, a minute wide: dollars a base token, and quote tokens a base token. A
 * pool of more than two tokens has a series for each pair that trades in it.
 */
import type { FoldContext } from "../../engine/projection.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Anchors } from "../prices/anchors.ts"
import type { PricedSwaps } from "../prices/priced-swaps.ts"
import { PrintBucket } from "./bucket.ts"
import { OpenBuckets } from "./open-buckets.ts"
import type { SwapHash } from "./swap-hash.ts"
import { pairMinutesTable, poolPairsTable } from "./tables.ts"

/** Raw units of each token that a print must have moved to tell a ratio, as for dollars. */
export const MIN_RAW_UNITS = 1_000

/** Whether enough of both tokens moved for a ratio that rounding does not shift. */
const isPrecise = (batch: EventBatch, event: number): boolean => {
  const c = batch.columns.SwapExecuted
  const row = batch.row.values[event] as number
  const net0 = Math.abs(c.amount0Out.toNumber(row) - c.amount0In.toNumber(row))
  const net1 = Math.abs(c.amount1Out.toNumber(row) - c.amount1In.toNumber(row))
  return net0 >= MIN_RAW_UNITS && net1 >= MIN_RAW_UNITS
}

export class PairCandles {
  private readonly pairs: SlotTable<(typeof poolPairsTable)["columns"]>
  private readonly minutes: OpenBuckets
  private readonly anchors: Anchors
  /** the pairs of each pool, those first seen first */
  private readonly byPool: Array<Array<number> | undefined> = []
  private readonly print = new PrintBucket()

  constructor(context: FoldContext, anchors: Anchors) {
    this.pairs = context.state(poolPairsTable)
    this.minutes = new OpenBuckets(context.state(pairMinutesTable), 60)
    this.anchors = anchors
  }

  /** Takes a swap as its pair sees it; one of unknown tokens is of no pair. */
  take(swaps: PricedSwaps, i: number, batch: EventBatch, hash: SwapHash): void {
    const token0 = swaps.token0[i] as number
    const token1 = swaps.token1[i] as number
    if (token0 === NONE || token1 === NONE) return
    const pair = this.pairOf(swaps.pool[i] as number, token0, token1)
    const baseIs0 = this.pairs.columns.base[pair] === token0
    const { print } = this
    const bought0 = swaps.bought0[i] as number
    const isOutlier = (baseIs0 ? swaps.outlier0 : swaps.outlier1)[i] as number
    const usdMicro = swaps.usdMicro[i] as number
    const price = (baseIs0 ? swaps.price0 : swaps.price1)[i] as number
    const baseAmount = (baseIs0 ? swaps.amount0 : swaps.amount1)[i] as number
    const quoteAmount = (baseIs0 ? swaps.amount1 : swaps.amount0)[i] as number
    // dollars that tell a price are of enough units
    const isEnough =
      isOutlier === 0 &&
      (!Number.isNaN(swaps.dollars[i]) || isPrecise(batch, swaps.event[i] as number))
    print.setHash(hash)
    print.setSide(baseIs0 ? bought0 : 1 - bought0, isOutlier)
    print.setDollars(isOutlier === 0 && usdMicro >= 0 ? price : Number.NaN, usdMicro)
    print.setRatio(isEnough ? quoteAmount / baseAmount : Number.NaN, quoteAmount)
    this.minutes.add(pair, swaps.ts[i] as number, print)
  }

  private pairOf(pool: number, token0: number, token1: number): number {
    const { base, quote } = this.pairs.columns
    for (const pair of this.byPool[pool] ?? []) {
      if (base[pair] === token0 && quote[pair] === token1) return pair
      if (base[pair] === token1 && quote[pair] === token0) return pair
    }
    return this.newPair(pool, token0, token1)
  }

  private newPair(pool: number, token0: number, token1: number): number {
    const pair = this.pairs.count
    this.pairs.grow(pair + 1)
    const c = this.pairs.columns
    const quoteIs0 = this.anchors.rank(token0) <= this.anchors.rank(token1)
    c.pair[pair] = pair
    c.pool[pair] = pool
    c.base[pair] = quoteIs0 ? token1 : token0
    c.quote[pair] = quoteIs0 ? token0 : token1
    this.pairs.touch(pair)
    this.link(pool, pair)
    return pair
  }

  private link(pool: number, pair: number): void {
    while (this.byPool.length <= pool) this.byPool.push(undefined)
    const known = this.byPool[pool]
    if (known === undefined) this.byPool[pool] = [pair]
    else known.push(pair)
  }

  reloaded(): void {
    const { count, columns } = this.pairs
    this.minutes.truncate(count)
    this.byPool.length = 0
    for (let pair = 0; pair < count; pair++) this.link(columns.pool[pair] as number, pair)
  }
}
