/**
 * The bin step of a pool whose bins have a price each, from what one swap in it paid and got: the
 * price of bin `id` is `(1 + step / 10000) ^ id`, and a swap trades within the bins that it went
 * through.
 */

/** Basis points of the widest bins that there are. */
const MOST_STEP = 400
const BASIS_POINTS = 10_000

/** Two prices that differ by less are one: half of it is how far off what is told may be. */
const ONE_PRICE = 1e-4

const LOGS = Array.from({ length: MOST_STEP + 1 }, (_, step) => Math.log1p(step / BASIS_POINTS))

/** What a swap traded, in raw units without its fee. */
export interface BinSwap {
  readonly start: number
  readonly end: number
  readonly x: number
  readonly y: number
}

export interface BinStep {
  /** basis points */
  readonly step: number
  /** whether it is the pool's; else the price of the bin by it is within 0.01 % */
  readonly isExact: boolean
}

/**
 * Returns the step by which the price of a swap lies within its bins; null where it is none or not
 * told well enough. Each bin rounds by a unit of both tokens at most, so a swap of few units fits
 * several steps.
 */
export const binStepOf = ({ start, end, x, y }: BinSwap): BinStep | null => {
  if (!(x > 0 && y > 0)) return null
  const [low, high] = start < end ? [start, end] : [end, start]
  const price = Math.log(y / x)
  const rounding = (high - low + 2) * (1 / x + 1 / y)
  let [first, last] = [0, 0]
  for (let step = 1; step <= MOST_STEP; step++) {
    const log = LOGS[step] as number
    if (low * log > price + rounding || high * log < price - rounding) continue
    if (first === 0) first = step
    last = step
  }
  if (first === 0) return null
  const isOnePrice = Math.abs(end * ((LOGS[last] as number) - (LOGS[first] as number))) < ONE_PRICE
  if (first !== last && !isOnePrice) return null
  return { step: (first + last) >> 1, isExact: first === last }
}
