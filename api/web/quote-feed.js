// @ts-check
/**
 * Quotes of the order on show: asked a moment after the last change, asked again before they
 * expire and when the chain has moved on. The answer to an order that is wanted no more is dropped.
 */

import { backoffMs, Problem, pause } from "../../client/retry.js"
import { background } from "./background.js"

/** @typedef {import("./types.d.ts").Quote} Quote */
/** @typedef {import("./types.d.ts").SwapOrder} SwapOrder */
/**
 * @typedef {object} QuoteState
 * @property {SwapOrder | null} order null: nothing is asked
 * @property {Quote | null} quote the newest of the order
 * @property {boolean} isExpired nothing may be built of the quote any more
 * @property {Problem | null} problem why there is no newer one
 */

/** Nothing was typed for so long. */
const TYPED_MS = 250
/** So long before its end a quote is asked again. */
const EARLY_MS = 5000
/** A chain that moves each second has a quote asked again so seldom, for the rate limit's sake. */
const MOVED_MS = 5000
const TICK_MS = 250

/** @type {QuoteState} */
const NOTHING = { order: null, quote: null, isExpired: false, problem: null }

/** @type {(a: SwapOrder | null, b: SwapOrder | null) => boolean} */
const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b)

export class QuoteFeed {
  #load
  #onChange
  #isHidden
  #state = NOTHING
  #ending = new AbortController()
  /** newest log position of the chain */
  #newestSeq = 0
  /** nothing is asked while a wallet is being asked about what is on show */
  #isHeld = false
  #isWanted = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #expiring

  /**
   * @param {object} options
   * @param {(order: SwapOrder, signal: AbortSignal) => Promise<{ quote: Quote, lifeMs: number }>}
   *   options.load
   * @param {(state: QuoteState) => void} options.onChange
   * @param {() => boolean} options.isHidden whether nobody can see the page
   */
  constructor({ load, onChange, isHidden }) {
    this.#load = load
    this.#onChange = onChange
    this.#isHidden = isHidden
  }

  /** Asks for quotes of an order from now on. @param {SwapOrder | null} order null: of none */
  ask(order) {
    if (isSame(order, this.#state.order)) return
    this.#ending.abort(new Error("another order is wanted"))
    this.#ending = new AbortController()
    clearTimeout(this.#expiring)
    this.#isWanted = false
    this.#set({ ...NOTHING, order })
    if (order === null) return
    const { signal } = this.#ending
    background(() => this.#follow(order, signal), signal)
  }

  /** Asks again, soon. */
  again() {
    this.#isWanted = true
  }

  /** The chain's log has grown. @param {number} seq its newest position */
  moved(seq) {
    this.#newestSeq = seq
  }

  /** @param {boolean} isHeld */
  hold(isHeld) {
    this.#isHeld = isHeld
  }

  /** @param {SwapOrder} order @param {AbortSignal} signal */
  async #follow(order, signal) {
    await pause(TYPED_MS, signal)
    for (let failures = 0; ; ) {
      const askedAt = performance.now()
      this.#isWanted = false
      const answer = await this.#load(order, signal).catch(cause => {
        signal.throwIfAborted()
        return cause instanceof Problem ? cause : new Problem("PAGE_ERROR", String(cause))
      })
      signal.throwIfAborted()
      if (answer instanceof Problem) {
        this.#set({ ...this.#state, problem: answer })
        // an order that is refused for what it is would be refused again
        if (answer.status === 400) return
        await pause(Math.max(answer.waitMs, backoffMs(failures++)), signal)
        continue
      }
      failures = 0
      this.#accept(order, answer.quote, answer.lifeMs)
      const endsAt = askedAt + answer.lifeMs - EARLY_MS
      do await pause(TICK_MS, signal)
      while (!this.#isDue(answer.quote, askedAt, endsAt))
    }
  }

  /** @param {Quote} quote @param {number} askedAt page's milliseconds @param {number} endsAt */
  #isDue(quote, askedAt, endsAt) {
    if (this.#isHeld || this.#isHidden()) return false
    const now = performance.now()
    const hasMoved = this.#newestSeq > quote.seq && now - askedAt >= MOVED_MS
    return this.#isWanted || hasMoved || now >= endsAt
  }

  /** @param {SwapOrder} order @param {Quote} quote @param {number} lifeMs */
  #accept(order, quote, lifeMs) {
    clearTimeout(this.#expiring)
    this.#expiring = setTimeout(() => this.#set({ ...this.#state, isExpired: true }), lifeMs)
    this.#set({ order, quote, isExpired: false, problem: null })
  }

  /** @param {QuoteState} state */
  #set(state) {
    this.#state = state
    this.#onChange(state)
  }
}
