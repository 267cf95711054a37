// @ts-check
/** The labels of a price scale. */

import { countZeros, formatPrice, PLAIN_MAX } from "./format.js"

/** `toFixed` and `toExponential` take no more. */
const DECIMALS_MAX = 100
/** Of a step's length, by which marks of a scale may be off: they are computed. */
const STEP_NOISE = 1e-3

/** @type {(step: number) => number} decimals that tell multiples of a step apart */
const stepDecimals = step => {
  const first = -Math.floor(Math.log10(step))
  const isEnough = (/** @type {number} */ decimals) => {
    const scaled = step * 10 ** decimals
    return Math.abs(scaled - Math.round(scaled)) < STEP_NOISE
  }
  return [first, first + 1].find(isEnough) ?? first + 2
}

/** @type {(fixed: string) => number} zeros between the point and the first other digit */
const zerosIn = fixed => /^-?0\.(0*)[1-9]/.exec(fixed)?.[1]?.length ?? 0

/**
 * The marks of a price scale: each another text, digits below digits, zeros that all have counted.
 *
 * @param {ReadonlyArray<number>} prices
 * @returns {string[]} 0, 0.5, 1.0; 0.0₁₉0508, 0.0₁₉1016
 */
export const formatTicks = prices => {
  const sorted = [...prices].sort((a, b) => a - b)
  const steps = sorted.flatMap((price, at) => (at === 0 ? [] : [price - Number(sorted[at - 1])]))
  const step = Math.min(...steps.filter(each => each > 0))
  if (!Number.isFinite(step)) return prices.map(price => formatPrice(price))
  const isZero = (/** @type {number} */ price) => Math.abs(price) < step * STEP_NOISE
  const decimals = stepDecimals(step)
  const most = Math.max(...prices.map(Math.abs))
  if (most >= PLAIN_MAX) {
    const digits = Math.min(DECIMALS_MAX, Math.max(0, Math.floor(Math.log10(most)) + decimals))
    return prices.map(price => (isZero(price) ? "0" : price.toExponential(digits)))
  }
  const places = Math.min(DECIMALS_MAX, Math.max(0, decimals))
  const fixed = prices.map(price => (isZero(price) ? "0" : price.toFixed(places)))
  const zeros = Math.min(...fixed.filter(text => text !== "0").map(zerosIn))
  return fixed.map(text => countZeros(text, zeros))
}
