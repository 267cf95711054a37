/** What answers about liquidity tell of a pool and its first two tokens. */
import type { FoldsView } from "../../../engine/query.ts"
import { pools } from "../../../projections/pools/output.ts"
import { pricesOutput } from "../../../projections/prices/output.ts"
import { tokens } from "../../../projections/tokens/output.ts"
import { NONE } from "../../../streams/batch/id-table.ts"
import { kindsOfDepth } from "../../../streams/pool-venue.ts"

/** Returns address and symbol of a token; null for none that is known. */
export const tokenFacts = (view: FoldsView, token: number | null | undefined) => {
  if (token === null || token === undefined || token === NONE) return null
  const { addressOf, columns } = view.output(tokens)
  return { address: addressOf(token), symbol: columns().symbol[token] ?? null }
}

/** Returns a pool as answers name it. */
export const poolFacts = (view: FoldsView, pool: number) => {
  const { columns, idText, tokenAt } = view.output(pools)
  return {
    pool: idText(pool),
    dex: columns().venue[pool] ?? null,
    token0: tokenFacts(view, tokenAt(pool, 0)),
    token1: tokenFacts(view, tokenAt(pool, 1))
  }
}

/** Whether the log has the pool's making, so that nothing was added before it. */
export const isWhole = (view: Pick<FoldsView, "output">, pool: number): boolean => {
  const { poolPrices } = view.output(pricesOutput).books
  return pool < poolPrices.count && (poolPrices.columns.created_ts[pool] as number) > 0
}

/**
 * Returns whole tokens that the pool holds; null where nobody told, and of ranges that are known by
 * their liquidity.
 */
export const reservesOf = (view: FoldsView, pool: number) => {
  const { poolPrices } = view.output(pricesOutput).books
  const c = poolPrices.columns
  const { columns, tokenAt } = view.output(pools)
  const isWeighed = kindsOfDepth.has(columns().kind[pool] ?? "")
  if (pool >= poolPrices.count || ((c.root[pool] as number) > 0 && !isWeighed)) return null
  const { scale } = view.output(tokens)
  const whole = (raw: number, place: number): number | null => {
    const token = tokenAt(pool, place)
    const amount = token === NONE ? Number.NaN : raw / scale(token)
    return Number.isFinite(amount) ? amount : null
  }
  if (c.told[pool] === 0) return null
  return {
    amount0: whole(c.reserve0[pool] as number, 0),
    amount1: whole(c.reserve1[pool] as number, 1)
  }
}
