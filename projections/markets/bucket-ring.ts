/**
 * Counters by key and bucket of time (an hour, a day) of the newest buckets, in the slots of a
 * state table that are used again once their bucket is over.
 */
import { RecycledSlots } from "../../engine/store/recycled-slots.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import type { ColumnDefs } from "../../engine/store/table.ts"
import { NONE } from "../../streams/batch/id-table.ts"

interface Slotted {
  readonly slot: Uint32Array
}

export class BucketRing<C extends ColumnDefs> {
  readonly table: SlotTable<C>
  private readonly key: keyof C & string
  private readonly free: RecycledSlots<C>
  private readonly bucket: keyof C & string
  /** buckets up to this one are over: their slots are free */
  private floor = 0
  /** by key: the slot of its newest bucket, which another key may have by now */
  private newest = new Uint32Array(1024).fill(NONE)

  constructor(table: SlotTable<C>, key: keyof C & string, bucket: keyof C & string) {
    this.table = table
    this.key = key
    this.bucket = bucket
    this.free = new RecycledSlots(table, slot => this.isFree(slot))
  }

  /** The keys of the slots, `NONE` where a slot was never used. */
  get keys(): Uint32Array {
    return this.table.columns[this.key] as unknown as Uint32Array
  }

  /** Starts of the slots' buckets, Unix seconds. */
  get starts(): Uint32Array {
    return this.table.columns[this.bucket] as unknown as Uint32Array
  }

  private isFree(slot: number): boolean {
    return this.keys[slot] === NONE || (this.starts[slot] as number) <= this.floor
  }

  /** The slot of a key in the present bucket; a new one holds zeros and nulls. */
  present(key: number, start: number): number {
    const known = key < this.newest.length ? (this.newest[key] as number) : NONE
    if (known !== NONE && this.keys[known] === key && this.starts[known] === start) return known
    const slot = this.free.take()
    this.table.clear(slot)
    const { slot: own } = this.table.columns as unknown as Slotted
    own[slot] = slot
    this.keys[slot] = key
    this.starts[slot] = start
    this.note(key, slot)
    return slot
  }

  /** The slot of a key in any of the buckets, -1 where there is none; looks at all. */
  find(key: number, start: number): number {
    const { keys, starts } = this
    for (let slot = 0; slot < this.table.count; slot++) {
      if (keys[slot] === key && starts[slot] === start && start > this.floor) return slot
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

  /** Ends the buckets up to `floor`: `drop` gets their slots, then they are free. */
  advance(floor: number, drop: (slot: number) => void): void {
    const { starts } = this
    this.each(slot => {
      if ((starts[slot] as number) <= floor) drop(slot)
    })
    this.floor = floor
    this.free.rewind()
  }

  /** Takes up what the table holds when buckets up to `floor` are over. */
  reload(floor: number): void {
    this.floor = floor
    this.free.rewind()
    this.newest.fill(NONE)
    const { keys, starts } = this
    this.each(slot => {
      const key = keys[slot] as number
      const known = key < this.newest.length ? (this.newest[key] as number) : NONE
      if (known === NONE || (starts[known] as number) < (starts[slot] as number))
        this.note(key, slot)
    })
  }
}
