/**
 * A circuit breaker as a value: `closed` lets every call through; `open` none until its time; then
 * one probe goes out, `half-open`, which closes it or opens it for twice as long.
 */

/** So many failures one after the other open it. */
const CONSECUTIVE = 3
/** So many failures of the last `WINDOW` calls open it. */
const FAILURES = 5
const WINDOW = 10
/** Milliseconds that it is open for at first, and at most. */
const FIRST_MS = 10_000
const LONGEST_MS = 600_000

export type Breaker =
  /** `recent`: whether each of the last calls failed, the newest last */
  | { readonly state: "closed"; readonly recent: ReadonlyArray<boolean> }
  /** `coolDownMs`: how long it is open for, which the next opening doubles */
  | { readonly state: "open"; readonly untilMs: number; readonly coolDownMs: number }
  | { readonly state: "half-open"; readonly coolDownMs: number }

export type BreakerState = Breaker["state"]

export const CLOSED: Breaker = { state: "closed", recent: [] }

const opened = (nowMs: number, coolDownMs: number, leastMs: number): Breaker => {
  const ms = Math.min(LONGEST_MS, Math.max(coolDownMs, leastMs))
  return { state: "open", untilMs: nowMs + ms, coolDownMs: Math.min(LONGEST_MS, coolDownMs) }
}

/** Whether a call may go out, and the breaker once it does. */
export const admit = (
  breaker: Breaker,
  nowMs: number
): { readonly breaker: Breaker; readonly isAdmitted: boolean } => {
  if (breaker.state === "closed") return { breaker, isAdmitted: true }
  // a probe is under way
  const isProbed = breaker.state === "half-open"
  // what is open for longer than any is was opened before the clock was set back
  if (isProbed || (nowMs < breaker.untilMs && breaker.untilMs <= nowMs + LONGEST_MS)) {
    return { breaker, isAdmitted: false }
  }
  return {
    breaker: { state: "half-open", coolDownMs: breaker.coolDownMs },
    isAdmitted: true
  }
}

/** After an answer, be it that there is no route. */
export const succeeded = (breaker: Breaker): Breaker =>
  breaker.state === "closed"
    ? { state: "closed", recent: [...breaker.recent, false].slice(-WINDOW) }
    : breaker.state === "half-open"
      ? CLOSED
      : breaker

/** After a failure; `leastMs`: how long the other side asks for, which opens it at once. */
export const failed = (breaker: Breaker, nowMs: number, leastMs: number | null): Breaker => {
  if (breaker.state === "open") return breaker
  if (breaker.state === "half-open") return opened(nowMs, breaker.coolDownMs * 2, leastMs ?? 0)
  const recent = [...breaker.recent, true].slice(-WINDOW)
  const isRow = recent.length >= CONSECUTIVE && recent.slice(-CONSECUTIVE).every(one => one)
  const isOften = recent.filter(one => one).length >= FAILURES
  return leastMs !== null || isRow || isOften
    ? opened(nowMs, FIRST_MS, leastMs ?? 0)
    : { state: "closed", recent }
}

/** After a call of which nobody waited for the end: a probe may go out again at once. */
export const abandoned = (breaker: Breaker, nowMs: number): Breaker =>
  breaker.state === "half-open"
    ? { state: "open", untilMs: nowMs, coolDownMs: breaker.coolDownMs }
    : breaker
