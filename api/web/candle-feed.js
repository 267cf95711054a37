// @ts-check
/** A token's candles: the newest page by HTTP, live from its log position, older ones on demand. */

import { pause } from "../../client/retry.js"
import { background } from "./background.js"
import { loadOlderCandles } from "./candle-history.js"
import { mergeCandles, putCandle, replaceFrom } from "./candle-list.js"
import { loadCandles } from "./http.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Candle} Candle */
/** @typedef {import("../../client/live.d.ts").FrameOf<"candles">} Frame */
/** @typedef {import("../../client/retry.js").Problem} Problem */
/**
 * @typedef {object} Options
 * @property {import("../../client/live.js").LiveSocket} live
 * @property {Chain} chain
 * @property {string} token lower case
 * @property {import("./types.d.ts").Timeframe} tf
 * @property {import("./types.d.ts").CandleUnit} unit
 * @property {(candles: ReadonlyArray<Candle>) => void} onReset the whole list, oldest first
 * @property {(candle: Candle, candles: ReadonlyArray<Candle>) => void} onCandle one bucket as it
 *   is now, and the list it is in
 * @property {(seq: number | null) => void} onSeq newest log position shown
 * @property {(problem: Problem | null) => void} onProblem
 * @property {import("./sign.js").Sign} sign a token that is not there may be now
 */

/** Undo frames come in groups; one reading answers them all. */
const SETTLE_MS = 250
const READ_EVERY_MS = 5000

export class CandleFeed {
  #options
  #ending = new AbortController()
  /** @type {ReadonlyArray<Candle>} */
  #candles = []
  /** @type {number | null} where older pages go on; null: nothing older, or not known yet */
  #olderFrom = null
  /** @type {number | null} log position of the page read last */
  #pageSeq = null
  /** @type {Frame[] | null} frames that wait while a page is being read */
  #waiting = []
  /** @type {Promise<void> | null} */
  #reading = null
  #unsubscribe = () => {}

  /** @param {Options} options */
  constructor(options) {
    this.#options = options
    this.#run(() => this.#start())
  }

  /** Reads the page before the oldest one; one at a time, nothing once the start is reached. */
  loadOlder() {
    this.#reading ??= this.#readOlder().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  close() {
    this.#ending.abort(new Error("the feed is closed"))
    this.#unsubscribe()
  }

  /** @param {() => Promise<void>} work */
  #run(work) {
    background(work, this.#ending.signal)
  }

  async #readOlder() {
    const before = this.#olderFrom
    if (before === null || this.#waiting !== null) return
    const { candles, from } = await loadOlderCandles(this.#options, before, this.#ending.signal)
    // Started afresh meanwhile: the page belongs to a list that is gone.
    if (this.#olderFrom !== before) return
    this.#olderFrom = from
    if (candles.length === 0) return
    this.#candles = mergeCandles(candles, this.#candles)
    this.#options.onReset(this.#candles)
  }

  #readNewest() {
    const { chain, token, tf, unit, onProblem, sign } = this.#options
    const { signal } = this.#ending
    const load = () => loadCandles({ chain, token, tf, unit }, signal)
    return sign.answer(load, { signal, onProblem })
  }

  async #start() {
    const { live, chain, token, tf, unit } = this.#options
    const { pool } = unit
    this.#unsubscribe()
    this.#waiting = []
    const page = await this.#readNewest()
    this.#candles = page.candles
    this.#olderFrom = page.from
    this.#accept(page.seq)
    // the socket tells of dollars alone
    if (unit.quote !== "usd") return this.#readOn()
    const of = pool === null ? { token } : { token, pool }
    const topic = /** @type {const} */ ({ channel: "candles", chain: chain.id, ...of, tf })
    const handlers = {
      frame: (/** @type {Frame} */ frame) => this.#receive(frame),
      restart: () => this.#run(() => this.#start())
    }
    this.#unsubscribe = live.subscribe(topic, handlers, page)
  }

  /** Reads the newest page every few seconds, of candles that no channel tells. */
  async #readOn() {
    for (;;) {
      await pause(READ_EVERY_MS, this.#ending.signal)
      const page = await this.#readNewest()
      this.#candles = replaceFrom(this.#candles, page)
      this.#accept(page.seq)
    }
  }

  async #readAgain() {
    if (this.#waiting !== null) return
    this.#waiting = []
    await pause(SETTLE_MS, this.#ending.signal)
    const page = await this.#readNewest()
    this.#candles = replaceFrom(this.#candles, page)
    this.#accept(page.seq)
  }

  /** @param {number | null} seq */
  #accept(seq) {
    this.#pageSeq = seq
    this.#options.onReset(this.#candles)
    this.#options.onSeq(seq)
    const frames = this.#waiting ?? []
    this.#waiting = null
    for (const frame of frames) this.#apply(frame)
  }

  /** @param {Frame} frame */
  #receive(frame) {
    if (this.#waiting === null) this.#apply(frame)
    else this.#waiting.push(frame)
  }

  /** @param {Frame} frame */
  #apply(frame) {
    const { seq } = frame
    if (this.#pageSeq !== null && seq <= this.#pageSeq) return
    this.#options.onSeq(seq)
    if (frame.type === "undo") this.#run(() => this.#readAgain())
    if (frame.type !== "candle") return
    this.#candles = putCandle(this.#candles, frame.candle)
    this.#options.onCandle(frame.candle, this.#candles)
  }
}
