/**
 * Sells into one curve and what that buys into the next. Marginal costs multiply, and a piece of
 * the first against a piece of the second is a piece again: with `a`, `b` the roots of their
 * costs and `s`, `t` their depths, it begins at `a b` and has the depth `1 / (b / s + 1 / (t
 * a))`. (Both are Möbius functions of the input, which are closed under composition.)
 */
import type { Piece, PriceCurve } from "./curve.ts"

/** A place on a curve: a piece, the root of the cost reached on it, and of a step what is left. */
interface Place {
  readonly curve: PriceCurve
  index: number
  cost: number
  left: number
}

const begin = (place: Place): Piece | undefined => {
  const piece = place.curve[place.index]
  if (piece !== undefined) {
    place.cost = piece.from
    place.left = piece.sold
  }
  return piece
}

const isStep = ({ depth }: Piece): boolean => depth === Number.POSITIVE_INFINITY

/** What the rest of the first curve's piece buys. */
const boughtAhead = (piece: Piece, { cost, left }: Place): number => {
  if (isStep(piece)) return left / (cost * cost)
  const { to, depth } = piece
  return to === Number.POSITIVE_INFINITY ? depth / cost : (depth * (to - cost)) / (cost * to)
}

/** What the rest of the second curve's piece takes. */
const takenAhead = (piece: Piece, { cost, left }: Place): number =>
  isStep(piece) ? left : piece.depth * (piece.to - cost)

/** Both curves one after the other, as far as neither ends. */
export const chainCurves = (first: PriceCurve, second: PriceCurve): PriceCurve => {
  const chained: Array<Piece> = []
  const a: Place = { curve: first, index: 0, cost: 0, left: 0 }
  const b: Place = { curve: second, index: 0, cost: 0, left: 0 }
  let f = begin(a)
  let g = begin(b)
  while (f !== undefined && g !== undefined) {
    const bought = boughtAhead(f, a)
    const taken = takenAhead(g, b)
    const middle = Math.min(bought, taken)
    const fTo =
      bought <= taken ? f.to : isStep(f) ? f.from : a.cost / (1 - (middle * a.cost) / f.depth)
    const gTo = taken <= bought ? g.to : isStep(g) ? g.from : b.cost + middle / g.depth
    const sold = fTo === Number.POSITIVE_INFINITY ? fTo : middle * a.cost * fTo
    const depth = 1 / (b.cost / f.depth + 1 / (g.depth * a.cost))
    if (sold > 0) chained.push({ from: a.cost * b.cost, to: fTo * gTo, depth, sold })
    if (bought <= taken) {
      a.index++
      f = begin(a)
    } else {
      a.cost = fTo
      a.left -= sold
    }
    if (taken <= bought) {
      b.index++
      g = begin(b)
    } else {
      b.cost = gTo
      b.left -= middle
    }
  }
  return chained
}
