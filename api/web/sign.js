// @ts-check
/** What is not there yet, and is asked for again at a sign of it. */

import { backoffMs, pause, untilDone } from "../../client/retry.js"

/** @typedef {import("../../client/retry.js").Problem} Problem */

/** The longest that a timer waits. */
const LONGEST_MS = 2 ** 31 - 1

/** Something that happens now and then: those wait for it who have nothing to do before. */
export class Sign {
  /** how often it happened */
  count = 0
  #next = new AbortController()

  tell() {
    const told = this.#next
    this.count++
    this.#next = new AbortController()
    told.abort()
  }

  /**
   * Waits until it happened more often than so, or for so long.
   *
   * @param {number} count
   * @param {AbortSignal} [signal]
   * @param {number} [mostMs]
   */
  async after(count, signal, mostMs = LONGEST_MS) {
    if (this.count > count) return
    const told = this.#next.signal
    const ending = signal ? AbortSignal.any([signal, told]) : told
    await pause(mostMs, ending).catch(() => signal?.throwIfAborted())
  }

  /**
   * Tries until there is an answer. What the server says is not there is not asked for again
   * before the sign.
   *
   * @type {typeof untilDone}
   */
  answer = async (load, how = {}) => {
    for (let attempt = 0; ; attempt++) {
      const { count } = this
      try {
        return await untilDone(load, { ...how, isPassing: ({ status }) => status !== 404 })
      } catch (cause) {
        how.signal?.throwIfAborted()
        how.onProblem?.(/** @type {Problem} */ (cause))
        await this.after(count, how.signal)
        // signs may come many at once, and of something else
        await pause(backoffMs(attempt), how.signal)
      }
    }
  }
}
