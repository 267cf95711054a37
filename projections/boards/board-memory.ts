/** Indices of the folds' memory that are kept up as it grows. */
import type { OutputKey } from "../../engine/query.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { MarketFold } from "../markets/fold.ts"
import { DAY } from "../markets/hours.ts"
import { HourSlots } from "./hour-slots.ts"
import { Links } from "./links.ts"
import { PoolIndex } from "./pool-index.ts"

export class BoardMemory {
  readonly pools: PoolIndex
  private readonly links = new Links()
  private linked = 0
  private readonly hours = new HourSlots()

  constructor(chain: ChainConfig) {
    this.pools = new PoolIndex(chain)
  }

  /** The markets of a token, ascending. */
  marketsOf({ index }: MarketFold, token: number): Uint32Array {
    const { columns, count } = index.markets
    for (; this.linked < count; this.linked++) {
      for (const of of [columns.token0[this.linked], columns.token1[this.linked]]) {
        if (of !== undefined && of !== NONE) this.links.add(of, this.linked)
      }
    }
    return this.links.of(token)
  }

  /** The slot of a token's hour, -1 where it has none. */
  hourOf(fold: MarketFold, token: number, hour: number): number {
    this.hours.forget(fold.hour - DAY)
    return this.hours.find(fold.tokenHours, token, hour)
  }

  /** What the folds hold may be another: nothing is known any more. */
  clear(): void {
    this.pools.clear()
    this.links.clear()
    this.linked = 0
    this.hours.clear()
  }
}

export const boardsOutput: OutputKey<BoardMemory> = { name: "boards" }
