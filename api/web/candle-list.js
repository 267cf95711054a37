// @ts-check
/** Candles of one token and interval, oldest first: pure changes of a list, and sums over it. */

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

const DAY_SECONDS = 86_400

/**
 * The last day of a market from its candles.
 *
 * @param {ReadonlyArray<Candle>} candles of 48 hours, oldest first
 * @param {number} now exclusive end of the open bucket, Unix seconds
 * @returns {{ closeBefore: number | null, since: number | null, high: number | null,
 *   low: number | null, volumeUsd: number, trades: number }} `closeBefore`: the price 24 hours ago,
 *   null where no trade of the day before is known; `since`: the first known trade's bucket where
 *   the market is younger than a day
 */
export const summarizeDay = (candles, now) => {
  const start = now - DAY_SECONDS
  const day = candles.filter(candle => candle.t >= start)
  const closeBefore = candles.filter(candle => candle.t < start).at(-1)?.c ?? null
  return {
    closeBefore,
    since: closeBefore === null ? (day[0]?.t ?? null) : null,
    high: day.length > 0 ? Math.max(...day.map(candle => candle.h)) : null,
    low: day.length > 0 ? Math.min(...day.map(candle => candle.l)) : null,
    volumeUsd: day.reduce((sum, candle) => sum + candle.v, 0),
    trades: day.reduce((sum, candle) => sum + candle.n, 0)
  }
}
