// @ts-check
/** Why a request failed, and trying again. Types and words: `retry.d.ts`. */

export class Problem extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{ status?: number, waitMs?: number, route?: string }} [about]
   */
  constructor(code, message, { status = 0, waitMs = 0, route } = {}) {
    super(message)
    this.code = code
    this.status = status
    this.waitMs = waitMs
    this.route = route ?? null
  }
}

const FIRST_MS = 1000
const LONGEST_MS = 20_000

/** @type {typeof import("./retry.d.ts").backoffMs} */
export const backoffMs = (attempt, random = Math.random) => {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10))
  return ceiling / 2 + random() * (ceiling / 2)
}

/** @type {typeof import("./retry.d.ts").pause} */
export const pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, ms)
    signal?.addEventListener("abort", stop, { once: true })
  })

/** @type {(cause: unknown) => Problem} */
const asProblem = cause =>
  cause instanceof Problem ? cause : new Problem("UNEXPECTED", String(cause))

/** @type {typeof import("./retry.d.ts").untilDone} */
export const untilDone = async (work, options = {}) => {
  const { tries = Infinity, longestWaitMs = Infinity, onProblem = () => {} } = options
  const { signal, isPassing = () => true } = options
  for (let attempt = 0; ; attempt++) {
    try {
      const result = await work()
      signal?.throwIfAborted()
      if (attempt > 0) onProblem(null)
      return result
    } catch (cause) {
      signal?.throwIfAborted()
      const problem = asProblem(cause)
      const isLast = attempt + 1 >= tries || problem.waitMs > longestWaitMs
      if (isLast || !isPassing(problem)) throw problem
      onProblem(problem)
      await pause(Math.max(problem.waitMs, backoffMs(attempt)), signal)
    }
  }
}
