// @ts-check
/** A token's candles: the newest page by HTTP, live from its log position, older pages on demand. */

import { mergeCandles, replaceFrom } from "./candle-list.js"
import { loadCandles } from "./http.js"
import { background, pause, untilDone } from "./retry.js"
import { secondsOf } from "./state.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Candle} Candle */
/** @typedef {import("./types.d.ts").Frame} Frame */
/** @typedef {import("./http.js").Problem} Problem */

const SETTLE_MS = 250
const HOUR = 3600
/** Empty pages passed in one go before the reader has to scroll again. */
const EMPTY_READS_MAX = 4

/**
 * @param {object} options
 * @param {import("./live.js").Live} options.live
 * @param {Chain} options.chain
 * @param {string} options.token lower case
 * @param {string} options.tf
 * @param {(candles: ReadonlyArray<Candle>) => void} options.onReset the whole list, oldest first
 * @param {(candle: Candle) => void} options.onCandle one bucket as it is now
 * @param {(seq: number | null) => void} options.onSeq newest log position shown
 * @param {(problem: Problem | null) => void} options.onProblem
 */
export const createCandleFeed = options => {
  const { live, chain, token, tf, onReset, onCandle, onSeq, onProblem } = options
  const ending = new AbortController()
  const { signal } = ending
  /** @type {Candle[]} */
  let candles = []
  let oldestAsked = 0
  let exhausted = false
  /** @type {number | null} */
  let pageSeq = null
  /** @type {Frame[] | null} */
  let waiting = []
  /** @type {Promise<void> | null} */
  let reading = null
  let unsubscribe = () => {}

  /** @type {(frame: Frame) => void} */
  const apply = frame => {
    const seq = frame.seq ?? 0
    if (pageSeq !== null && seq <= pageSeq) return
    onSeq(seq)
    if (frame.type === "undo") background(readAgain, signal)
    if (frame.type !== "candle" || !frame.candle) return
    const candle = frame.candle
    const last = candles.at(-1)
    if (last === undefined || candle.t > last.t) candles.push(candle)
    else if (candle.t === last.t) candles[candles.length - 1] = candle
    else candles = mergeCandles(candles, [candle])
    onCandle(candle)
  }

  /** @type {(frame: Frame) => void} */
  const receive = frame => {
    if (waiting === null) apply(frame)
    else waiting.push(frame)
  }

  const readNewest = () =>
    untilDone(() => loadCandles({ chain, token, tf }, signal), signal, onProblem)

  /** @type {(seq: number | null) => void} */
  const accept = seq => {
    pageSeq = seq
    onReset(candles)
    onSeq(seq)
    const frames = waiting ?? []
    waiting = null
    for (const frame of frames) apply(frame)
  }

  const readAgain = async () => {
    if (waiting !== null) return
    waiting = []
    await pause(SETTLE_MS, signal)
    const page = await readNewest()
    candles = replaceFrom(candles, page)
    accept(page.seq)
  }

  const start = async () => {
    unsubscribe()
    waiting = []
    const page = await readNewest()
    candles = [...page.candles]
    oldestAsked = page.from
    exhausted = false
    accept(page.seq)
    unsubscribe = live.subscribe({ channel: "candles", chain: chain.id, token, tf }, page.seq, {
      frame: receive,
      tooOld: () => background(start, signal)
    })
  }

  /**
   * Where to look for the newest trade before a time: quiet stretches are skipped in two reads, a
   * page of weeks and one of that week's hours.
   *
   * @type {(before: number) => Promise<number | null>} null where nothing is older
   */
  const newestTradeBefore = async before => {
    const weeks = await loadCandles({ chain, token, tf: "1w", to: before }, signal)
    const week = weeks.candles.filter(each => each.t < before).at(-1)
    if (week === undefined) return null
    const to = Math.min(before, week.t + secondsOf("1w"))
    const hours = await loadCandles({ chain, token, tf: "1h", to, limit: 168 }, signal)
    const hour = hours.candles.filter(each => each.t < before).at(-1)
    // A week whose trades all come later sends the search to the weeks before it.
    return hour === undefined ? week.t : Math.min(before, hour.t + HOUR)
  }

  const readOlder = async () => {
    /** @type {number | null} */
    let to = oldestAsked
    for (let reads = 0; to !== null && reads < EMPTY_READS_MAX; reads++) {
      const page = await loadCandles({ chain, token, tf, to }, signal)
      oldestAsked = page.from
      if (page.candles.length > 0) {
        candles = mergeCandles(page.candles, candles)
        onReset(candles)
        return
      }
      to = await newestTradeBefore(page.from)
    }
    exhausted = to === null
  }

  background(start, signal)
  return {
    /** Reads the page before the oldest one; one at a time, nothing once the start is reached. */
    loadOlder: () => {
      if (exhausted || waiting !== null || candles.length === 0) return Promise.resolve()
      reading ??= readOlder().finally(() => {
        reading = null
      })
      return reading
    },
    close: () => {
      ending.abort(new Error("the feed is closed"))
      unsubscribe()
    }
  }
}
