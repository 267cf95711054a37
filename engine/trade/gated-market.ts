/** The pools of an order that its safety gates let through. */
import type { ChainConfig } from "../../src/domain/chain.ts"
import { contractOf, countsArrival } from "./contract/adapter-of.ts"
import type { PoolMarket, TradePool } from "./pools/pool-market.ts"
import type { QuoteOrder } from "./quote.ts"
import type { Candidate } from "./route/route.ts"

/** A pool that a gate keeps out. */
export interface GatedPool extends Candidate {
  readonly lost: "suspect" | "transfer-tax"
}

export class GatedMarket implements PoolMarket {
  /** what was kept out of what was asked for, each pool once */
  readonly kept: Array<GatedPool> = []
  private readonly chain: ChainConfig
  private readonly market: PoolMarket
  private readonly suspects: ReadonlySet<string>
  /** tokens and the contracts beside which they are taxed */
  private readonly taxed: ReadonlySet<string>
  private readonly seen = new Set<string>()

  constructor(chain: ChainConfig, market: PoolMarket, { suspects, taxed }: QuoteOrder) {
    this.chain = chain
    this.market = market
    this.suspects = new Set(suspects)
    this.taxed = new Set(taxed.map(({ token, pool }) => `${token} ${pool}`))
  }

  readonly between = (tokenA: string, tokenB: string): ReadonlyArray<TradePool> => {
    const pools = this.market.between(tokenA, tokenB)
    const { suspects, taxed } = this
    if (suspects.size === 0 && taxed.size === 0) return pools
    return pools.filter(pool => {
      const lost = this.gateOf(pool, [tokenA, tokenB])
      if (lost === null) return true
      if (!this.seen.has(pool.pool)) {
        this.seen.add(pool.pool)
        this.kept.push({ pool: pool.pool, dex: pool.dex, tokenIn: tokenA, tokenOut: tokenB, lost })
      }
      return false
    })
  }

  private gateOf(pool: TradePool, tokens: ReadonlyArray<string>): GatedPool["lost"] | null {
    if (this.suspects.has(pool.pool)) return "suspect"
    // others revert where less arrives than they are told of
    if (this.taxed.size === 0 || countsArrival(pool)) return null
    const contract = contractOf(this.chain, pool)
    return tokens.some(token => this.taxed.has(`${token} ${contract}`)) ? "transfer-tax" : null
  }
}
