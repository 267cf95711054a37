/**
 * Swaps as rows of `PricedSwaps`: amounts in whole tokens, dollars, prices, and verdicts on both
 * prints.
 */
import { OUTLIER, thresholds } from "../../src/rules/price-recipe.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Books } from "./books.ts"
import { poolQuoteUsd } from "./pool-book.ts"
import { judge } from "./print-levels.ts"
import { anchorUsd } from "./worth.ts"

/** A swap's place in the log. `net0` and `net1`: raw units that the pool paid less those it got. */
export interface Swap {
  readonly event: number
  readonly row: number
  readonly seq: number
  readonly block: number
  readonly ts: number
  readonly pool: number
  readonly net0: number
  readonly net1: number
}

/**
 * Returns the token of one side of a swap: the one that the event names, or the pool's token at
 * the place that the event names, or the pool's token of that side. `NONE` where it is unknown,
 * as for underlying coins.
 */
const tokenOf = (books: Books, batch: EventBatch, swap: Swap, side: 0 | 1): number => {
  const c = batch.columns.SwapExecuted
  const named = (side === 0 ? c.token0 : c.token1).values[swap.row] as number
  if (named !== NONE) return books.tokens.find(batch.ids.bytes(named))
  const place = (side === 0 ? c.index0 : c.index1).values[swap.row] as number
  return books.pools.tokenAt(swap.pool, place === NULL_I32 ? side : place)
}

/** Writes the swap's row of `swaps`. */
export const addPrint = (books: Books, batch: EventBatch, swap: Swap): void => {
  const { swaps, scales, pair } = books
  const { net0, net1 } = swap
  const token0 = tokenOf(books, batch, swap, 0)
  const token1 = tokenOf(books, batch, swap, 1)
  const amount0 = token0 === NONE ? Number.NaN : Math.abs(net0) / scales.of(token0)
  const amount1 = token1 === NONE ? Number.NaN : Math.abs(net1) / scales.of(token1)
  const isPair = pair.of(token0, token1)
  const usd = isPair ? usdOf(books, amount0, amount1) : Number.NaN
  const micro = Math.round(usd * 1e6)
  // a swap below the chain's floor is no print
  const floor = (books.chain.ingestFloorUsd ?? 0) * 1e6
  if (floor > 0 && !(micro >= floor)) return
  const t = swaps.next()
  swaps.event[t] = swap.event
  swaps.seq[t] = swap.seq
  swaps.block[t] = swap.block
  swaps.ts[t] = swap.ts
  swaps.pool[t] = swap.pool
  // raw units of the native unit and of its wrapped token may differ, so the side keeps its token
  const { anchors } = pair
  swaps.token0[t] = Number.isNaN(amount0) ? token0 : anchors.as(token0, token1)
  swaps.token1[t] = Number.isNaN(amount1) ? token1 : anchors.as(token1, token0)
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
  judgeSwap(books, t, usd, swap, isPair)
  const logIndex = batch.logIndex.values[swap.event] as number
  books.parked.park(swaps, t, 0, logIndex)
  books.parked.park(swaps, t, 1, logIndex)
}

/**
 * Returns the dollars of the quote side of the pair looked at; NaN where the quote has no price.
 */
const usdOf = (books: Books, amount0: number, amount1: number): number => {
  const { quoteIs0, quoteAs } = books.pair
  return (quoteIs0 ? amount0 : amount1) * anchorUsd(books, quoteAs)
}

/** Decides for each side whether the print is an outlier of its token. */
const judgeSwap = (
  books: Books,
  t: number,
  usd: number,
  { pool, ts }: Swap,
  isPair: boolean
): void => {
  const { swaps, pair } = books
  const c = books.poolPrices.columns
  const now = c.side[pool] as number
  const side = c.ts[pool] === ts ? Math.max(now, c.side_was[pool] as number) : now
  const depth = side * poolQuoteUsd(books, pool)
  const isTooMuch =
    usd >= thresholds.maxTradeUsd || (depth > 0 && usd > depth * thresholds.maxDollarsPerDepth)
  swaps.outlier0[t] = isTooMuch ? OUTLIER.dollars : 0
  swaps.outlier1[t] = isTooMuch ? OUTLIER.dollars : 0
  if (!isPair || isTooMuch) return
  // the dollars were computed with the quote's price: the print says nothing about that
  const price = (pair.quoteIs0 ? swaps.price1 : swaps.price0)[t] as number
  const raw = (pair.quoteIs0 ? swaps.raw1 : swaps.raw0)[t] as number
  const unit = pair.anchors.isOwn(pair.base) && raw > 0 ? (swaps.dollars[t] as number) / raw : price
  if (!(unit > 0) || pair.anchors.isUsd(pair.baseAs)) return
  const outliers = pair.quoteIs0 ? swaps.outlier1 : swaps.outlier0
  outliers[t] = judge(books, pair.baseAs, pool, unit, ts)
}
