// @ts-check
/** Work that nobody waits for. */

import { pause, untilDone } from "../../client/retry.js"

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
 * @param {typeof untilDone} [options.until] how it is asked until there is an answer
 */
export const follow = ({ load, everyMs, signal, onAnswer, onProblem, until = untilDone }) =>
  background(async () => {
    for (;;) {
      const answer = await until(load, {
        signal,
        onProblem: problem => problem !== null && onProblem(problem)
      })
      if (signal.aborted) return
      onAnswer(answer)
      await pause(everyMs, signal)
    }
  }, signal)
