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

/** Columns as they are at a capacity of the table. */
interface Known {
  readonly capacity: number
  readonly keys: Uint32Array
  readonly starts: Uint32Array
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
  /** slots in use by the start of their bucket */
  private readonly slots = new Map<number, Array<number>>()
  /** `keys` and `starts`, which are found by name: read anew where the table has grown */
  private known: Known

  constructor(table: SlotTable<C>, key: keyof C & string, bucket: keyof C & string) {
    this.table = table
    this.key = key
    this.bucket = bucket
    this.free = new RecycledSlots(table, slot => this.isFree(slot))
    this.known = this.read()
  }

  private read(): Known {
    return { capacity: this.table.capacity, keys: this.keys, starts: this.starts }
  }

  /** The keys of the slots, `NONE` where a slot was never used. */
  get keys(): Uint32Array {
    return this.table.columns[this.key] as unknown as Uint32Array
  }

  /** Starts of the slots' buckets, Unix seconds. */
  get starts(): Uint32Array {
    return this.table.columns[this.bucket] as unknown as Uint32Array
  }

  /** Keys are less than this. */
  get keyCount(): number {
    return this.newest.length
  }

  private isFree(slot: number): boolean {
    const { keys, starts } = this.known
    return keys[slot] === NONE || (starts[slot] as number) <= this.floor
  }

  /** The slot of a key in the present bucket; a new one holds zeros and nulls. */
  present(key: number, start: number): number {
    const last = key < this.newest.length ? (this.newest[key] as number) : NONE
    const { keys, starts } = this.known
    return last !== NONE && keys[last] === key && starts[last] === start
      ? last
      : this.begin(key, start)
  }

  private begin(key: number, start: number): number {
    const slot = this.free.take()
    if (this.known.capacity !== this.table.capacity) this.known = this.read()
    this.table.clear(slot)
    const { slot: own } = this.table.columns as unknown as Slotted
    own[slot] = slot
    this.known.keys[slot] = key
    this.known.starts[slot] = start
    this.note(key, slot)
    this.list(start, slot)
    return slot
  }

  private list(start: number, slot: number): void {
    const slots = this.slots.get(start)
    if (slots === undefined) this.slots.set(start, [slot])
    else slots.push(slot)
  }

  /** The slots of a bucket, in no order. */
  of(start: number): ReadonlyArray<number> {
    return this.slots.get(start) ?? []
  }

  /** The slot of a key in any of the buckets, -1 where there is none. */
  find(key: number, start: number): number {
    const { keys } = this.known
    for (const slot of this.of(start)) if (keys[slot] === key) return slot
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

  /** Calls `visit` with every slot in use, in their order. */
  each(visit: (slot: number) => void): void {
    for (let slot = 0; slot < this.table.count; slot++) if (!this.isFree(slot)) visit(slot)
  }

  /** Ends the buckets up to `floor`: `drop` gets their slots, then they are free. */
  advance(floor: number, drop: (slot: number) => void): void {
    this.floor = floor
    for (const [start, slots] of this.slots) {
      if (start > floor) continue
      for (const slot of slots) drop(slot)
      this.slots.delete(start)
      this.free.release(slots)
    }
  }

  /** Takes up what the table holds when buckets up to `floor` are over. */
  reload(floor: number): void {
    this.floor = floor
    this.known = this.read()
    this.free.rewind()
    this.newest.fill(NONE)
    this.slots.clear()
    const { keys, starts } = this.known
    this.each(slot => {
      const key = keys[slot] as number
      const start = starts[slot] as number
      this.list(start, slot)
      const last = key < this.newest.length ? (this.newest[key] as number) : NONE
      if (last === NONE || (starts[last] as number) < start) this.note(key, slot)
    })
  }
}
