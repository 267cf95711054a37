/**
 * When the folds may be looked at: between two segments, committed or not. What is folded the log
 * has, so it is as true as a commit. Not within a segment, whose blocks would be half there, and
 * not while a rollback is under way.
 */
import { Effect } from "effect"
import { nextTurn } from "../../src/platform/turn.ts"
import type { Commit } from "../store/store.ts"

/** Somebody who waits to look at the folds. */
export interface Waiting {
  readonly look: () => void
  /** whether it reads tables beside them, which have to be as far */
  readonly wantsTables: boolean
}

/** Where the writer of a lane stands. */
export interface Position {
  readonly committed: Commit
  /** not null while the folds are ahead of what is committed, or of what is being committed */
  readonly pending: Commit | null
  readonly sealed: Commit | null
  /** whether the folds are within a segment, or between two branches */
  readonly folding: boolean
  /** rollbacks since the process began */
  readonly rollbacks: number
  readonly waiting: Array<Waiting>
}

/** Where the folds stand, with the tables where they are wanted; null while they do not. */
const standsAt = (core: Position, wantsTables: boolean): Commit | null => {
  if (core.folding) return null
  const at = core.pending ?? core.sealed ?? core.committed
  return wantsTables && at !== core.committed ? null : at
}

/** Runs `look` while the folds stand: now, or as soon as they do. */
export const whenStanding = <A>(
  core: Position,
  wantsTables: boolean,
  look: (at: Commit) => A
): Effect.Effect<A> =>
  Effect.callback<A>(resume => {
    const tryIt = (): void => {
      const at = standsAt(core, wantsTables)
      if (at === null) core.waiting.push({ look: tryIt, wantsTables })
      else resume(Effect.runSyncExit(Effect.sync(() => look(at))))
    }
    tryIt()
  })

/** Waits until more is folded. */
export const whenFolded = (core: Position): Effect.Effect<void> =>
  Effect.callback<void>(resume => {
    core.waiting.push({ look: () => resume(Effect.void), wantsTables: false })
  })

/**
 * Lets those look who wait for what there is now, one after the other, until more is folded.
 * Whoever looks and waits again, does so for what is folded next.
 */
export const letLook = (core: Position): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let left = core.waiting.length; left > 0; left--) {
      const next = core.waiting.findIndex(one => standsAt(core, one.wantsTables) !== null)
      if (next < 0) return
      for (const { look } of core.waiting.splice(next, 1)) look()
      yield* nextTurn
    }
  })
