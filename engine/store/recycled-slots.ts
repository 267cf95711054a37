/**
 * Slots of a state table that are used again once what they hold has passed. A new key gets the
 * lowest free slot, so which one follows from the table alone, also after a start or a rollback.
 *
 * Slots may become free only where `rewind` is called; between two calls they only fill.
 */
import type { SlotTable } from "./slot-table.ts"
import type { ColumnDefs } from "./table.ts"

export class RecycledSlots<C extends ColumnDefs> {
  private readonly table: SlotTable<C>
  private readonly isFree: (slot: number) => boolean
  /** no slot before it is free */
  private cursor = 0

  constructor(table: SlotTable<C>, isFree: (slot: number) => boolean) {
    this.table = table
    this.isFree = isFree
  }

  /** The lowest free slot, with its former row still in it; the caller must put a new one there. */
  take(): number {
    const { table } = this
    while (this.cursor < table.count && !this.isFree(this.cursor)) this.cursor++
    const slot = this.cursor++
    if (slot === table.count) table.grow(slot + 1)
    return slot
  }

  /** Looks for free slots from the first one on again. */
  rewind(): void {
    this.cursor = 0
  }
}
