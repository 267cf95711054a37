/**
 * Positions by pool, owner, name and range, in the slots of a state table, of which there are so
 * many at most: where they are more, those go that have not changed for the longest. Which those
 * are follows from the log alone.
 */
import { RecycledSlots } from "../../engine/store/recycled-slots.ts"
import { ID_BYTES } from "../../src/domain/ids.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { KeptLists } from "./position-lists.ts"
import type { Positions } from "./tables.ts"

/** Some 200 bytes each in memory. */
const MOST = 1 << 19
/** The part of them that goes at once. */
const PART = 1 / 16
const EMPTY = -1

/** What a position is of; bytes of owner and name begin at `from`, zeros for none. */
export interface PositionKey {
  readonly pool: number
  readonly bytes: Uint8Array
  readonly named: Uint8Array
  readonly from: number
  readonly lower: number
  readonly upper: number
}

export class PositionSet {
  private readonly table: Positions
  private readonly most: number
  private readonly slots: RecycledSlots<Positions["def"]["columns"]>
  /** slots that are free and below the table's end */
  private free = 0
  /** places of slots by the hash of their key; open addressing */
  private places = new Int32Array(1024).fill(EMPTY)
  private used = 0
  readonly lists: KeptLists

  constructor(table: Positions, most = MOST) {
    this.table = table
    this.lists = new KeptLists(table)
    this.most = most
    this.slots = new RecycledSlots(table, () => {
      const { pool } = table.columns
      return slot => pool[slot] === NONE
    })
  }

  get isFull(): boolean {
    return this.table.count >= this.most
  }

  /** Returns the slot of a position, which it gets where it has none. */
  slotOf(key: PositionKey): number {
    let place = this.hash(key) & (this.places.length - 1)
    for (;;) {
      const slot = this.places[place] as number
      if (slot === EMPTY) break
      if (this.isOf(slot, key)) return slot
      place = (place + 1) & (this.places.length - 1)
    }
    return this.add(key)
  }

  private add({ pool, bytes, named, from, lower, upper }: PositionKey): number {
    if (this.isFull && this.free === 0) this.letGo()
    if (this.free > 0) this.free--
    const slot = this.slots.take()
    const { table } = this
    table.clear(slot)
    const c = table.columns
    c.pool[slot] = pool
    c.owner.set(bytes.subarray(from, from + ID_BYTES), slot * ID_BYTES)
    c.named.set(named.subarray(from, from + ID_BYTES), slot * ID_BYTES)
    c.tick_lower[slot] = lower
    c.tick_upper[slot] = upper
    this.lists.add(slot)
    if ((this.used + 1) * 2 > this.places.length) this.rehash(this.places.length * 2)
    else this.place(slot)
    return slot
  }

  private letGo(): void {
    const { table } = this
    const { last_ts, pool } = table.columns
    const oldest = Uint32Array.from({ length: table.count }, (_, slot) => slot)
      .sort((a, b) => (last_ts[a] as number) - (last_ts[b] as number) || a - b)
      .subarray(0, Math.max(1, Math.floor(table.count * PART)))
    for (const slot of oldest) {
      pool[slot] = NONE
      table.touch(slot)
    }
    this.slots.release([...oldest])
    this.free += oldest.length
    this.rehash(this.places.length)
  }

  /** Makes all that follows from the rows anew. */
  reloaded(): void {
    const { table } = this
    this.slots.rewind()
    this.free = 0
    for (let slot = 0; slot < table.count; slot++) {
      if (table.columns.pool[slot] === NONE) this.free++
    }
    let room = 1024
    while (room < table.count * 2) room *= 2
    this.rehash(room)
    this.lists.reloaded()
  }

  private rehash(room: number): void {
    this.places = new Int32Array(room).fill(EMPTY)
    this.used = 0
    const { pool } = this.table.columns
    for (let slot = 0; slot < this.table.count; slot++) {
      if (pool[slot] !== NONE) this.place(slot)
    }
  }

  private place(slot: number): void {
    const c = this.table.columns
    let place =
      this.hash({
        ...{ pool: c.pool[slot] as number, bytes: c.owner, named: c.named },
        from: slot * ID_BYTES,
        ...{ lower: c.tick_lower[slot] as number, upper: c.tick_upper[slot] as number }
      }) &
      (this.places.length - 1)
    while (this.places[place] !== EMPTY) place = (place + 1) & (this.places.length - 1)
    this.places[place] = slot
    this.used++
  }

  private isOf(slot: number, { pool, bytes, named, from, lower, upper }: PositionKey): boolean {
    const c = this.table.columns
    if (c.pool[slot] !== pool || c.tick_lower[slot] !== lower) return false
    if (c.tick_upper[slot] !== upper) return false
    const at = slot * ID_BYTES
    for (let i = 0; i < ID_BYTES; i++) {
      if (c.owner[at + i] !== bytes[from + i] || c.named[at + i] !== named[from + i]) return false
    }
    return true
  }

  private hash({ pool, bytes, named, from, lower, upper }: PositionKey): number {
    let mixed = Math.imul(pool ^ Math.imul(lower, 31) ^ Math.imul(upper, 131), 0x9e3779b1)
    for (let i = ID_BYTES - 8; i < ID_BYTES; i++) {
      mixed = Math.imul(mixed ^ (bytes[from + i] as number), 0x85ebca6b)
      mixed = Math.imul(mixed ^ (named[from + i] as number), 0xc2b2ae35)
    }
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
}
