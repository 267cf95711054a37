/** Price curves of pools, kept as long as their states stay. */
import type { PriceCurve } from "../../../src/math/price-curve/curve.ts"
import type { PoolFacts, Quote, Refusal } from "../../../streams/venue.ts"
import { quotePool, type TradePool } from "../pools/pool-market.ts"
import { type Sample, sampledCurve } from "./sampled-curve.ts"

/** Powers of two below a sale at which a pool without a curve of its own is quoted. */
const SAMPLES = 10
/** Halvings that find where a pool begins to refuse. */
const END_HALVINGS = 5
/** How far quotes may be above a kind's own curve, between samples, and beyond the last of them. */
const OWN_ERROR = 1e-9
const SAMPLED_ERROR = 0.01
const END_ERROR = 0.05
/** Binary digits by which curves are longer than each other, so that most sales find theirs. */
const DIGITS = 8

interface Side {
  readonly tokenIn: string
  readonly tokenOut: string
  /** the kind's own curves, by the sale that they were made for */
  readonly own: Map<number, PriceCurve | null>
  /** exact quotes by amount */
  readonly quotes: Map<bigint, Quote>
}

interface Kept {
  readonly state: unknown
  readonly facts: PoolFacts
  readonly sides: Array<Side>
}

export interface PoolCurve {
  readonly curve: PriceCurve
  /** by what part a quote may be above it */
  readonly error: number
}

const isPiece = ({ from, to, sold }: PriceCurve[number]): boolean =>
  from > 0 && from < Number.POSITIVE_INFINITY && to >= from && sold > 0

const sampleOf = ({ amountIn, amountOut }: Extract<Quote, { ok: true }>): Sample => ({
  sold: Number(amountIn),
  bought: Number(amountOut)
})

/**
 * The sale that a curve is made for which is asked up to `most`: the next of few, and not one that
 * was asked for before, since where a curve ends moves the last digits of what is found on it.
 */
const lengthFor = (most: bigint): number =>
  2 ** (Math.ceil(most.toString(2).length / DIGITS) * DIGITS)

/** Whether halvings between powers of two come to the amount. */
const isRound = (amount: bigint): boolean => {
  const shift = BigInt(Math.max(0, amount.toString(2).length - END_HALVINGS - 1))
  return (amount >> shift) << shift === amount
}

/** A sale, and the powers of two below it: the same for most sales, so that quotes can be kept. */
const descending = function* (most: bigint): Generator<bigint> {
  yield most
  let power = 1n << BigInt(most.toString(2).length - 1)
  if (power === most) power >>= 1n
  for (; power > 0n; power >>= 1n) yield power
}

/**
 * What curves of pools were made of their states: a memory alone, on which no answer depends. Pools
 * that are gone leave it.
 */
export class PoolCurves {
  private readonly kept = new WeakMap<TradePool, Kept>()

  /** The curve of selling up to `most` raw units, above zero; or why there is none. */
  of(
    pool: TradePool,
    tokenIn: string,
    tokenOut: string,
    most: bigint
  ): PoolCurve | Refusal | "amount-too-small" {
    const side = this.side(pool, tokenIn, tokenOut)
    const curve = this.own(pool, side, lengthFor(most))
    if (curve === null) return this.sampled(pool, side, most)
    return curve.length === 0 ? "no-liquidity" : { curve, error: OWN_ERROR }
  }

  private side(pool: TradePool, tokenIn: string, tokenOut: string): Side {
    let kept = this.kept.get(pool)
    if (kept === undefined || kept.state !== pool.state || kept.facts !== pool.facts) {
      kept = { state: pool.state, facts: pool.facts, sides: [] }
      this.kept.set(pool, kept)
    }
    const { sides } = kept
    for (const side of sides) {
      if (side.tokenIn === tokenIn && side.tokenOut === tokenOut) return side
    }
    const side: Side = { tokenIn, tokenOut, own: new Map(), quotes: new Map() }
    sides.push(side)
    return side
  }

  private own({ kind, facts, state }: TradePool, side: Side, most: number): PriceCurve | null {
    const known = side.own.get(most)
    if (known !== undefined) return known
    const [from, to] = [facts.tokens.indexOf(side.tokenIn), facts.tokens.indexOf(side.tokenOut)]
    const curve = kind.pool.curve?.(state, facts, from, to, most)?.filter(isPiece) ?? null
    side.own.set(most, curve)
    return curve
  }

  /** Quotes of few significant bits are kept: others hardly come twice. */
  private quote(pool: TradePool, { tokenIn, tokenOut, quotes }: Side, amount: bigint): Quote {
    const known = quotes.get(amount)
    if (known !== undefined) return known
    const quote = quotePool(pool, tokenIn, tokenOut, amount)
    if (isRound(amount)) quotes.set(amount, quote)
    return quote
  }

  private sampled(
    pool: TradePool,
    side: Side,
    most: bigint
  ): PoolCurve | Refusal | "amount-too-small" {
    const samples: Array<Sample> = []
    let refusal: Refusal | null = null
    // the least amount that is refused
    let refused: bigint | null = null
    for (const amount of descending(most)) {
      const quote = this.quote(pool, side, amount)
      if (quote.ok) {
        if (refused !== null && samples.length === 0)
          samples.push(...this.upTo(pool, side, amount, refused))
        if (quote.amountOut > 0n) samples.push(sampleOf(quote))
        if (samples.length > SAMPLES || quote.amountOut === 0n) break
      } else {
        refusal ??= quote.reason
        refused = amount
        // What is not known of the state no other amount tells.
        if (quote.reason === "unknown-state") break
      }
    }
    if (samples.length === 0) return refusal ?? "amount-too-small"
    const error = refused === null ? SAMPLED_ERROR : END_ERROR
    return { curve: sampledCurve(samples.reverse()), error }
  }

  /** Samples above an amount that is quoted and below one that is refused, descending. */
  private upTo(pool: TradePool, side: Side, quoted: bigint, refused: bigint): Array<Sample> {
    const samples: Array<Sample> = []
    let [low, high] = [quoted, refused]
    for (let halvings = 0; halvings < END_HALVINGS && high - low > 1n; halvings++) {
      const middle = (low + high) / 2n
      const quote = this.quote(pool, side, middle)
      if (quote.ok && quote.amountOut > 0n) {
        samples.unshift(sampleOf(quote))
        low = middle
      } else high = middle
    }
    return samples
  }
}
