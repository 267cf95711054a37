// @ts-check
/** A token's prints: a page by HTTP, then the socket from that page's log position on. */

import { pause } from "../../client/retry.js"
import { background } from "./background.js"
import { loadTrades } from "./http.js"
import { addOlder, addTrade, isWanted, printsOf, reconcile, strike } from "./tape.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("../../client/live.d.ts").FrameOf<"trades">} Frame */
/** @typedef {import("./types.d.ts").Print} Print */
/** @typedef {import("../../client/retry.js").Problem} Problem */
/** @typedef {Awaited<ReturnType<typeof loadTrades>>} Page */
/**
 * @typedef {object} Options
 * @property {import("../../client/live.js").LiveSocket} live
 * @property {Chain} chain
 * @property {string} token lower case
 * @property {import("./types.d.ts").TradeFilter} filter
 * @property {(tape: { prints: ReadonlyArray<Print>, seq: number | null, more: boolean }) => void}
 *   onChange `seq`: newest log position shown; `more`: older prints can be had
 * @property {(problem: Problem | null) => void} onProblem
 * @property {import("./sign.js").Sign} sign a token that is not there may be now
 */

/** Prints kept when the reader has not asked for older ones. */
const KEPT = 200
/** Undo frames come in groups; one reading answers them all. */
const SETTLE_MS = 250

export class TradeFeed {
  #options
  #ending = new AbortController()
  /** @type {ReadonlyArray<Print>} */
  #prints = []
  /** @type {number | null} log position of the page read last */
  #pageSeq = null
  /** @type {number | null} */
  #newestSeq = null
  #more = false
  #kept = KEPT
  /** @type {Frame[] | null} frames that wait while a page is being read */
  #waiting = []
  #unsubscribe = () => {}

  /** @param {Options} options */
  constructor(options) {
    this.#options = options
    this.#run(() => this.#start())
  }

  /** Adds the next older page; does nothing where there is none. */
  async loadOlder() {
    if (!this.#more) return
    const standing = this.#prints.filter(each => !each.undone)
    const page = await this.#load(standing.map(each => each.trade))
    this.#prints = addOlder(this.#prints, page.trades)
    this.#more = page.more
    this.#kept = this.#prints.length + KEPT
    this.#show()
  }

  close() {
    this.#ending.abort(new Error("the feed is closed"))
    this.#unsubscribe()
  }

  /** @param {() => Promise<void>} work */
  #run(work) {
    background(work, this.#ending.signal)
  }

  /** @param {import("./types.d.ts").Trade[]} after */
  #load(after) {
    const { chain, token, filter } = this.#options
    return loadTrades({ chain, token, after, filter }, this.#ending.signal)
  }

  #readNewest() {
    const { onProblem, sign } = this.#options
    return sign.answer(() => this.#load([]), { signal: this.#ending.signal, onProblem })
  }

  async #start() {
    const { live, chain, token } = this.#options
    this.#unsubscribe()
    this.#waiting = []
    const page = await this.#readNewest()
    this.#prints = printsOf(page.trades)
    this.#more = page.more
    this.#kept = KEPT
    this.#newestSeq = null
    this.#accept(page)
    const topic = /** @type {const} */ ({ channel: "trades", chain: chain.id, token })
    const handlers = {
      frame: (/** @type {Frame} */ frame) => this.#receive(frame),
      restart: () => this.#run(() => this.#start())
    }
    this.#unsubscribe = live.subscribe(topic, handlers, page)
  }

  /** Compares with a page read anew: prints that came by HTTP have no position to strike by. */
  async #readAgain() {
    this.#waiting ??= []
    await pause(SETTLE_MS, this.#ending.signal)
    const page = await this.#readNewest()
    this.#prints = reconcile(this.#prints, page.trades, !page.more)
    this.#accept(page)
  }

  /** @param {Page} page */
  #accept(page) {
    this.#pageSeq = page.seq
    this.#newestSeq = Math.max(this.#newestSeq ?? 0, page.seq ?? 0)
    const frames = this.#waiting ?? []
    this.#waiting = null
    for (const frame of frames) this.#apply(frame)
    this.#show()
  }

  /** @param {Frame} frame */
  #receive(frame) {
    if (this.#waiting !== null) {
      this.#waiting.push(frame)
      return
    }
    this.#apply(frame)
    this.#show()
  }

  /** @param {Frame} frame */
  #apply(frame) {
    const { seq } = frame
    if (this.#pageSeq !== null && seq <= this.#pageSeq) return
    this.#newestSeq = Math.max(this.#newestSeq ?? 0, seq)
    if (frame.type === "trade" && isWanted(frame.trade, this.#options.filter)) {
      this.#prints = addTrade(this.#prints, frame.trade, seq)
    }
    if (frame.type === "undo") {
      const { toSeq } = frame
      this.#prints = strike(this.#prints, seq, toSeq)
      if (this.#pageSeq === null || this.#pageSeq > toSeq) this.#run(() => this.#readAgain())
    }
  }

  #show() {
    if (this.#prints.length > this.#kept) {
      this.#prints = this.#prints.slice(0, this.#kept)
      this.#more = true
    }
    this.#options.onChange({ prints: this.#prints, seq: this.#newestSeq, more: this.#more })
  }
}
