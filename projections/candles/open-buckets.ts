/** The newest bucket of each slot of a table of candles: the fold adds prints to it. */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import type { ColumnDefs } from "../../engine/store/table.ts"
import {
  addCounts,
  addPrices,
  type ColumnOf,
  type Counts,
  countsOf,
  DOLLARS,
  type Prices,
  type PrintBucket,
  pricesOf,
  RATIO
} from "./bucket.ts"

type Used = "count" | "capacity" | "grow" | "emit" | "clear" | "touch" | "truncate"

/** What is used of a table of candles, whatever its columns are. */
type Table = Pick<SlotTable<ColumnDefs>, Used> & {
  readonly def: { readonly key: ReadonlyArray<string> }
  readonly columns: object
}

export class OpenBuckets {
  private readonly table: Table
  private readonly seconds: number
  private capacity = 0
  private starts!: Uint32Array
  private counts!: Counts
  /** undefined of a table without prices */
  private dollars: Prices | undefined
  private ratio: Prices | undefined

  /** `seconds`: how long a bucket is. */
  constructor(table: Table, seconds: number) {
    this.table = table
    this.seconds = seconds
    this.look()
  }

  /** Finds the table's arrays, which are others once it has grown. */
  private look(): void {
    const { table } = this
    const columns = table.columns as { readonly [name: string]: unknown }
    const column: ColumnOf = name => columns[name] as Float64Array
    const has = ([name = ""]: ReadonlyArray<string>) => name in columns
    this.capacity = table.capacity
    this.starts = columns["t"] as Uint32Array
    this.counts = countsOf(column)
    this.dollars = has(DOLLARS) ? pricesOf(DOLLARS, column) : undefined
    this.ratio = has(RATIO) ? pricesOf(RATIO, column) : undefined
  }

  /** Makes the bucket of a time the slot's newest: the one before is closed. */
  private open(slot: number, ts: number): void {
    const { table } = this
    if (slot >= table.count) table.grow(slot + 1)
    if (table.capacity !== this.capacity) this.look()
    const start = this.starts[slot] as number
    // a row has prints, or prices of prints that a table without prices counts
    const isNew = this.counts.trades[slot] === 0 && !((this.dollars?.n[slot] ?? 0) > 0)
    // most prints need no remainder, which is what costs most here
    if (!isNew && ts >= start && ts < start + this.seconds) return
    table.emit(slot)
    table.clear(slot)
    this.starts[slot] = ts - (ts % this.seconds)
  }

  /** Adds a print to its slot's bucket. */
  add(slot: number, ts: number, print: PrintBucket): void {
    this.addPrice(slot, ts, print)
    addCounts(this.counts, slot, print.counts, 0)
  }

  /** Adds the price alone of a print, which was counted elsewhere. */
  addPrice(slot: number, ts: number, print: PrintBucket): void {
    this.open(slot, ts)
    if (this.dollars !== undefined) addPrices(this.dollars, slot, print.dollars, 0)
    if (this.ratio !== undefined) addPrices(this.ratio, slot, print.ratio, 0)
    this.table.touch(slot)
  }

  /** After a start or a rollback there are so many slots. */
  truncate(slots: number): void {
    this.table.truncate(slots)
  }
}
