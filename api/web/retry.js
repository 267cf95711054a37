// @ts-check
/** Trying again: jittered, growing waits, so that many pages do not return at the same moment. */

import { Problem } from "./http.js"

const FIRST_MS = 1000
const LONGEST_MS = 20_000

/**
 * The wait before another try: doubling from 1 s to 20 s, each between a half and the whole of it.
 *
 * @param {number} attempt tries that failed so far, from 0
 * @param {() => number} [random] in [0, 1)
 * @returns {number} milliseconds
 */
export const backoffMs = (attempt, random = Math.random) => {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10))
  return ceiling / 2 + random() * (ceiling / 2)
}

/** @type {(ms: number, signal: AbortSignal) => Promise<void>} rejects when aborted */
export const pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop)
      resolve()
    }, ms)
    signal.addEventListener("abort", stop, { once: true })
  })

/** @type {(cause: unknown) => Problem} */
const problemOf = cause =>
  cause instanceof Problem ? cause : new Problem("PAGE_ERROR", String(cause))

/**
 * Repeats a read until it succeeds.
 *
 * @template A
 * @param {() => Promise<A>} work
 * @param {AbortSignal} signal ends the attempts: the promise then rejects with its reason
 * @param {(problem: Problem | null) => void} onProblem called after each failure, and with null
 *   after a success that followed one
 * @returns {Promise<A>}
 */
export const untilDone = async (work, signal, onProblem) => {
  for (let attempt = 0; ; attempt++) {
    try {
      const result = await work()
      signal.throwIfAborted()
      if (attempt > 0) onProblem(null)
      return result
    } catch (cause) {
      signal.throwIfAborted()
      const problem = problemOf(cause)
      onProblem(problem)
      await pause(Math.max(problem.waitMs, backoffMs(attempt)), signal)
    }
  }
}

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
