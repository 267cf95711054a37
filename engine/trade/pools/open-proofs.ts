/** States that were read and that the swaps of the present block are held against. */
import type { Event } from "../../../streams/event.ts"
import type { PoolSlot } from "./pool-slot.ts"

export class OpenProofs {
  private readonly slots = new Set<PoolSlot>()

  /** The next event of a pool, an object of its own. */
  take(slot: PoolSlot, event: Event): void {
    slot.proof?.take(event)
    this.slots.add(slot)
  }

  /** The block is over: ends the proofs that its swaps decide; returns the pools they refute. */
  settle(): ReadonlyArray<PoolSlot> {
    const refuted: Array<PoolSlot> = []
    for (const slot of this.slots) {
      slot.proof?.settle()
      const agrees = slot.proof?.agrees ?? null
      if (agrees !== null) slot.proof = null
      if (agrees === false) refuted.push(slot)
    }
    this.slots.clear()
    return refuted
  }
}
