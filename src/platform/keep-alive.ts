/** Restarts an effect that dies, with growing pauses. */
import { Cause, Effect, Exit, type Scope } from "effect"
import { steadyMillis } from "./elapsed.ts"
import { plainWords } from "./plain-words.ts"

/** Pauses before restarts, in milliseconds. */
export interface Pauses {
  readonly firstMs: number
  readonly longestMs: number
  /** after a run of at least this length the pauses begin again at `firstMs` */
  readonly wellAfterMs: number
}

/** Computes the pauses before one thing's restarts; each early death doubles the pause. */
export class RestartPauses {
  private readonly pauses: Pauses
  private quickDeaths = 0

  constructor(pauses: Pauses) {
    this.pauses = pauses
  }

  /** Returns the pause, in milliseconds, before the restart after a run of `livedMs`. */
  next(livedMs: number): number {
    const { firstMs, longestMs, wellAfterMs } = this.pauses
    if (livedMs >= wellAfterMs) this.quickDeaths = 0
    return Math.min(longestMs, firstMs * 2 ** Math.min(this.quickDeaths++, 30))
  }
}

/** Runs `run` until the scope ends and restarts it after each death; `died` gets the reason. */
export const keepAlive = <E, R>(
  run: Effect.Effect<never, E, R>,
  pauses: Pauses,
  died: (words: string) => void
): Effect.Effect<void, never, Exclude<R, Scope.Scope> | Scope.Scope> =>
  Effect.gen(function* () {
    const next = new RestartPauses(pauses)
    for (;;) {
      const startedAt = yield* steadyMillis
      const exit = yield* Effect.exit(Effect.scoped(run))
      if (Exit.isFailure(exit)) {
        if (Cause.hasInterruptsOnly(exit.cause)) return
        died(plainWords(exit.cause))
      }
      yield* Effect.sleep(next.next((yield* steadyMillis) - startedAt))
    }
  }).pipe(Effect.forkScoped, Effect.asVoid)
