/** A copy of chosen columns of a table without buckets, by slot, as of the newest commit. */
import { ByteTable } from "../../streams/batch/id-table.ts"
import { type AnyArray, ColumnSet } from "../store/column-set.ts"
import type { ColumnDefs } from "../store/table.ts"
import { type ChangedRows, type CopiedColumns, giveBack } from "./changed-rows.ts"

/** Finds the slot by a value of a column of bytes. */
class SlotsByValue {
  private readonly values: ByteTable
  private slots = new Uint32Array(1024)

  constructor(size: number) {
    this.values = new ByteTable(size)
  }

  set(bytes: Uint8Array, from: number, slot: number): void {
    const place = this.values.intern(bytes, from)
    if (place >= this.slots.length) {
      const grown = new Uint32Array(this.slots.length * 2)
      grown.set(this.slots)
      this.slots = grown
    }
    this.slots[place] = slot
  }

  /** Returns the slot of a value; -1 for none. */
  of(value: Uint8Array): number {
    const place = this.values.find(value, 0)
    return place < 0 ? -1 : (this.slots[place] as number)
  }

  clear(): void {
    this.values.clear()
  }
}

export class RowsCopy {
  private readonly copied: CopiedColumns
  private set: ColumnSet<ColumnDefs>
  /** number of slots of which the copy has a row */
  count = 0
  private waiting: Array<ChangedRows> = []
  private readonly byValue: ReadonlyMap<string, SlotsByValue>

  constructor(copied: CopiedColumns) {
    this.copied = copied
    this.set = new ColumnSet(copied.defs, 0)
    this.byValue = new Map(copied.bytes.map(({ name, size }) => [name, new SlotsByValue(size)]))
  }

  /** Takes rows of the open transaction. While nobody reads (`isEmpty`) they count at once. */
  take(rows: ChangedRows, isEmpty: boolean): void {
    if (isEmpty) this.write(rows)
    else this.waiting.push(rows)
  }

  /** Lets the rows that were taken since the last commit count. */
  commit(): void {
    for (const rows of this.waiting) this.write(rows)
    this.waiting = []
  }

  /** Forgets all rows: the table was read again or rolled back. */
  forget(): void {
    for (const { numbers } of this.waiting) giveBack(numbers)
    this.waiting = []
    this.set = new ColumnSet(this.copied.defs, 0)
    this.count = 0
    for (const one of this.byValue.values()) one.clear()
  }

  private write({ count, numbers, bytes }: ChangedRows): void {
    const { numbers: names, bytes: byteColumns, width, stride } = this.copied
    for (let row = 0; row < count; row++) {
      const slot = numbers[row * width] as number
      this.set.reserve(slot + 1)
      if (slot >= this.count) this.count = slot + 1
      for (let i = 0; i < names.length; i++) {
        const values = this.set.array(names[i] as string) as Float64Array
        values[slot] = numbers[row * width + 2 + i] as number
      }
      let from = row * stride
      for (const { name, size } of byteColumns) {
        const values = this.set.array(name) as Uint8Array
        for (let i = 0; i < size; i++) values[slot * size + i] = bytes[from + i] as number
        this.byValue.get(name)?.set(bytes, from, slot)
        from += size
      }
    }
    giveBack(numbers)
  }

  /** Returns a column's values by slot. Ask again after a commit, which may replace the array. */
  column(name: string): AnyArray {
    return this.set.array(name)
  }

  /** Returns the slot whose column of bytes holds a value; -1 for none. */
  slotOf(name: string, value: Uint8Array): number {
    return this.byValue.get(name)?.of(value) ?? -1
  }
}
