/** Since when somebody waits for an answer of an endpoint. */
import { Clock, Effect } from "effect"

/** What open questions are noted on (ms since 1970). */
interface Notes {
  readonly asked: (nowMs: number) => void
  readonly answered: (nowMs: number) => void
}

/** Notes on `notes` that an answer is waited for, for as long as it is. */
export const waiting = <A, E>(notes: Notes, asked: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.map(Clock.currentTimeMillis, now => notes.asked(now)),
    () => asked,
    () => Effect.map(Clock.currentTimeMillis, now => notes.answered(now))
  )
