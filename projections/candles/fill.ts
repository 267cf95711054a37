/** Buckets without a trade between those with one. */

import {
  type CoveredTime,
  isCovered,
  overlaps,
  type Stretch
} from "../../src/domain/covered-time.ts"
import type { Candle } from "./candle.ts"
import type { AnyFrame } from "./time-frame.ts"

/** The close to carry into a window; null where blocks between may hold a later one. */
export const carried = (
  previous: { readonly t: number; readonly c: number } | null,
  from: number,
  { gaps }: CoveredTime
): number | null =>
  previous === null || gaps.some(gap => overlaps(gap, { from: previous.t, to: from }))
    ? null
    : previous.c

/**
 * Carries the previous close through buckets that are proven to be without a trade, with `v` and
 * `n` equal to 0. Nothing is carried into or across time that the log lacks.
 */
export const fillBuckets = <C extends Candle>(
  candles: ReadonlyArray<C>,
  frame: AnyFrame,
  window: Stretch,
  previousClose: number | null,
  coverage: CoveredTime
): ReadonlyArray<C | Candle> => {
  const out: Array<C | Candle> = []
  const { gaps } = coverage
  let close = previousClose
  let next = 0
  for (let t = window.from; t < window.to; t += frame.seconds) {
    const candle = candles[next]
    const bucket = { from: t, to: t + frame.seconds }
    if (candle?.t === t) {
      out.push(candle)
      close = candle.c
      next++
    } else if (close !== null && isCovered(coverage, bucket)) {
      out.push({ t, o: close, h: close, l: close, c: close, v: 0, n: 0 })
    }
    if (gaps.length > 0 && gaps.some(gap => overlaps(gap, bucket))) close = null
  }
  return out
}
