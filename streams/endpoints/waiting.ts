/** Since when somebody waits for an answer of an endpoint that the chain cannot be read without. */
import { Clock, Context, Effect, Exit } from "effect"

/** What open questions are noted on (ms since 1970). */
interface Notes {
  readonly asked: (nowMs: number) => void
  /** one that was asked then is over: answered, or failed, or nobody waits for it any more */
  readonly ended: (askedMs: number, isAnswered: boolean, nowMs: number) => void
}

/**
 * Whether questions are asked beside those that the next block needs, as comparisons and audits
 * are: that they are answered does not say that the chain can be read, nor that they fail that it
 * cannot.
 */
export const IsBeside = Context.Reference<boolean>("swaptape/streams/IsBeside", {
  defaultValue: () => false
})

/** Asks what no block waits for. */
export const asideOf = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(work, IsBeside, true)

/** Notes on `notes` that an answer is waited for, for as long as it is. */
export const waiting = <A, E>(notes: Notes, asked: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(IsBeside, isBeside =>
    isBeside
      ? asked
      : Effect.acquireUseRelease(
          Effect.tap(Clock.currentTimeMillis, now => Effect.sync(() => notes.asked(now))),
          () => asked,
          (then, exit) =>
            Effect.map(Clock.currentTimeMillis, now => notes.ended(then, Exit.isSuccess(exit), now))
        )
  )
