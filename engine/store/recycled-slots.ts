/**
 * Slots of a state table that are used again once their row is out of date. A new key gets the
 * lowest free slot, so its slot follows from the table alone, also after a start or a rollback.
 *
 * Slots become free only through `release` and `rewind`; between two calls they only fill.
 */
import type { SlotTable } from "./slot-table.ts"
import type { ColumnDefs } from "./table.ts"

/** Returns the test of slots as the table's columns are now: growing replaces them. */
export type FreeTest = () => (slot: number) => boolean

export class RecycledSlots<C extends ColumnDefs> {
  private readonly table: SlotTable<C>
  private readonly freeTest: FreeTest
  /** slots that were free at the last call, ascending; those before `next` are taken */
  private free = new Uint32Array(0)
  private next = 0

  constructor(table: SlotTable<C>, freeTest: FreeTest) {
    this.table = table
    this.freeTest = freeTest
  }

  /** Returns the lowest free slot. It still holds its former row, which the caller must replace. */
  take(): number {
    const isFree = this.freeTest()
    while (this.next < this.free.length) {
      const slot = this.free[this.next++] as number
      // the key that had the slot may have come back to it
      if (isFree(slot)) return slot
    }
    const slot = this.table.count
    this.table.grow(slot + 1)
    return slot
  }

  /** Adds slots that are free from now on, in any order. */
  release(slots: ReadonlyArray<number>): void {
    if (slots.length === 0) return
    const left = this.free.subarray(this.next)
    const free = new Uint32Array(left.length + slots.length)
    free.set(left)
    free.set(slots, left.length)
    this.free = free.sort()
    this.next = 0
  }

  /** Finds the free slots of the whole table anew, after a start or a rollback. */
  rewind(): void {
    const isFree = this.freeTest()
    const free: Array<number> = []
    for (let slot = 0; slot < this.table.count; slot++) if (isFree(slot)) free.push(slot)
    this.free = Uint32Array.from(free)
    this.next = 0
  }
}
