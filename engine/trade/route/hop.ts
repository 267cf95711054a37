/** The pools that can serve one hop of a route, the best of them chosen by the size of the sale. */
import { boughtFor, type PriceCurve } from "../../../src/math/price-curve/curve.ts"
import { mergeCurves } from "../../../src/math/price-curve/merge.ts"
import type { PoolMarket, TradePool } from "../pools/pool-market.ts"
import type { PoolCurve, PoolCurves } from "./pool-curves.ts"
import type { Candidate, Loss } from "./route.ts"

/** Pools of a hop that splits are tried on. */
const MOST_POOLS = 12
/** Of these, so many because they pay most for the whole sale, as fewer legs cost less gas. */
const MOST_SINGLE = 3

export interface HopPool extends PoolCurve {
  readonly pool: TradePool
}

export interface Hop {
  readonly tokenIn: string
  readonly tokenOut: string
  readonly pools: ReadonlyArray<HopPool>
  /** what the pools together buy, and take, of the largest sale */
  readonly curve: PriceCurve
  readonly sold: number
  readonly bought: number
  /** true where the largest sale is more than they take */
  readonly ends: boolean
}

/** What a search looks at, and what it met: pools with no place in the route, in order. */
export interface Search {
  readonly market: PoolMarket
  readonly curves: PoolCurves
  readonly onlyDex: string | null
  /** pools that refused a leg, and why */
  readonly banned: Map<string, Loss>
  readonly lost: Array<Candidate>
}

/** A leg that a pool could be: pools of many tokens can be several. */
export const legKey = (pool: string, tokenIn: string, tokenOut: string): string =>
  `${pool} ${tokenIn} ${tokenOut}`

/** Root of the first unit's cost. */
export const startOf = ({ curve }: HopPool): number => curve[0]?.from ?? Number.POSITIVE_INFINITY

const byId = (a: TradePool, b: TradePool): number =>
  a.pool < b.pool ? -1 : a.pool > b.pool ? 1 : 0

/** The cheapest first unit first; by id where two are alike. */
const inOrder = (a: HopPool, b: HopPool): number => startOf(a) - startOf(b) || byId(a.pool, b.pool)

const indicesBy = (count: number, value: (index: number) => number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => index).sort((a, b) => value(b) - value(a) || a - b)

/**
 * The pools with the most to give in the best split of the sale, and those that pay most for all of
 * it. A pool with no part in that split has none in a smaller one either.
 */
const chosen = (pools: ReadonlyArray<HopPool>, most: number): ReadonlyArray<Loss | null> => {
  const { shares, cost } = mergeCurves(
    pools.map(({ curve }) => curve),
    most
  )
  const surplus = pools.map(({ curve }, i) => {
    const share = shares[i] as number
    return share > 0 ? boughtFor(curve, share) - share / (cost * cost) : -1
  })
  const whole = pools.map(({ curve }) => boughtFor(curve, most))
  const kept = new Set(indicesBy(pools.length, i => whole[i] as number).slice(0, MOST_SINGLE))
  for (const index of indicesBy(pools.length, i => surplus[i] as number)) {
    if (kept.size >= MOST_POOLS || (surplus[index] as number) < 0) break
    kept.add(index)
  }
  return pools.map((_, i) =>
    kept.has(i) ? null : (shares[i] as number) > 0 ? "left-out" : "worse-price"
  )
}

/** The hop for sales of up to `most` raw units; null where no pool can serve it. */
export const hopBetween = (
  search: Search,
  tokenIn: string,
  tokenOut: string,
  most: bigint
): Hop | null => {
  const { market, curves, onlyDex, banned, lost } = search
  const lose = ({ pool, dex }: TradePool, reason: Loss) =>
    lost.push({ pool, dex, tokenIn, tokenOut, lost: reason })
  const refused: Array<readonly [TradePool, Loss]> = []
  const all: Array<HopPool> = []
  for (const pool of market.between(tokenIn, tokenOut)) {
    if (onlyDex !== null && pool.dex !== onlyDex) continue
    const ban = banned.get(legKey(pool.pool, tokenIn, tokenOut))
    const curve = ban ?? curves.of(pool, tokenIn, tokenOut, most)
    if (typeof curve === "string") refused.push([pool, curve])
    else all.push({ pool, ...curve })
  }
  refused.sort(([a], [b]) => byId(a, b))
  for (const [pool, reason] of refused) lose(pool, reason)
  if (all.length === 0) return null
  all.sort(inOrder)
  const losses = all.length > MOST_SINGLE ? chosen(all, Number(most)) : all.map(() => null)
  const pools = all.filter(({ pool }, i) => {
    const loss = losses[i] ?? null
    if (loss !== null) lose(pool, loss)
    return loss === null
  })
  return hopOf(tokenIn, tokenOut, pools, Number(most))
}

/** By how much a hop is looked at beyond what the one before it buys. */
const HEADROOM = 1e-8

/**
 * The sale that a hop is looked at for, of what the one before it buys: a little more, since a
 * curve that ends in the middle of a unit, or by a rounding before it, would leave a part of an
 * order unsold.
 */
export const saleAfter = (bought: number): number => Math.ceil(bought * (1 + HEADROOM)) + 1

export const hopOf = (
  tokenIn: string,
  tokenOut: string,
  pools: ReadonlyArray<HopPool>,
  most: number
): Hop => {
  const { curve, sold, bought } = mergeCurves(
    pools.map(one => one.curve),
    most
  )
  return { tokenIn, tokenOut, pools, curve, sold, bought, ends: sold < most }
}
