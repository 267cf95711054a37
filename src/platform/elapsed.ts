/** How long ago something was, by a clock that somebody may set. */

/**
 * Whether so many milliseconds have passed since `sinceMs`. A clock that was set back does not tell
 * how long ago that is: then they have.
 */
export const hasPassed = (sinceMs: number, nowMs: number, spanMs: number): boolean =>
  nowMs < sinceMs || nowMs - sinceMs >= spanMs
