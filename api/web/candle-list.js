// @ts-check
/** Candles of one token and interval, oldest first: pure changes of a list. */

/** @typedef {import("./types.d.ts").Candle} Candle */

/**
 * Two lists as one; where both have a bucket, the second's counts.
 *
 * @param {ReadonlyArray<Candle>} before oldest first
 * @param {ReadonlyArray<Candle>} after oldest first
 * @returns {Candle[]}
 */
export const mergeCandles = (before, after) => {
  const byTime = new Map([...before, ...after].map(candle => [candle.t, candle]))
  return [...byTime.values()].sort((a, b) => a.t - b.t)
}

/**
 * A list with one bucket as it is now; nearly always the newest.
 *
 * @param {ReadonlyArray<Candle>} candles
 * @param {Candle} candle
 * @returns {Candle[]}
 */
export const putCandle = (candles, candle) => {
  const newest = candles.at(-1)?.t ?? Number.NEGATIVE_INFINITY
  if (candle.t > newest) return [...candles, candle]
  return candle.t === newest ? [...candles.slice(0, -1), candle] : mergeCandles(candles, [candle])
}

/**
 * A list with a page read anew: the page is the truth from its start on.
 *
 * @param {ReadonlyArray<Candle>} before
 * @param {{ candles: ReadonlyArray<Candle>, from: number }} page
 * @returns {Candle[]}
 */
export const replaceFrom = (before, page) => [
  ...before.filter(candle => candle.t < page.from),
  ...page.candles
]
