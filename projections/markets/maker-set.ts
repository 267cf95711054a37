/**
 * Who traded which market in the last 25 hours and when last: pairs in the slots of a state table.
 * 25, so that any window of 24 hours to the second lies within.
 */

import { PairIndex } from "../../engine/memory/pair-index.ts"
import type { FoldContext } from "../../engine/projection.ts"
import { RecycledSlots } from "../../engine/store/recycled-slots.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { marketMakersTable } from "./tables.ts"

export class MakerSet {
  readonly table
  private readonly index: PairIndex
  private readonly free
  /** pairs that traded last before it are forgotten */
  private since = 0

  constructor({ state }: FoldContext) {
    this.table = state(marketMakersTable)
    const { columns } = this.table
    this.index = new PairIndex(
      () => columns.market,
      () => columns.wallet
    )
    this.free = new RecycledSlots(this.table, () => this.freeTest())
  }

  /** Whether a slot has no pair that is kept; the columns are read once for all slots. */
  private freeTest(): (slot: number) => boolean {
    const { since } = this
    const { market, bought0_ts, bought1_ts } = this.table.columns
    return slot =>
      market[slot] === NONE ||
      ((bought0_ts[slot] as number) < since && (bought1_ts[slot] as number) < since)
  }

  /** When a slot's wallet traded last. */
  lastOf(slot: number): number {
    const { bought0_ts, bought1_ts } = this.table.columns
    const [bought, sold] = [bought0_ts[slot] as number, bought1_ts[slot] as number]
    return Math.max(bought, sold)
  }

  /** Notes a swap of a pair; when it had one before, 0 for never. */
  see(market: number, wallet: number, bought0: number, ts: number): number {
    const slot = this.slotOf(market, wallet)
    const before = this.lastOf(slot)
    const { bought0_ts, bought1_ts } = this.table.columns
    const times = bought0 === 1 ? bought0_ts : bought1_ts
    times[slot] = ts
    this.table.touch(slot)
    return before
  }

  /** The slot of a pair; a new one's times are 0. */
  private slotOf(market: number, wallet: number): number {
    const known = this.index.find(market, wallet)
    if (known >= 0) return known
    const slot = this.free.take()
    const { columns } = this.table
    if (columns.market[slot] !== NONE) this.index.remove(slot)
    columns.market[slot] = market
    columns.wallet[slot] = wallet
    columns.bought0_ts[slot] = 0
    columns.bought1_ts[slot] = 0
    this.index.add(slot)
    return slot
  }

  /** Calls `visit` with every pair that is kept. */
  each(visit: (slot: number) => void): void {
    const isFree = this.freeTest()
    for (let slot = 0; slot < this.table.count; slot++) if (!isFree(slot)) visit(slot)
  }

  /** Calls `visit` with the market of every pair that is kept, and when it traded last. */
  eachLast(visit: (market: number, last: number) => void): void {
    const { market, bought0_ts, bought1_ts } = this.table.columns
    this.each(slot => {
      const [bought, sold] = [bought0_ts[slot] as number, bought1_ts[slot] as number]
      visit(market[slot] as number, Math.max(bought, sold))
    })
  }

  /** The slot of a pair, -1 where there is none. */
  find(market: number, wallet: number): number {
    return this.index.find(market, wallet)
  }

  /** By market: how many wallets traded since a second, of those markets that are 1 in `asked`. */
  countSince(asked: Uint8Array, since: number): Uint32Array {
    const { market, bought0_ts, bought1_ts } = this.table.columns
    const makers = new Uint32Array(asked.length)
    for (let slot = 0; slot < this.table.count; slot++) {
      const marketId = market[slot] as number
      if (asked[marketId] !== 1) continue
      if ((bought0_ts[slot] as number) < since && (bought1_ts[slot] as number) < since) continue
      makers[marketId] = (makers[marketId] as number) + 1
    }
    return makers
  }

  /** Pairs that traded last before `since` may make room. */
  advance(since: number): void {
    this.since = since
    this.free.rewind()
  }

  reload(since: number): void {
    this.advance(since)
    this.index.clear()
    const { market } = this.table.columns
    for (let slot = 0; slot < this.table.count; slot++) {
      if (market[slot] !== NONE) this.index.add(slot)
    }
  }
}
