/**
 * Splits a sale over curves so that it buys the most: every curve is sold into up to the same
 * marginal cost. At a cost the inputs of all curves add up, so the depths of their pieces do, and
 * the curves together are a curve again, exactly.
 */
import { boughtWithin, type Piece, type PriceCurve } from "./curve.ts"

export interface Merged {
  /** the curves together, up to the sale */
  readonly curve: PriceCurve
  /** what of the sale each curve takes */
  readonly shares: Float64Array
  /** the whole sale, or all that the curves take */
  readonly sold: number
  readonly bought: number
  /** root of the marginal cost at its end; Infinity where there is no curve */
  readonly cost: number
}

interface Sweep {
  readonly curves: ReadonlyArray<PriceCurve>
  readonly most: number
  /** curves that have begun: which, and at which of their pieces */
  readonly running: Array<number>
  readonly places: Int32Array
  readonly shares: Float64Array
  readonly pieces: Array<Piece>
  sold: number
  cost: number
}

const current = ({ curves, places }: Sweep, which: number): Piece | undefined =>
  curves[which]?.[places[which] as number]

/** Sells into what trades at one price here. True where that ends the sale. */
const takeSteps = (sweep: Sweep): boolean => {
  const { running, places, shares, cost } = sweep
  for (;;) {
    let whole = 0
    for (const which of running) {
      const piece = current(sweep, which) as Piece
      if (piece.from <= cost && piece.to <= cost) whole += piece.sold
    }
    if (whole === 0) return false
    const part = Math.min(1, (sweep.most - sweep.sold) / whole)
    for (const which of running) {
      const piece = current(sweep, which) as Piece
      if (piece.from > cost || piece.to > cost) continue
      shares[which] = (shares[which] as number) + piece.sold * part
      places[which] = (places[which] as number) + 1
    }
    const sold = whole * part
    sweep.pieces.push({ from: cost, to: cost, depth: Number.POSITIVE_INFINITY, sold })
    sweep.sold += sold
    dropEnded(sweep)
    if (part < 1 || sweep.sold >= sweep.most) return true
  }
}

const dropEnded = (sweep: Sweep): void => {
  const { running } = sweep
  let kept = 0
  for (const which of running) {
    if (current(sweep, which) !== undefined) running[kept++] = which
  }
  running.length = kept
}

/** Sells up to the cost `until`. True where that ends the sale. */
const slide = (sweep: Sweep, until: number): boolean => {
  const { running, shares, cost, most } = sweep
  let depth = 0
  for (const which of running) {
    const piece = current(sweep, which) as Piece
    if (piece.from <= cost) depth += piece.depth
  }
  if (depth === 0) {
    sweep.cost = until
    return false
  }
  const left = most - sweep.sold
  const whole = depth * (until - cost)
  const ends = whole >= left
  const sold = ends ? left : whole
  for (const which of running) {
    const piece = current(sweep, which) as Piece
    if (piece.from <= cost) shares[which] = (shares[which] as number) + sold * (piece.depth / depth)
  }
  const to = ends ? cost + left / depth : until
  sweep.pieces.push({ from: cost, to, depth, sold })
  sweep.sold += sold
  sweep.cost = to
  return ends
}

/** Leaves the pieces that end here. */
const passEnds = (sweep: Sweep): void => {
  const { running, places, cost } = sweep
  for (const which of running) {
    const piece = current(sweep, which) as Piece
    if (piece.from < piece.to && piece.to <= cost) places[which] = (places[which] as number) + 1
  }
  dropEnded(sweep)
}

const nextBound = (sweep: Sweep): number => {
  let bound = Number.POSITIVE_INFINITY
  for (const which of sweep.running) {
    const { from, to } = current(sweep, which) as Piece
    bound = Math.min(bound, from > sweep.cost ? from : to)
  }
  return bound
}

/** Splits a sale of `most`, above zero and finite. Equal curves share in the order they come in. */
export const mergeCurves = (curves: ReadonlyArray<PriceCurve>, most: number): Merged => {
  const start = (which: number): number => curves[which]?.[0]?.from ?? Number.POSITIVE_INFINITY
  const waiting = curves
    .map((_, which) => which)
    .filter(which => start(which) < Number.POSITIVE_INFINITY)
    .sort((a, b) => start(a) - start(b))
  const sweep: Sweep = {
    curves,
    most,
    running: [],
    places: new Int32Array(curves.length),
    shares: new Float64Array(curves.length),
    pieces: [],
    sold: 0,
    cost: start(waiting[0] ?? -1)
  }
  for (let next = 0; next < waiting.length || sweep.running.length > 0; ) {
    if (sweep.running.length === 0 && next < waiting.length)
      sweep.cost = Math.max(sweep.cost, start(waiting[next] as number))
    while (next < waiting.length && start(waiting[next] as number) <= sweep.cost)
      sweep.running.push(waiting[next++] as number)
    if (takeSteps(sweep)) break
    const until = Math.min(nextBound(sweep), start(waiting[next] ?? -1))
    if (until === Number.POSITIVE_INFINITY && sweep.running.length === 0) continue
    if (slide(sweep, until)) break
    passEnds(sweep)
  }
  const { pieces, shares, sold, cost } = sweep
  const bought = pieces.reduce((sum, piece) => sum + boughtWithin(piece, piece.sold), 0)
  return { curve: pieces, shares, sold, bought, cost }
}
