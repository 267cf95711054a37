/** Starts again whatever dies, with growing pauses. */
import { Cause, Clock, Effect, Exit, type Scope } from "effect"
import { plainWords } from "./plain-words.ts"

/** Pauses before restarts, in milliseconds. */
export interface Pauses {
  readonly firstMs: number
  readonly longestMs: number
  /** what lived this long was well: the pauses begin anew */
  readonly wellAfterMs: number
}

/** The pauses of one thing that is started again and again, doubling with each early death. */
export class RestartPauses {
  private readonly pauses: Pauses
  private quickDeaths = 0

  constructor(pauses: Pauses) {
    this.pauses = pauses
  }

  /** The pause after it died, having lived for so many milliseconds. */
  next(livedMs: number): number {
    const { firstMs, longestMs, wellAfterMs } = this.pauses
    if (livedMs >= wellAfterMs) this.quickDeaths = 0
    return Math.min(longestMs, firstMs * 2 ** Math.min(this.quickDeaths++, 30))
  }
}

/** Starts it again whenever it dies, for the length of the scope; `died` hears why. */
export const keepAlive = <E, R>(
  run: Effect.Effect<never, E, R>,
  pauses: Pauses,
  died: (words: string) => void
): Effect.Effect<void, never, Exclude<R, Scope.Scope> | Scope.Scope> =>
  Effect.gen(function* () {
    const next = new RestartPauses(pauses)
    for (;;) {
      const startedAt = yield* Clock.currentTimeMillis
      const exit = yield* Effect.exit(Effect.scoped(run))
      if (Exit.isFailure(exit)) {
        if (Cause.hasInterruptsOnly(exit.cause)) return
        died(plainWords(exit.cause))
      }
      yield* Effect.sleep(next.next((yield* Clock.currentTimeMillis) - startedAt))
    }
  }).pipe(Effect.forkScoped, Effect.asVoid)
