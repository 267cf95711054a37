/** The two sides of a pool as prices see them: which is the quote, and what each counts as. */
import { NONE } from "../../streams/batch/id-table.ts"
import type { Pools } from "../pools/output.ts"
import type { Anchors } from "./anchors.ts"

export class Pair {
  /** of the pair last looked at: its quote and base token */
  quoteIs0 = false
  quote = NONE
  base = NONE
  /** quote and base, where the native unit counts as its wrapped token */
  quoteAs = NONE
  baseAs = NONE
  readonly anchors: Anchors
  private readonly pools: Pools

  constructor(pools: Pools, anchors: Anchors) {
    this.pools = pools
    this.anchors = anchors
  }

  /** Looks at a pool's first two tokens. Returns false where one is unknown. */
  look(pool: number): boolean {
    const facts = this.pools.columns()
    return this.of(facts.token0[pool] as number, facts.token1[pool] as number)
  }

  /** Looks at two tokens. Returns false where one is unknown. */
  of(token0: number, token1: number): boolean {
    if (token0 === NONE || token1 === NONE) return false
    const { anchors } = this
    this.quoteIs0 = anchors.rank(token0) <= anchors.rank(token1)
    this.quote = this.quoteIs0 ? token0 : token1
    this.base = this.quoteIs0 ? token1 : token0
    this.quoteAs = anchors.as(this.quote, this.base)
    this.baseAs = anchors.as(this.base, this.quote)
    return true
  }

  /**
   * Whether the price of the base is per raw unit: while its decimals are unknown, where no other
   * token counts as the base.
   */
  inUnits(scale: number): boolean {
    return Number.isNaN(scale) && this.anchors.isOwn(this.base)
  }
}
