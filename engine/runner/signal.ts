/** Wakes those who wait for something to become true, whenever it may have. */
import { Deferred, Effect, Exit } from "effect"

/**
 * Rung after each change of what the waiting look at. A condition is looked at in the same turn in
 * which its waiting begins, so no change is missed between the two.
 */
export class Signal {
  private next = Deferred.makeUnsafe<void>()

  /** Lets all who wait look again. */
  ring(): void {
    const rung = this.next
    this.next = Deferred.makeUnsafe()
    Deferred.doneUnsafe(rung, Exit.void)
  }

  /** Waits until a condition is true: not at all where it is. */
  until(isTrue: () => boolean): Effect.Effect<void> {
    return Effect.suspend(() =>
      isTrue() ? Effect.void : Effect.andThen(Deferred.await(this.next), this.until(isTrue))
    )
  }
}
