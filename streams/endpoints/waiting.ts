/** Since when somebody waits for an answer of an endpoint that the chain cannot be read without. */
import { Clock, Context, Effect, Exit } from "effect"

/** A question that is open (ms since 1970). */
export interface Asked {
  readonly atMs: number
  /** whether it is for the newest block */
  readonly isHead: boolean
}

/** What open questions are noted on (ms since 1970). */
interface Notes {
  readonly asked: (question: Asked) => void
  /** one is over: answered, or failed, or nobody waits for it any more */
  readonly ended: (question: Asked, isAnswered: boolean, nowMs: number) => void
}

/**
 * Whether questions are asked beside those that the next block needs, as comparisons and audits
 * are: that they are answered does not say that the chain can be read, nor that they fail that it
 * cannot.
 */
export const IsBeside = Context.Reference<boolean>("swaptape/streams/IsBeside", {
  defaultValue: () => false
})

/** Whether a question is for the newest block: other answers do not say that there is one. */
const IsHead = Context.Reference<boolean>("swaptape/streams/IsHead", {
  defaultValue: () => false
})

/** Asks what no block waits for. */
export const asideOf = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(work, IsBeside, true)

/** Asks for the newest block. */
export const forHead = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(work, IsHead, true)

/** Notes on `notes` that an answer is waited for, for as long as it is. */
export const waiting = <A, E>(notes: Notes, asked: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    if (yield* IsBeside) return yield* asked
    const isHead = yield* IsHead
    return yield* Effect.acquireUseRelease(
      Effect.map(Clock.currentTimeMillis, (atMs): Asked => {
        const question = { atMs, isHead }
        notes.asked(question)
        return question
      }),
      () => asked,
      (question, exit) =>
        Effect.map(Clock.currentTimeMillis, now => notes.ended(question, Exit.isSuccess(exit), now))
    )
  })
