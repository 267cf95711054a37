/**
 * Slots of a state table that are used again once what they hold has passed. A new key gets the
 * lowest free slot, so which one follows from the table alone, also after a start or a rollback.
 *
 * Slots may become free only where `release` or `rewind` is called; between two calls they only
 * fill.
 */
import type { SlotTable } from "./slot-table.ts"
import type { ColumnDefs } from "./table.ts"

export class RecycledSlots<C extends ColumnDefs> {
  private readonly table: SlotTable<C>
  private readonly isFree: (slot: number) => boolean
  /** slots that were free, ascending; those before `next` are taken */
  private free = new Uint32Array(0)
  private next = 0

  constructor(table: SlotTable<C>, isFree: (slot: number) => boolean) {
    this.table = table
    this.isFree = isFree
  }

  /** The lowest free slot, with its former row still in it; the caller must put a new one there. */
  take(): number {
    while (this.next < this.free.length) {
      const slot = this.free[this.next++] as number
      // whoever had it may have come back
      if (this.isFree(slot)) return slot
    }
    const slot = this.table.count
    this.table.grow(slot + 1)
    return slot
  }

  /** Takes in slots that are free from now on, in any order. */
  release(slots: ReadonlyArray<number>): void {
    if (slots.length === 0) return
    const left = this.free.subarray(this.next)
    const free = new Uint32Array(left.length + slots.length)
    free.set(left)
    free.set(slots, left.length)
    this.free = free.sort()
    this.next = 0
  }

  /** Looks for free slots in all of the table: after a start or a rollback. */
  rewind(): void {
    const free: Array<number> = []
    for (let slot = 0; slot < this.table.count; slot++) if (this.isFree(slot)) free.push(slot)
    this.free = Uint32Array.from(free)
    this.next = 0
  }
}
