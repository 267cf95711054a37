/** Paths from one token to another, and the split of a sale over them by marginal price. */
import { chainCurves } from "../../../src/math/price-curve/chain.ts"
import type { Piece, PriceCurve } from "../../../src/math/price-curve/curve.ts"
import { type Merged, mergeCurves } from "../../../src/math/price-curve/merge.ts"
import { type Hop, type HopPool, hopOf, saleAfter } from "./hop.ts"

/** Hops one after the other, each of parallel pools. */
export interface Path {
  readonly hops: ReadonlyArray<Hop>
  /** what selling along it comes to */
  readonly curve: PriceCurve
}

/** A path's part of a sale: what each pool of each hop takes. */
export interface Flow {
  readonly path: Path
  readonly sold: number
  readonly hops: ReadonlyArray<Merged>
}

export interface Split {
  readonly paths: ReadonlyArray<Path>
  /** all paths together, up to the sale */
  readonly curve: PriceCurve
  readonly flows: ReadonlyArray<Flow>
  readonly sold: number
  readonly bought: number
  /** root of the marginal cost */
  readonly cost: number
  /** pools with a part */
  readonly legs: number
}

/** What of a hop that ends is used behind another: quotes may end a few units before the curve. */
const USED = 1 - 1e-9

/**
 * The hop's curve, short of its end where it has one: it must take all that is bought before it.
 */
const laterCurve = ({ curve, sold, ends }: Hop): PriceCurve => {
  if (!ends) return curve
  const kept: Array<Piece> = []
  let left = sold * USED
  for (const piece of curve) {
    if (left <= 0) break
    kept.push(left >= piece.sold ? piece : shortened(piece, left))
    left -= piece.sold
  }
  return kept
}

const shortened = ({ from, to, depth }: Piece, sold: number): Piece => ({
  from,
  to: Math.min(to, from + sold / depth),
  depth,
  sold
})

export const pathOf = (hops: ReadonlyArray<Hop>): Path => ({
  hops,
  curve: hops
    .slice(1)
    .reduce((curve, hop) => chainCurves(curve, laterCurve(hop)), hops[0]?.curve ?? [])
})

const curvesOf = (hop: Hop): ReadonlyArray<PriceCurve> => hop.pools.map(({ curve }) => curve)

/** How a sale along the path is split in each of its hops. */
const flowOf = (path: Path, sold: number): Flow => {
  const hops: Array<Merged> = []
  let amount = sold
  for (const hop of path.hops) {
    const merged = mergeCurves(curvesOf(hop), amount)
    hops.push(merged)
    amount = merged.bought
  }
  return { path, sold, hops }
}

const legsOf = ({ hops }: Flow): number =>
  hops.reduce((sum, { shares }) => sum + shares.filter(share => share > 0).length, 0)

/** The best split of a sale over paths, as if gas cost nothing and no two shared a pool. */
export const splitOver = (paths: ReadonlyArray<Path>, most: number): Split => {
  const merged = mergeCurves(
    paths.map(({ curve }) => curve),
    most
  )
  const { curve, sold, bought, cost, shares } = merged
  const flows = paths.flatMap((path, i) => {
    const share = shares[i] as number
    return share > 0 ? [flowOf(path, share)] : []
  })
  const legs = flows.reduce((sum, flow) => sum + legsOf(flow), 0)
  return { paths, curve, flows, sold, bought, cost, legs }
}

/** Paths without a pool of a hop; a path that has no other there is gone. */
export const withoutPool = (
  paths: ReadonlyArray<Path>,
  path: Path,
  place: number,
  pool: HopPool
): ReadonlyArray<Path> =>
  paths.flatMap(one => {
    if (one !== path) return [one]
    const hops: Array<Hop> = []
    let sold = one.hops[0]?.sold ?? 0
    for (const [i, hop] of one.hops.entries()) {
      const pools = i === place ? hop.pools.filter(other => other !== pool) : hop.pools
      if (pools.length === 0) return []
      const kept = hopOf(hop.tokenIn, hop.tokenOut, pools, sold)
      hops.push(kept)
      sold = saleAfter(kept.bought)
    }
    return [pathOf(hops)]
  })
