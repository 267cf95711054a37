/** Why a request failed, and trying again. */

/** A request that did not give what was asked for. */
export declare class Problem<Code extends string = string> extends Error {
  constructor(code: Code, message: string, about?: ProblemDetail)
  /** the server's code; `UNREACHABLE` without an answer, `BAD_ANSWER` with one that is none */
  readonly code: Code
  /** of HTTP; 0 without an answer */
  readonly status: number
  /** so long the server asks to wait; 0 where it does not */
  readonly waitMs: number
  /** name of the function that was called; null of none */
  readonly route: string | null
}

interface ProblemDetail {
  readonly status?: number
  readonly waitMs?: number
  readonly route?: string
}

export interface RetryOptions {
  /** in all, the first included; without end unless told */
  readonly tries?: number
  /** a problem that asks for a longer wait is given to the caller; without bound unless told */
  readonly longestWaitMs?: number
  /** told of each problem that is waited for, and null once a try after one succeeded */
  readonly onProblem?: (problem: Problem | null) => void
}

/**
 * The wait before another try: doubling from 1 s to 20 s, each between a half and the whole of it,
 * so that many clients do not return at the same moment.
 */
export declare const backoffMs: (attempt: number, random?: () => number) => number

/** Rejects when aborted. */
export declare const pause: (ms: number, signal?: AbortSignal) => Promise<void>

/** Repeats work until it succeeds; what is no `Problem` becomes one of the code `UNEXPECTED`. */
export declare const untilDone: <A>(
  work: () => Promise<A>,
  options?: RetryOptions & {
    readonly signal?: AbortSignal
    /** whether another try may succeed; always unless told */
    readonly isPassing?: (problem: Problem) => boolean
  }
) => Promise<A>
