/** What windows of a token begin with, before their first whole hours: from swaps by columns. */

import { Effect } from "effect"
import { columnNames } from "../../../engine/memory/refill.ts"
import type { RowsView } from "../../../engine/query.ts"
import { hourOf } from "../../../projections/markets/hours.ts"
import {
  type SwapColumns,
  type SwapSource,
  swapsOf,
  swapsTable
} from "../../../projections/tape/swaps.ts"
import { tapeTable } from "../../../projections/tape/tables.ts"
import { WholeSum } from "../../../src/math/whole-sum.ts"

/** A window's first second, and the first second of its first whole hour, or its end. */
export interface Window {
  readonly from: number
  readonly edge: number
}

/** The prints of a window before its first whole hour. */
export interface Edge {
  trades: number
  buys: number
  /** micro-dollars of prints that are believed */
  bought: number
  sold: number
  /** newest price that counts before the window, but in its first hour */
  before: number | null
  /** of the prices of its first, broken minute */
  high: number | null
  low: number | null
}

/** Swaps and micro-dollars of pools. */
export type PoolSums = Map<number, { trades: number; usd: number }>

export interface Edges {
  /** of each window */
  readonly edges: ReadonlyArray<Edge>
  /** of the last of the windows, before its first whole hour: the token's swaps by pool */
  readonly pools: PoolSums
}

/** Dollars a whole token; not above 0 where unknown. */
const priceOf = (c: SwapColumns, at: number, side: 0 | 1, scale: number): number => {
  const told = (side === 0 ? c.price0[at] : c.price1[at]) as number
  if ((((c.unscaled[at] as number) >> side) & 1) === 0) return told
  return (told / ((side === 0 ? c.amount0[at] : c.amount1[at]) as number)) * scale
}

/** Exact sums of prints, from the newest back. */
class EdgeWalk {
  private readonly window: Window
  private readonly hour: number
  private readonly minute: number
  private trades = 0
  private buys = 0
  private readonly bought = new WholeSum()
  private readonly sold = new WholeSum()
  private before: number | null = null
  private high: number | null = null
  private low: number | null = null

  constructor(window: Window) {
    this.window = window
    this.hour = hourOf(window.from)
    this.minute = Math.ceil(window.from / 60) * 60
  }

  /** Takes a swap as one of its sides sees it; false where earlier ones tell nothing. */
  take(c: SwapColumns, at: number, side: 0 | 1, scale: number): boolean {
    const { from, edge } = this.window
    const ts = c.ts[at] as number
    if (ts >= edge) return true
    if (ts < this.hour) return false
    const isBelieved = (((c.flags[at] as number) >> side) & 1) === 0
    const price = ts < this.minute && isBelieved ? priceOf(c, at, side, scale) : 0
    if (ts < from) {
      if (!(price > 0)) return true
      this.before ??= price
      return false
    }
    const isBuy = ((c.bought0[at] as number) === 1) === (side === 0)
    this.trades++
    if (isBuy) this.buys++
    const usd = c.usd[at] as number
    if (isBelieved && !Number.isNaN(usd)) {
      if (isBuy) this.bought.add(usd)
      else this.sold.add(usd)
    }
    if (price > 0) {
      this.high = Math.max(this.high ?? price, price)
      this.low = Math.min(this.low ?? price, price)
    }
    return true
  }

  get value(): Edge {
    const { trades, buys, before, high, low } = this
    return { trades, buys, bought: this.bought.value, sold: this.sold.value, before, high, low }
  }
}

/** The prints of a window before its first whole hour; null where the source lacks some. */
export const edgeIn = (
  source: SwapSource,
  token: number,
  seq: number,
  window: Window,
  scale: number
): Edge | null => {
  const edge = new EdgeWalk(window)
  const whole = source.walk(token, seq, (c, at) => {
    // a swap of a token for itself is two of its prints, of which the first side's comes first
    const goesOn0 = c.token0[at] !== token || edge.take(c, at, 0, scale)
    const goesOn1 = c.token1[at] !== token || edge.take(c, at, 1, scale)
    return goesOn0 && goesOn1
  })
  return whole ? edge.value : null
}

/** Swaps and believed micro-dollars of a token by pool, of the same part of a window. */
export const poolsIn = (
  source: SwapSource,
  token: number,
  seq: number,
  { from, edge }: Window
): PoolSums | null => {
  const sums = new Map<number, { trades: number; readonly usd: WholeSum }>()
  const whole = source.walk(token, seq, (c, at) => {
    const ts = c.ts[at] as number
    if (ts >= edge) return true
    if (ts < from) return false
    const pool = c.pool[at] as number
    const sum = sums.get(pool) ?? { trades: 0, usd: new WholeSum() }
    sums.set(pool, sum)
    sum.trades++
    const usd = c.usd[at] as number
    if (c.flags[at] === 0 && !Number.isNaN(usd)) sum.usd.add(usd)
    return true
  })
  if (!whole) return null
  return new Map([...sums].map(([pool, { trades, usd }]) => [pool, { trades, usd: usd.value }]))
}

/** The swaps of a token in the hour in which a window begins, as the tables have them. */
export const readSwaps = (view: RowsView, token: number, { from, edge }: Window) =>
  Effect.map(
    view.columns(
      `SELECT ${columnNames(swapsTable)} FROM ${tapeTable.name} WHERE ts >= ${hourOf(from)} AND ts < ${edge}
         AND (token0 = ${token} OR token1 = ${token}) ORDER BY seq`
    ),
    swapsOf
  )
