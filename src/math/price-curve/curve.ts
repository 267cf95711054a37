/**
 * What selling into a market costs, in floating point, in a form that is closed under splitting
 * an order and under chaining hops.
 *
 * The marginal cost of a sale is the input that the next unit of output takes; `c` is its square
 * root, and grows with what was sold. A curve is a list of pieces in ascending `c`. On a piece
 * the input grows with `c` at a constant rate, its `depth`: `sold = depth * (to - from)`, hence
 * `bought = depth * (1 / from - 1 / to) = sold / (from * to)`. A constant product with reserves
 * `x`, `y` and a fee that leaves the part `g` of the input is one piece: `from = sqrt(x / (g
 * y))`, `depth = sqrt(x y / g)`, no end. So is each range of concentrated liquidity, with an end.
 * A piece of one price has `from = to` and an infinite depth. Between pieces `c` may jump: there
 * is no liquidity.
 */
export interface Piece {
  readonly from: number
  readonly to: number
  readonly depth: number
  /** input that the whole piece takes; Infinity where it has no end */
  readonly sold: number
}

export type PriceCurve = ReadonlyArray<Piece>

/** The piece of a constant product, `kept` being what the fee leaves of the input; up to `most`. */
export const productPiece = (
  reserveIn: number,
  reserveOut: number,
  kept: number,
  most: number
): Piece => {
  const from = Math.sqrt(reserveIn / (kept * reserveOut))
  const depth = Math.sqrt((reserveIn * reserveOut) / kept)
  return { from, to: from + most / depth, depth, sold: most }
}

/** What `sold` of the input buys within a piece. */
export const boughtWithin = ({ from, to, depth, sold: whole }: Piece, sold: number): number => {
  if (sold === Number.POSITIVE_INFINITY) return depth / from
  const reached = sold >= whole ? to : from + sold / depth
  return sold / (from * reached)
}

/** What a sale buys; of more than the curve takes, what all it takes buys. */
export const boughtFor = (curve: PriceCurve, sold: number): number => {
  let [left, bought] = [sold, 0]
  for (const piece of curve) {
    if (left <= 0) break
    const part = Math.min(left, piece.sold)
    bought += boughtWithin(piece, part)
    left -= part
  }
  return bought
}

/** The least sale that buys so much; null where the curve does not hold it. */
export const soldFor = (curve: PriceCurve, bought: number): number | null => {
  let [left, sold] = [bought, 0]
  for (const piece of curve) {
    const whole = boughtWithin(piece, piece.sold)
    if (left <= whole) {
      const { from, depth } = piece
      // 1 / to = 1 / from - bought / depth
      const reached = depth === Number.POSITIVE_INFINITY ? from : from / (1 - (left * from) / depth)
      return sold + Math.min(left * from * reached, piece.sold)
    }
    left -= whole
    sold += piece.sold
  }
  return null
}
