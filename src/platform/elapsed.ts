/** How long ago something was: by a clock that nobody can set, or by one that somebody may. */
import { Clock, Effect } from "effect"

const millisOf = (nanos: bigint): number => Number(nanos / 1_000_000n)

/** Milliseconds of a clock that only runs on; what they count from means nothing. */
export const steadyMillis: Effect.Effect<number> = Effect.map(Clock.monotonicTimeNanos, millisOf)

/** Milliseconds of the steady clock, read at once. */
export const steadyMillisUnsafe = (clock: Clock.Clock): number =>
  millisOf(clock.monotonicTimeNanosUnsafe())

/**
 * Whether so many milliseconds have passed since `sinceMs`. A clock that was set back does not tell
 * how long ago that is: then they have.
 */
export const hasPassed = (sinceMs: number, nowMs: number, spanMs: number): boolean =>
  nowMs < sinceMs || nowMs - sinceMs >= spanMs
