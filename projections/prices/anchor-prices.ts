/**
 * The dollar price of anchors that are not dollars themselves: the depth-weighted mean over the
 * pools that quote them in better-ranked anchors, those of listed venues where one is deep enough:
 * what a contract of its own logs of its depth anybody can write. Recomputed over those pools in
 * slot order, so the sum never depends on the order of updates.
 */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { MIN_DEPTH_USD } from "./anchors.ts"
import type { PoolPrices } from "./projection.ts"

export class AnchorPrices {
  private readonly poolPrices: SlotTable<PoolPrices>
  private readonly isListed: (pool: number) => boolean
  /** pools that ever were deep enough, by anchor, in slot order */
  private readonly pools = new Map<number, Array<number>>()

  constructor(poolPrices: SlotTable<PoolPrices>, isListed: (pool: number) => boolean) {
    this.poolPrices = poolPrices
    this.isListed = isListed
  }

  reset(): void {
    this.pools.clear()
  }

  /** Remembers a pool that prices the anchor. */
  note(token: number, pool: number): void {
    if (!((this.poolPrices.columns.depth_usd[pool] as number) >= MIN_DEPTH_USD)) return
    const list = this.pools.get(token)
    if (list === undefined) this.pools.set(token, [pool])
    else if (!list.includes(pool)) {
      list.push(pool)
      list.sort((a, b) => a - b)
    }
  }

  /** The anchor's price after a change of `pool`; NaN while no pool is deep enough. */
  update(token: number, pool: number): { readonly price: number; readonly depth: number } {
    this.note(token, pool)
    const known = this.pools.get(token) ?? []
    return this.mean(known, true) ?? this.mean(known, false) ?? { price: Number.NaN, depth: 0 }
  }

  /** The mean over the deep ones of these pools that are listed or not; null without any. */
  private mean(pools: ReadonlyArray<number>, listed: boolean) {
    const { price, depth_usd } = this.poolPrices.columns
    let weighted = 0
    let depth = 0
    for (const p of pools) {
      const weight = depth_usd[p] as number
      if (!(weight >= MIN_DEPTH_USD) || this.isListed(p) !== listed) continue
      weighted += (price[p] as number) * weight
      depth += weight
    }
    return depth > 0 ? { price: weighted / depth, depth } : null
  }
}
