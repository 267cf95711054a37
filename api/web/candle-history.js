// @ts-check
/** Pages of candles backwards in time, with quiet stretches skipped. */

import { loadCandles } from "./http.js"
import { secondsOf } from "./state.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").CandlePage} CandlePage */
/** @typedef {{ chain: Chain, token: string, unit: import("./types.d.ts").CandleUnit }} Market */

const HOUR = 3600
const HOURS_OF_A_WEEK = 168
/** Empty pages passed in one go before the reader has to scroll again. */
const EMPTY_READS_MAX = 4

/**
 * Where to look for the newest trade before a time: two reads, a page of weeks and one of that
 * week's hours.
 *
 * @param {Market} market
 * @param {number} before Unix seconds
 * @param {AbortSignal} signal
 * @returns {Promise<number | null>} an exclusive end for the next page; null where nothing is older
 */
const placeBefore = async (market, before, signal) => {
  const weeks = await loadCandles({ ...market, tf: "1w", to: before }, signal)
  const week = weeks.candles.filter(each => each.t < before).at(-1)
  if (week === undefined) return null
  const to = Math.min(before, week.t + secondsOf("1w"))
  const wanted = /** @type {const} */ ({ ...market, tf: "1h", to, limit: HOURS_OF_A_WEEK })
  const hours = await loadCandles(wanted, signal)
  const hour = hours.candles.filter(each => each.t < before).at(-1)
  // A week whose trades all come later sends the search to the weeks before it.
  return hour === undefined ? week.t : Math.min(before, hour.t + HOUR)
}

/**
 * The nearest page with candles before a time.
 *
 * @param {Market & { tf: import("./types.d.ts").Timeframe }} wanted
 * @param {number} before Unix seconds, a bucket edge
 * @param {AbortSignal} signal
 * @returns {Promise<{ candles: CandlePage["candles"], from: number | null }>} `from`: where to go
 *   on; null at the start of the market
 */
export const loadOlderCandles = async ({ chain, token, unit, tf }, before, signal) => {
  /** @type {number | null} */
  let to = before
  for (let reads = 0; to !== null && reads < EMPTY_READS_MAX; reads++) {
    const page = await loadCandles({ chain, token, unit, tf, to }, signal)
    if (page.candles.length > 0) return { candles: page.candles, from: page.from }
    to = await placeBefore({ chain, token, unit }, page.from, signal)
  }
  return { candles: [], from: to }
}
