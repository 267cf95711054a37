// @ts-check
/** Work that nobody waits for. */

import { backoffMs, pause, untilDone } from "../../client/retry.js"

/** @typedef {import("../../client/retry.js").Problem} Problem */

/**
 * Starts work that ends by abort: only what is not an abort is reported.
 *
 * @param {() => Promise<void>} work
 * @param {AbortSignal} signal
 */
export const background = (work, signal) => {
  work().catch(cause => {
    if (!signal.aborted) throw cause
  })
}

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
   * @param {AbortSignal} signal
   * @param {number} [mostMs]
   */
  async after(count, signal, mostMs = LONGEST_MS) {
    if (this.count > count) return
    const ending = AbortSignal.any([signal, this.#next.signal])
    await pause(mostMs, ending).catch(() => signal.throwIfAborted())
  }
}

/**
 * Tries until there is an answer. What the server says is not there is not asked for again before
 * a sign that it may be.
 *
 * @template A
 * @param {() => Promise<A>} load
 * @param {{ signal: AbortSignal, sign: Sign, onProblem?: (problem: Problem | null) => void }} how
 * @returns {Promise<A>}
 */
export const untilThere = async (load, { signal, sign, onProblem = () => {} }) => {
  for (let attempt = 0; ; attempt++) {
    const { count } = sign
    try {
      return await untilDone(load, { signal, onProblem, isPassing: ({ status }) => status !== 404 })
    } catch (cause) {
      signal.throwIfAborted()
      onProblem(/** @type {Problem} */ (cause))
      await sign.after(count, signal)
      // signs may come many at once, and of something else
      await pause(backoffMs(attempt), signal)
    }
  }
}

/**
 * Reads something again and again until the signal ends it.
 *
 * @template A
 * @param {object} options
 * @param {() => Promise<A>} options.load
 * @param {number} options.everyMs
 * @param {AbortSignal} options.signal
 * @param {(answer: A) => void} options.onAnswer
 * @param {(problem: Problem) => void} options.onProblem why there is no answer yet
 * @param {Sign} [options.sign] that what is not there may be now; without one it is asked on
 */
export const follow = ({ load, everyMs, signal, onAnswer, onProblem, sign }) =>
  background(async () => {
    for (;;) {
      const how = {
        signal,
        onProblem: (/** @type {Problem | null} */ problem) => problem !== null && onProblem(problem)
      }
      const answer = await (sign ? untilThere(load, { ...how, sign }) : untilDone(load, how))
      if (signal.aborted) return
      onAnswer(answer)
      await pause(everyMs, signal)
    }
  }, signal)
