/** The pools of a chain that the router contract can trade with, and how many others there are. */
import type { ChainConfig } from "../../src/domain/chain.ts"
import { adaptedPool } from "./contract/adapter-of.ts"
import type { PoolMarket, TradePool } from "./pools/pool-market.ts"

/** Pools of a venue that give no quote, by the reason. */
export interface Cause {
  readonly dex: string
  readonly reason: string
  readonly pools: number
}

export class ExecutableMarket implements PoolMarket {
  private readonly chain: ChainConfig
  private readonly market: PoolMarket
  private readonly known = new WeakMap<TradePool, boolean>()

  constructor(chain: ChainConfig, market: PoolMarket) {
    this.chain = chain
    this.market = market
  }

  readonly between = (tokenA: string, tokenB: string): ReadonlyArray<TradePool> =>
    this.market.between(tokenA, tokenB).filter(pool => this.isExecutable(pool, tokenA, tokenB))

  /** Pools of a pair that the contract cannot trade with, by venue. */
  others(tokenA: string, tokenB: string): ReadonlyArray<Cause> {
    const counts = new Map<string, number>()
    for (const pool of this.market.between(tokenA, tokenB)) {
      if (this.isExecutable(pool, tokenA, tokenB)) continue
      counts.set(pool.dex, (counts.get(pool.dex) ?? 0) + 1)
    }
    return [...counts].map(([dex, pools]) => ({ dex, reason: "not-executable", pools }))
  }

  private isExecutable(pool: TradePool, tokenA: string, tokenB: string): boolean {
    const known = this.known.get(pool)
    if (known !== undefined) return known
    const is = adaptedPool(this.chain, pool, tokenA, tokenB) !== null
    this.known.set(pool, is)
    return is
  }
}
