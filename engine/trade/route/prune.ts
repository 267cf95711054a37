/** Takes out of a split what may not be in it, and what is not worth its gas. */
import { boughtFor } from "../../../src/math/price-curve/curve.ts"
import type { TradePool } from "../pools/pool-market.ts"
import type { HopPool } from "./hop.ts"
import { type Flow, type Path, type Split, splitOver, withoutPool } from "./path.ts"
import type { Loss } from "./route.ts"

/** A part of a split that can be taken out. */
interface Part {
  readonly path: Path
  /** null: the whole path */
  readonly leg: { readonly place: number; readonly pool: HopPool } | null
  readonly pools: ReadonlyArray<TradePool>
  /** what it buys beyond what others would at the marginal price: the least loss without it */
  readonly surplus: number
}

/** Told of each pool that is taken out, by its place in the path. */
export type OnLoss = (path: Path, place: number, pool: HopPool, reason: Loss) => void

/** What a split's legs buy beyond the marginal price, in the bought token. */
const partsOf = (flow: Flow, cost: number): ReadonlyArray<Part> => {
  const { path, sold, hops } = flow
  const parts: Array<Part> = []
  const all: Array<TradePool> = []
  // what a unit that a hop buys is worth at the end
  let worth = 1
  for (let place = hops.length - 1; place >= 0; place--) {
    const { pools } = path.hops[place] as Path["hops"][number]
    const merged = hops[place] as Flow["hops"][number]
    const price = 1 / (merged.cost * merged.cost)
    const used = pools.flatMap((_, i) => ((merged.shares[i] as number) > 0 ? [i] : []))
    for (const i of used) {
      const pool = pools[i] as HopPool
      const share = merged.shares[i] as number
      const surplus = Math.max(0, boughtFor(pool.curve, share) - share * price) * worth
      all.push(pool.pool)
      parts.push({ path, leg: { place, pool }, pools: [pool.pool], surplus })
    }
    worth *= price
  }
  const surplus = Math.max(0, boughtFor(path.curve, sold) - sold / (cost * cost))
  return [{ path, leg: null, pools: all, surplus }, ...parts]
}

const allParts = ({ flows, cost }: Split): ReadonlyArray<Part> =>
  flows.flatMap(flow => partsOf(flow, cost))

/** What a leg on a pool costs, in the bought token. */
export type DueOf = (pool: TradePool) => number

/** What legs on the pools have to add: their gas, each of them at least so much. */
const dueOf = (pools: ReadonlyArray<TradePool>, gas: DueOf, atLeast: number): number =>
  pools.reduce((sum, pool) => sum + Math.max(gas(pool), atLeast), 0)

/** Pools with a part in a split. */
const poolsOf = (split: Split): ReadonlyArray<TradePool> =>
  allParts(split).flatMap(({ leg, pools }) => (leg === null ? pools : []))

const partKey = ({ path, leg }: Part): string =>
  [
    ...path.hops.map(hop => hop.tokenOut),
    ...(leg === null ? [] : [leg.place, leg.pool.pool.pool])
  ].join(" ")

/**
 * Serves each pool's state once: of legs on one pool, of many tokens or on several paths, the one
 * that gains most stays, and the others' parts go to other pools.
 */
export const withoutSharing = (split: Split, most: number, lose: OnLoss): Split => {
  let current = split
  for (;;) {
    const best = new Map<string, Part>()
    const worse: Array<Part> = []
    for (const part of allParts(current)) {
      if (part.leg === null) continue
      const { pool } = part.leg.pool.pool
      const other = best.get(pool)
      if (other === undefined) best.set(pool, part)
      else {
        const isBetter = part.surplus > other.surplus
        worse.push(isBetter ? other : part)
        if (isBetter) best.set(pool, part)
      }
    }
    if (worse.length === 0) return current
    let { paths } = current
    for (const { path, leg } of worse) {
      if (leg === null) continue
      // An earlier one of these may have made the path anew.
      const now = paths.find(one => samePath(one, path))
      if (now === undefined) continue
      paths = withoutPool(paths, now, leg.place, leg.pool)
      lose(path, leg.place, leg.pool, "used-elsewhere")
    }
    current = splitOver(paths, most)
  }
}

const samePath = (a: Path, b: Path): boolean =>
  a.hops.length === b.hops.length && a.hops.every((hop, i) => hop.tokenOut === b.hops[i]?.tokenOut)

/**
 * Takes out, one after the other, legs and paths that add less than their gas, the least first.
 * Where gas is cheap or unknown a leg still has to add the part `least` of all.
 */
export const withoutDearLegs = (
  split: Split,
  most: number,
  gas: DueOf,
  least: number,
  lose: OnLoss
): Split => {
  const worthIts = new Set<string>()
  let current = split
  for (let part = dearest(current, worthIts, gas, least); part !== null; ) {
    const { path, leg } = part
    const paths =
      leg === null
        ? current.paths.filter(one => one !== path)
        : withoutPool(current.paths, path, leg.place, leg.pool)
    const losses: Array<Parameters<OnLoss>> = []
    const next = withoutSharing(splitOver(paths, most), most, (...loss) => losses.push(loss))
    const atLeast = current.bought * least
    const saved = dueOf(poolsOf(current), gas, atLeast) - dueOf(poolsOf(next), gas, atLeast)
    const isBetter = next.sold >= current.sold * WHOLE && next.bought + saved > current.bought
    if (isBetter) {
      if (leg !== null) lose(path, leg.place, leg.pool, "below-gas")
      else {
        for (const [place, { pools }] of path.hops.entries())
          for (const pool of pools) lose(path, place, pool, "below-gas")
      }
      for (const loss of losses) lose(...loss)
      current = next
    } else worthIts.add(partKey(part))
    part = dearest(current, worthIts, gas, least)
  }
  return current
}

/** What a sale may come short of by rounding. */
const WHOLE = 1 - 1e-12

/** The part that would save most, of those that may be worth less than their gas. */
const dearest = (
  split: Split,
  worthIts: ReadonlySet<string>,
  gas: DueOf,
  least: number
): Part | null => {
  if (split.legs <= 1) return null
  let costliest: Part | null = null
  let gain = 0
  for (const part of allParts(split)) {
    const saved = dueOf(part.pools, gas, split.bought * least) - part.surplus
    // Of equal ones the last goes, so that the first by price and id stays.
    if (saved <= 0 || saved < gain || part.pools.length >= split.legs) continue
    if (!worthIts.has(partKey(part))) [costliest, gain] = [part, saved]
  }
  return costliest
}
