/** A price curve through exact quotes, for pools that tell none themselves. */
import type { Piece, PriceCurve } from "../../../src/math/price-curve/curve.ts"

export interface Sample {
  readonly sold: number
  readonly bought: number
}

/** The samples on the least concave line over all of them, beginning at nothing; ascending. */
const hullOf = (samples: ReadonlyArray<Sample>): ReadonlyArray<Sample> => {
  const hull: Array<Sample> = [{ sold: 0, bought: 0 }]
  for (const sample of samples) {
    const last = hull.at(-1) as Sample
    if (sample.sold <= last.sold || sample.bought <= last.bought) continue
    for (;;) {
      const [before, top] = [hull.at(-2), hull.at(-1) as Sample]
      if (before === undefined) break
      const rise = (top.bought - before.bought) * (sample.sold - top.sold)
      if (rise > (sample.bought - top.bought) * (top.sold - before.sold)) break
      hull.pop()
    }
    hull.push(sample)
  }
  return hull
}

interface Stretch {
  readonly sold: number
  /** root of the mean cost */
  readonly mean: number
}

/** Where the cost of a stretch ends and that of the next begins: nearer to the shorter one's. */
const boundBetween = (a: Stretch | undefined, b: Stretch | undefined): number | null =>
  a === undefined || b === undefined
    ? null
    : a.mean + ((b.mean - a.mean) * a.sold) / (a.sold + b.sold)

/**
 * The curve through samples in ascending order: between two of them a piece that sells and buys
 * what they differ by, as steep as its neighbours allow.
 */
export const sampledCurve = (samples: ReadonlyArray<Sample>): PriceCurve => {
  const hull = hullOf(samples)
  const stretches = hull.slice(1).map(({ sold, bought }, i): Stretch => {
    const before = hull[i] as Sample
    const width = sold - before.sold
    return { sold: width, mean: Math.sqrt(width / (bought - before.bought)) }
  })
  return stretches.map((stretch, i): Piece => {
    const { sold, mean } = stretch
    const below = boundBetween(stretches[i - 1], stretch)
    const above = boundBetween(stretch, stretches[i + 1])
    const steepest = Math.min(
      below === null ? Number.POSITIVE_INFINITY : mean / below,
      above === null ? Number.POSITIVE_INFINITY : above / mean
    )
    const ratio = steepest === Number.POSITIVE_INFINITY ? 1 : steepest
    const [from, to] = [mean / ratio, mean * ratio]
    return to > from
      ? { from, to, depth: sold / (to - from), sold }
      : { from: mean, to: mean, depth: Number.POSITIVE_INFINITY, sold }
  })
}
