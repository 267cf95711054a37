/** Packs the rows that a lane sends to the copies of its tables on another thread. */
import type { AnyArray } from "../store/column-set.ts"
import type { SlotTable } from "../store/slot-table.ts"
import type { ColumnDefs } from "../store/table.ts"
import {
  type ChangedRows,
  type CopiedColumns,
  copiedColumns,
  SHARED_ROWS,
  SharedRows
} from "./changed-rows.ts"

/** Packed rows, and the buffers that are transferred with the message instead of copied. */
export interface Sent {
  readonly rows: ChangedRows
  readonly transfer: ReadonlyArray<ArrayBuffer>
}

type Arrays = { readonly [name: string]: AnyArray }

class TableFeed {
  private readonly table: SlotTable<ColumnDefs>
  private readonly copied: CopiedColumns
  private readonly shared: SharedRows
  /** by slot of a table with buckets: 1 where the slot has had a row */
  private begun = new Uint8Array(0)

  constructor(table: SlotTable<ColumnDefs>) {
    this.table = table
    this.copied = copiedColumns(table.def)
    this.shared = new SharedRows(this.copied.width)
  }

  private get bucket(): string | undefined {
    return this.table.def.key[1]
  }

  /** Begins anew with an empty copy. Returns the rows that the copy starts with. */
  reset(): ReadonlyArray<Sent> {
    const { count } = this.table
    const columns = this.table.columns as Arrays
    this.begun = new Uint8Array(Math.max(1024, count))
    if (this.bucket !== undefined) {
      const buckets = columns[this.bucket] as Uint32Array
      // the bucket of a slot is 0 until its first row
      for (let slot = 0; slot < count; slot++) this.begun[slot] = buckets[slot] === 0 ? 0 : 1
      return []
    }
    const sent: Array<Sent> = []
    for (let from = 0; from < count; from += SHARED_ROWS) {
      sent.push(this.pack(columns, from, Math.min(count, from + SHARED_ROWS)))
    }
    return sent
  }

  /** Returns the waiting versions before `end` that were not sent yet. */
  changes(end: number): Sent {
    const { versions } = this.table
    return this.pack(versions.columns as Arrays, versions.sent, end)
  }

  private pack(columns: Arrays, from: number, end: number): Sent {
    const { numbers: names, bytes: byteColumns, width, stride } = this.copied
    const count = end - from
    const shared = this.shared.take(count)
    const numbers = shared ?? new Float64Array(count * width)
    const slots = columns[this.table.def.key[0] as string] as Uint32Array
    for (let row = 0; row < count; row++) {
      const slot = slots[from + row] as number
      numbers[row * width] = slot
      numbers[row * width + 1] = this.isFirst(slot) ? 1 : 0
    }
    names.forEach((name, i) => {
      const values = columns[name] as Float64Array
      for (let row = 0; row < count; row++) {
        numbers[row * width + 2 + i] = values[from + row] as number
      }
    })
    const bytes = new Uint8Array(count * stride)
    let offset = 0
    for (const { name, size } of byteColumns) {
      const values = columns[name] as Uint8Array
      for (let row = 0; row < count; row++) {
        const at = (from + row) * size
        bytes.set(values.subarray(at, at + size), row * stride + offset)
      }
      offset += size
    }
    const rows: ChangedRows = { table: this.table.def.name, count, numbers, bytes }
    const ownNumbers = shared === null ? [numbers.buffer as ArrayBuffer] : []
    return { rows, transfer: [...ownNumbers, bytes.buffer] }
  }

  /** Whether this is the first row of a slot, in a table with buckets. */
  private isFirst(slot: number): boolean {
    if (this.bucket === undefined) return false
    if (slot >= this.begun.length) {
      const grown = new Uint8Array(Math.max(slot + 1, this.begun.length * 2))
      grown.set(this.begun)
      this.begun = grown
    }
    const isFirst = this.begun[slot] === 0
    this.begun[slot] = 1
    return isFirst
  }
}

export class ReplicaFeed {
  private readonly feeds: ReadonlyMap<SlotTable<never>, TableFeed>

  constructor(states: ReadonlyArray<SlotTable<never>>) {
    this.feeds = new Map(
      states.flatMap(table =>
        table.def.replica === undefined
          ? []
          : [[table, new TableFeed(table as unknown as SlotTable<ColumnDefs>)]]
      )
    )
  }

  /** Begins anew with empty copies. Returns the rows that the copies start with. */
  reset(): ReadonlyArray<Sent> {
    return [...this.feeds.values()].flatMap(feed => feed.reset())
  }

  /** Returns a table's waiting versions before `end` that were not sent; null without copies. */
  changes(table: SlotTable<never>, end: number): Sent | null {
    return this.feeds.get(table)?.changes(end) ?? null
  }
}
