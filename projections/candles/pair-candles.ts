/**
 * The candles of every pool, a minute wide: dollars a base token, and quote tokens a base token. A
 * pool of more than two tokens has a series for each pair that trades in it.
 */
import type { FoldContext } from "../../engine/projection.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Anchors } from "../prices/anchors.ts"
import type { Trades } from "../prices/trades.ts"
import { addDollars, countPrint, emptyDollars, emptyPrints } from "./bucket-sums.ts"
import type { SwapHash } from "./swap-hash.ts"
import { type PairColumns, pairCandlesTable, poolPairsTable } from "./tables.ts"

type Candles = SlotTable<PairColumns>

/** Raw units of each token that a print must have moved to tell a ratio, as for dollars. */
export const MIN_RAW_UNITS = 1_000

/** What a pair sees of a swap. */
interface Print {
  pair: number
  /** dollars a whole base token; NaN where they do not count */
  price: number
  usdMicro: number
  /** quote tokens a base token; NaN where they do not count */
  ratio: number
  quoteAmount: number
  isBuy: number
  isOutlier: number
}

/** Empties the row of a pair for a bucket that begins. */
const begin = ({ columns: c }: Candles, pair: number, bucket: number): void => {
  c.pair[pair] = pair
  c.t[pair] = bucket
  emptyDollars(c, pair)
  c.ro[pair] = Number.NaN
  c.rh[pair] = Number.NaN
  c.rl[pair] = Number.NaN
  c.rc[pair] = Number.NaN
  c.rv[pair] = 0
  c.rn[pair] = 0
  emptyPrints(c, pair)
}

/** Makes `bucket` the open minute of a pair: the one before is closed. */
const open = (minutes: Candles, pair: number, bucket: number): void => {
  if (pair >= minutes.count) minutes.grow(pair + 1)
  const before = minutes.columns
  if (before.trades[pair] !== 0 && before.t[pair] === bucket) return
  minutes.emit(pair)
  begin(minutes, pair, bucket)
}

const addRatio = ({ columns: c }: Candles, { pair, ratio, quoteAmount }: Print): void => {
  if (c.rn[pair] === 0) {
    c.ro[pair] = ratio
    c.rh[pair] = ratio
    c.rl[pair] = ratio
  } else {
    if (ratio > (c.rh[pair] as number)) c.rh[pair] = ratio
    if (ratio < (c.rl[pair] as number)) c.rl[pair] = ratio
  }
  c.rc[pair] = ratio
  c.rv[pair] = (c.rv[pair] as number) + quoteAmount
  c.rn[pair] = (c.rn[pair] as number) + 1
}

/** Adds a print to its pair's open minute. */
const add = (minutes: Candles, print: Print, hash: SwapHash): void => {
  const { pair, price, usdMicro, isBuy, isOutlier } = print
  const c = minutes.columns
  countPrint(c, pair, isBuy, isOutlier, hash)
  if (price > 0) addDollars(c, pair, price, usdMicro, isBuy)
  if (print.ratio > 0) addRatio(minutes, print)
  minutes.touch(pair)
}

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
  private readonly minutes: Candles
  private readonly anchors: Anchors
  /** the first pair of each pool, and the next of its pool after each pair; `NONE` for none */
  private first: Uint32Array = new Uint32Array(0)
  private next: Uint32Array = new Uint32Array(0)
  private readonly print: Print = {
    pair: 0,
    price: Number.NaN,
    usdMicro: Number.NaN,
    ratio: Number.NaN,
    quoteAmount: Number.NaN,
    isBuy: 0,
    isOutlier: 0
  }

  constructor(context: FoldContext, anchors: Anchors) {
    this.pairs = context.state(poolPairsTable)
    this.minutes = context.state(pairCandlesTable)
    this.anchors = anchors
  }

  /** Takes a swap as its pair sees it; one of unknown tokens is of no pair. */
  take(trades: Trades, i: number, batch: EventBatch, hash: SwapHash): void {
    const token0 = trades.token0[i] as number
    const token1 = trades.token1[i] as number
    if (token0 === NONE || token1 === NONE) return
    const pair = this.pairOf(trades.pool[i] as number, token0, token1)
    const baseIs0 = this.pairs.columns.base[pair] === token0
    const { print } = this
    const bought0 = trades.bought0[i] as number
    const isOutlier = (baseIs0 ? trades.outlier0 : trades.outlier1)[i] as number
    const usdMicro = trades.usdMicro[i] as number
    const price = (baseIs0 ? trades.price0 : trades.price1)[i] as number
    const counts = isOutlier === 0
    print.pair = pair
    print.isBuy = baseIs0 ? bought0 : 1 - bought0
    print.isOutlier = isOutlier
    print.usdMicro = usdMicro
    print.price = counts && usdMicro >= 0 ? price : Number.NaN
    const baseAmount = (baseIs0 ? trades.amount0 : trades.amount1)[i] as number
    print.quoteAmount = (baseIs0 ? trades.amount1 : trades.amount0)[i] as number
    const ratio = print.quoteAmount / baseAmount
    const isTold = counts && ratio > 0 && ratio < Number.POSITIVE_INFINITY
    // dollars that tell a price are of enough units
    const isEnough =
      isTold && (!Number.isNaN(trades.dollars[i]) || isPrecise(batch, trades.event[i] as number))
    print.ratio = isEnough ? ratio : Number.NaN
    const ts = trades.ts[i] as number
    open(this.minutes, pair, ts - (ts % 60))
    add(this.minutes, print, hash)
  }

  private pairOf(pool: number, token0: number, token1: number): number {
    const { base, quote } = this.pairs.columns
    let pair = pool < this.first.length ? (this.first[pool] as number) : NONE
    while (pair !== NONE) {
      if (base[pair] === token0 && quote[pair] === token1) return pair
      if (base[pair] === token1 && quote[pair] === token0) return pair
      pair = this.next[pair] as number
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

  /** Puts a pair behind the others of its pool. */
  private link(pool: number, pair: number): void {
    this.first = reserved(this.first, pool + 1)
    this.next = reserved(this.next, pair + 1)
    this.next[pair] = NONE
    let at = this.first[pool] as number
    if (at === NONE) {
      this.first[pool] = pair
      return
    }
    while (this.next[at] !== NONE) at = this.next[at] as number
    this.next[at] = pair
  }

  reloaded(): void {
    const { count, columns } = this.pairs
    this.minutes.truncate(count)
    this.first.fill(NONE)
    this.next.fill(NONE)
    for (let pair = 0; pair < count; pair++) this.link(columns.pool[pair] as number, pair)
  }
}

/** The array with room for so many, what is new filled with `NONE`. */
const reserved = (array: Uint32Array, count: number): Uint32Array => {
  if (count <= array.length) return array
  const grown = new Uint32Array(Math.max(1024, count, array.length * 2)).fill(NONE)
  grown.set(array)
  return grown
}
