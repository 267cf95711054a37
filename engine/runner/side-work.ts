/** Work beside the fold: a commit that is written while more is folded, or upkeep of the tables. */
import { Effect, Fiber, type Scope } from "effect"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import type { FileError } from "../../src/platform/files.ts"

/** What may go wrong while rows are written: the tables, or the files of their upkeep. */
export type WriteError = DuckDbError | FileError

/** At most one piece of work is under way; the one before must have ended. */
export class SideWork {
  private fiber: Fiber.Fiber<void, WriteError> | null = null

  /** whether work is under way, or has failed and nobody has heard of it */
  get isOpen(): boolean {
    return this.fiber !== null
  }

  /** Begins a piece of work, which ends with the scope. */
  begin(
    work: Effect.Effect<void, WriteError, Scope.Scope>
  ): Effect.Effect<void, never, Scope.Scope> {
    // after a failure it stays open, for whoever waits to hear of it
    const closing = Effect.tap(work, () => this.close)
    return Effect.map(Effect.forkScoped(closing), fiber => {
      this.fiber = fiber
    })
  }

  private readonly close = Effect.sync(() => {
    this.fiber = null
  })

  /** Waits until the work under way has ended; fails where it failed. */
  readonly ended: Effect.Effect<void, WriteError> = Effect.suspend(() =>
    this.fiber === null ? Effect.void : Fiber.join(this.fiber)
  )

  /** Whether work is under way. Fails where the last one failed. */
  readonly isUnderWay: Effect.Effect<boolean, WriteError> = Effect.suspend(() =>
    this.fiber !== null && this.fiber.pollUnsafe() === undefined
      ? Effect.succeed(true)
      : Effect.as(this.ended, false)
  )
}
