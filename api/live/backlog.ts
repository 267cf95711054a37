/** Waits until a reader has taken what it was sent. */
import { Deferred, Effect } from "effect"

export class Backlog {
  private readonly size: () => number
  private waiting: Deferred.Deferred<void> | null = null

  /** @param size bytes that the reader is behind */
  constructor(size: () => number) {
    this.size = size
  }

  /** Waits until the reader is at most `bytes` behind. */
  drained(bytes: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.size() <= bytes) return Effect.void
      this.waiting ??= Deferred.makeUnsafe<void>()
      return Effect.flatMap(Deferred.await(this.waiting), () => this.drained(bytes))
    })
  }

  /** Some of it was taken, or nobody takes it any more. */
  wake(): void {
    const { waiting } = this
    this.waiting = null
    if (waiting !== null) Deferred.doneUnsafe(waiting, Effect.void)
  }
}
