/**
 * Counters by key and hour of the last 24 hours, in the slots of a state table that are used again
 * once their hour is over.
 */
import { RecycledSlots } from "../../engine/store/recycled-slots.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import type { ColumnDefs } from "../../engine/store/table.ts"
import { NONE } from "../../streams/batch/id-table.ts"

interface Keyed {
  readonly slot: Uint32Array
  readonly hour: Uint32Array
}

export class HourRing<C extends ColumnDefs> {
  readonly table: SlotTable<C>
  private readonly key: keyof C & string
  private readonly free: RecycledSlots<C>
  /** hours up to this one are over: their slots are free */
  private floor = 0
  /** by key: the slot of its newest hour, which another key may have by now */
  private newest = new Uint32Array(1024).fill(NONE)

  constructor(table: SlotTable<C>, key: keyof C & string) {
    this.table = table
    this.key = key
    this.free = new RecycledSlots(table, slot => this.isFree(slot))
  }

  private get columns(): Keyed {
    return this.table.columns as unknown as Keyed
  }

  /** The keys of the slots, `NONE` where a slot was never used. */
  get keys(): Uint32Array {
    return this.table.columns[this.key] as unknown as Uint32Array
  }

  get hours(): Uint32Array {
    return this.columns.hour
  }

  private isFree(slot: number): boolean {
    return this.keys[slot] === NONE || (this.hours[slot] as number) <= this.floor
  }

  /** The slot of a key in the present hour; a new one holds zeros and nulls. */
  present(key: number, hour: number): number {
    const known = key < this.newest.length ? (this.newest[key] as number) : NONE
    if (known !== NONE && this.keys[known] === key && this.hours[known] === hour) return known
    const slot = this.free.take()
    this.table.clear(slot)
    this.columns.slot[slot] = slot
    this.keys[slot] = key
    this.hours[slot] = hour
    this.note(key, slot)
    return slot
  }

  /** The slot of a key in any of the hours, -1 where there is none; looks at all. */
  find(key: number, hour: number): number {
    const { keys, hours } = this
    for (let slot = 0; slot < this.table.count; slot++) {
      if (keys[slot] === key && hours[slot] === hour && hour > this.floor) return slot
    }
    return -1
  }

  private note(key: number, slot: number): void {
    if (key >= this.newest.length) {
      const grown = new Uint32Array(Math.max(key + 1, this.newest.length * 2)).fill(NONE)
      grown.set(this.newest)
      this.newest = grown
    }
    this.newest[key] = slot
  }

  /** Calls `visit` with every slot in use. */
  each(visit: (slot: number) => void): void {
    for (let slot = 0; slot < this.table.count; slot++) if (!this.isFree(slot)) visit(slot)
  }

  /** Ends the hours up to `floor`: `drop` gets their slots, then they are free. */
  advance(floor: number, drop: (slot: number) => void): void {
    const { hours } = this
    this.each(slot => {
      if ((hours[slot] as number) <= floor) drop(slot)
    })
    this.floor = floor
    this.free.rewind()
  }

  /** Takes up what the table holds when hours up to `floor` are over. */
  reload(floor: number): void {
    this.floor = floor
    this.free.rewind()
    this.newest.fill(NONE)
    const { keys, hours } = this
    this.each(slot => {
      const key = keys[slot] as number
      const known = key < this.newest.length ? (this.newest[key] as number) : NONE
      if (known === NONE || (hours[known] as number) < (hours[slot] as number)) this.note(key, slot)
    })
  }
}
