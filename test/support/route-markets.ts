/** Markets for tests of routes: pools as values of their kinds, found by their tokens. */
import type { PoolMarket, TradePool } from "../../engine/trade/pools/pool-market.ts"
import { rangePoolState } from "../../streams/evm/range-pool.ts"
import { venueKinds } from "../../streams/evm/venue-kinds.ts"
import type { AnyVenueKind } from "../../streams/venue.ts"
import type { OraclePool } from "./split-oracle.ts"

export const kindOf = (name: string): AnyVenueKind => {
  const found = venueKinds.find(({ kind }) => kind === name)
  if (found === undefined) throw new Error(`no kind ${name}`)
  return found
}

const pairKey = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`)

export const marketOf = (pools: ReadonlyArray<TradePool>): PoolMarket => {
  const byPair = new Map<string, Array<TradePool>>()
  for (const pool of pools) {
    const { tokens } = pool.facts
    for (const [i, a] of tokens.entries()) {
      for (const b of tokens.slice(i + 1)) {
        const key = pairKey(a, b)
        const list = byPair.get(key)
        if (list === undefined) byPair.set(key, [pool])
        else list.push(pool)
      }
    }
  }
  return { between: (a, b) => byPair.get(pairKey(a, b)) ?? [] }
}

/** What the search does not look at. */
export const LISTED = { factory: null, isNative: false }

/** A pool of the oracle's as one of the market's, its id being its number. */
export const tradePoolOf = (pool: OraclePool, number: number): TradePool => {
  const id = `0x${number.toString(16).padStart(40, "0")}`
  const { token0, token1, fee } = pool
  const facts = {
    pool: id,
    tokens: [token0, token1],
    fee,
    tickSpacing: pool.type === "v2" ? null : pool.tickSpacing,
    decimals: [18, 18]
  }
  if (pool.type === "v2") {
    const state = { pool: id, reserves: [pool.reserve0, pool.reserve1] }
    return { pool: id, dex: "pairs_v2", kind: kindOf("uniswap-v2"), facts, state, ...LISTED }
  }
  const { sqrtPriceX96, tick, liquidity, tickSpacing } = pool
  const ticks = pool.ticks.map(({ tick: at, net }) => ({
    tick: at,
    net,
    gross: net < 0n ? -net : net
  }))
  const state = rangePoolState(id, tickSpacing, { sqrtPriceX96, tick, liquidity }, ticks)
  return { pool: id, dex: "ranges_v3", kind: kindOf("uniswap-v3"), facts, state, ...LISTED }
}
