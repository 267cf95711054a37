/** How many calls a provider's rate limit leaves, as a value: a bucket that fills with time. */

export interface CallRate {
  /** calls that may go out at once */
  readonly burst: number
  /** milliseconds in which one more call comes free */
  readonly everyMs: number
}

export interface CallBudget {
  /** calls that were free at `atMs`; below zero where some are promised ahead of their time */
  readonly calls: number
  readonly atMs: number
}

export const fullBudget = ({ burst }: CallRate, atMs: number): CallBudget => ({
  calls: burst,
  atMs
})

/** A call that may go out once some milliseconds are over, and what is left. */
export interface Spent {
  readonly left: CallBudget
  readonly waitMs: number
}

/** Takes one call out; null where none comes free within `patienceMs`. */
export const spend = (
  { calls, atMs }: CallBudget,
  { burst, everyMs }: CallRate,
  nowMs: number,
  patienceMs: number
): Spent | null => {
  const free = Math.min(burst, calls + Math.max(0, nowMs - atMs) / everyMs)
  const waitMs = free >= 1 ? 0 : Math.ceil((1 - free) * everyMs)
  return waitMs > patienceMs
    ? null
    : { left: { calls: free - 1, atMs: Math.max(atMs, nowMs) }, waitMs }
}
