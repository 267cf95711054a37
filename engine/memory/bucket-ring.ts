/**
 * Counters by key and bucket of time (an hour, a day) of the newest buckets, in the slots of a
 * state table that are used again once their bucket is over.
 */

import { NONE } from "../../streams/batch/id-table.ts"
import { RecycledSlots } from "../store/recycled-slots.ts"
import type { SlotTable } from "../store/slot-table.ts"
import type { ColumnDefs } from "../store/table.ts"
import { roomFor } from "./room.ts"

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
  /** by slot: the slot of its key's bucket before, which another bucket may have by now */
  private before = new Uint32Array(1024).fill(NONE)
  /** slots in use by the start of their bucket, in no order */
  readonly buckets = new Map<number, Array<number>>()
  /** `keys` and `starts`, which are found by name: read anew where the table has grown */
  private known: Known

  constructor(table: SlotTable<C>, key: keyof C & string, bucket: keyof C & string) {
    this.table = table
    this.key = key
    this.bucket = bucket
    this.free = new RecycledSlots(table, () => slot => this.isFree(slot))
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
    this.known.keys[slot] = key
    this.known.starts[slot] = start
    this.list(start, slot)
    this.link(key, slot)
    return slot
  }

  private list(start: number, slot: number): void {
    const slots = this.buckets.get(start)
    if (slots === undefined) this.buckets.set(start, [slot])
    else slots.push(slot)
  }

  private link(key: number, slot: number): void {
    this.newest = roomFor(this.newest, key, NONE)
    this.before = roomFor(this.before, slot, NONE)
    this.before[slot] = this.newest[key] as number
    this.newest[key] = slot
  }

  /** The slots of a bucket. */
  of(start: number): ReadonlyArray<number> {
    return this.buckets.get(start) ?? []
  }

  /** The slot of a key's newest bucket, -1 where it has none. */
  newestOf(key: number): number {
    return this.earlier(key, this.newest[key] ?? NONE, Number.POSITIVE_INFINITY)
  }

  /** The slot of the bucket before of a slot's key, -1 where it has none. */
  beforeOf(slot: number): number {
    const { keys, starts } = this.known
    return this.earlier(keys[slot] as number, this.before[slot] as number, starts[slot] as number)
  }

  /** A linked slot where it still is of a bucket of the key that begins before a time, else -1. */
  private earlier(key: number, slot: number, end: number): number {
    // As an index `NONE` makes V8 throw the compiled function away, each time anew.
    if (slot === NONE) return -1
    const { keys, starts } = this.known
    if (keys[slot] !== key) return -1
    const start = starts[slot] as number
    return start > this.floor && start < end ? slot : -1
  }

  /** The slot of a key in any of the buckets, -1 where there is none. */
  find(key: number, start: number): number {
    let slot = this.newestOf(key)
    while (slot >= 0 && (this.known.starts[slot] as number) > start) slot = this.beforeOf(slot)
    return slot >= 0 && this.known.starts[slot] === start ? slot : -1
  }

  /** The slots in use, in their order. */
  slots(): ReadonlyArray<number> {
    return Array.from({ length: this.table.count }, (_, slot) => slot).filter(
      slot => !this.isFree(slot)
    )
  }

  /** Ends the buckets up to `floor`: `drop` gets their slots, then they are free. */
  advance(floor: number, drop?: (slot: number) => void): void {
    this.floor = floor
    for (const [start, slots] of this.buckets) {
      if (start > floor) continue
      if (drop !== undefined) for (const slot of slots) drop(slot)
      this.buckets.delete(start)
      this.free.release(slots)
    }
  }

  /** Takes up what the table holds when buckets up to `floor` are over. */
  reload(floor: number): void {
    this.floor = floor
    this.known = this.read()
    this.free.rewind()
    this.newest.fill(NONE)
    this.buckets.clear()
    const { keys, starts } = this.known
    for (const slot of this.slots()) this.list(starts[slot] as number, slot)
    for (const start of [...this.buckets.keys()].sort((a, b) => a - b)) {
      for (const slot of this.of(start)) this.link(keys[slot] as number, slot)
    }
  }
}
