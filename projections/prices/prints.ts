/**
 * Swaps as rows of `PricedSwaps`: amounts in whole tokens, dollars, prices, and verdicts on both
 * prints.
 */
import type { ChainConfig } from "../../src/domain/chain.ts"
import { OUTLIER, thresholds } from "../../src/rules/price-recipe.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Pools } from "../pools/output.ts"
import type { Scales } from "../tokens/decimals.ts"
import type { Tokens } from "../tokens/output.ts"
import type { Pair } from "./pair.ts"
import type { Parked } from "./parked.ts"
import type { PoolBook } from "./pool-book.ts"
import { PricedSwaps } from "./priced-swaps.ts"
import type { PrintLevelBook } from "./print-levels.ts"
import type { Worth } from "./worth.ts"

/** A swap's place in the log. `net0` and `net1`: raw units that the pool paid less those it got. */
export interface Swap {
  event: number
  row: number
  seq: number
  block: number
  ts: number
  pool: number
  net0: number
  net1: number
}

interface Books {
  readonly tokens: Tokens
  readonly pools: Pools
  readonly scales: Scales
  readonly pair: Pair
  readonly parked: Parked
  readonly poolBook: PoolBook
  readonly worth: Worth
  readonly levels: PrintLevelBook
}

export class Prints {
  readonly swaps = new PricedSwaps()
  private readonly books: Books
  /** micro-dollars below which a swap is no print; 0 where every swap is one */
  private readonly floor: number

  constructor(chain: ChainConfig, books: Books) {
    this.books = books
    this.floor = (chain.ingestFloorUsd ?? 0) * 1e6
  }

  /**
   * Returns the token of one side of a swap: the one that the event names, or the pool's token at
   * the place that the event names, or the pool's token of that side. `NONE` where it is unknown,
   * as for underlying coins.
   */
  private tokenOf(batch: EventBatch, swap: Swap, side: 0 | 1): number {
    const c = batch.columns.SwapExecuted
    const named = (side === 0 ? c.token0 : c.token1).values[swap.row] as number
    if (named !== NONE) return this.books.tokens.find(batch.ids.bytes(named))
    const place = (side === 0 ? c.index0 : c.index1).values[swap.row] as number
    return this.books.pools.tokenAt(swap.pool, place === NULL_I32 ? side : place)
  }

  /** Writes the swap's row of `swaps`. */
  add(batch: EventBatch, swap: Swap): void {
    const { swaps, floor } = this
    const { scales, pair } = this.books
    const { net0, net1 } = swap
    const token0 = this.tokenOf(batch, swap, 0)
    const token1 = this.tokenOf(batch, swap, 1)
    const amount0 = token0 === NONE ? Number.NaN : Math.abs(net0) / scales.of(token0)
    const amount1 = token1 === NONE ? Number.NaN : Math.abs(net1) / scales.of(token1)
    const isPair = pair.of(token0, token1)
    const usd = isPair ? this.usdOf(amount0, amount1) : Number.NaN
    const micro = Math.round(usd * 1e6)
    if (floor > 0 && !(micro >= floor)) return
    const t = swaps.next()
    swaps.event[t] = swap.event
    swaps.seq[t] = swap.seq
    swaps.block[t] = swap.block
    swaps.ts[t] = swap.ts
    swaps.pool[t] = swap.pool
    // raw units of the native unit and of its wrapped token may differ, so the side keeps its token
    const { native } = pair
    swaps.token0[t] = Number.isNaN(amount0) ? token0 : native.as(token0, token1)
    swaps.token1[t] = Number.isNaN(amount1) ? token1 : native.as(token1, token0)
    swaps.amount0[t] = amount0
    swaps.amount1[t] = amount1
    swaps.bought0[t] = net0 > 0 || (net0 === 0 && net1 < 0) ? 1 : 0
    const believed = usd >= 0 && usd < thresholds.maxTradeUsd
    swaps.usdMicro[t] = believed ? micro : Number.NaN
    const { minRawUnits } = thresholds
    const precise = Math.abs(net0) >= minRawUnits && Math.abs(net1) >= minRawUnits
    const dollars = believed && precise ? usd : Number.NaN
    swaps.dollars[t] = dollars
    swaps.price0[t] = dollars / amount0
    swaps.price1[t] = dollars / amount1
    swaps.raw0[t] = token0 !== NONE && Number.isNaN(amount0) ? Math.abs(net0) : Number.NaN
    swaps.raw1[t] = token1 !== NONE && Number.isNaN(amount1) ? Math.abs(net1) : Number.NaN
    this.judge(t, usd, swap, isPair)
    this.park(t, batch.logIndex.values[swap.event] as number)
  }

  /**
   * Returns the dollars of the quote side of the pair looked at; NaN where the quote has no price.
   */
  private usdOf(amount0: number, amount1: number): number {
    const { pair, worth } = this.books
    return (pair.quoteIs0 ? amount0 : amount1) * worth.ofAnchor(pair.quoteAs)
  }

  /** Decides for each side whether the print is an outlier of its token. */
  private judge(t: number, usd: number, { pool, ts }: Swap, isPair: boolean): void {
    const { swaps } = this
    const { pair, poolBook, levels } = this.books
    const c = poolBook.table.columns
    const now = c.side[pool] as number
    const side = c.ts[pool] === ts ? Math.max(now, c.side_was[pool] as number) : now
    const depth = side * poolBook.quoteUsd(pool)
    const isTooMuch =
      usd >= thresholds.maxTradeUsd || (depth > 0 && usd > depth * thresholds.maxDollarsPerDepth)
    swaps.outlier0[t] = isTooMuch ? OUTLIER.dollars : 0
    swaps.outlier1[t] = isTooMuch ? OUTLIER.dollars : 0
    if (!isPair || isTooMuch) return
    // the dollars were computed with the quote's price: the print says nothing about that
    const price = (pair.quoteIs0 ? swaps.price1 : swaps.price0)[t] as number
    const raw = (pair.quoteIs0 ? swaps.raw1 : swaps.raw0)[t] as number
    const unit = pair.isOwn(pair.base) && raw > 0 ? (swaps.dollars[t] as number) / raw : price
    if (!(unit > 0) || pair.anchors.isUsd(pair.baseAs)) return
    const outliers = pair.quoteIs0 ? swaps.outlier1 : swaps.outlier0
    outliers[t] = levels.judge(pair.baseAs, pool, unit, ts)
  }

  /** Parks the print of each token without decimals, where its dollars will give a price. */
  private park(t: number, logIndex: number): void {
    const { swaps } = this
    const dollars = swaps.dollars[t] as number
    if (!(dollars >= 0)) return
    const [block, ts, pool] = [swaps.block[t], swaps.ts[t], swaps.pool[t]] as [
      number,
      number,
      number
    ]
    const [raw0, raw1] = [swaps.raw0[t], swaps.raw1[t]] as [number, number]
    const bought0 = swaps.bought0[t] as number
    const print = { block, logIndex, ts, pool, dollars }
    if (!Number.isNaN(raw0)) {
      const [token, outlier] = [swaps.token0[t] as number, swaps.outlier0[t] as number]
      this.books.parked.park({ ...print, token, buy: bought0, raw: raw0, outlier })
    }
    if (!Number.isNaN(raw1)) {
      const [token, outlier] = [swaps.token1[t] as number, swaps.outlier1[t] as number]
      this.books.parked.park({ ...print, token, buy: 1 - bought0, raw: raw1, outlier })
    }
  }
}
