/**
 * Rows that wait to be appended to a table. A fold asks for the number of the next row and writes
 * its columns; the engine appends the rows to DuckDB within the open transaction.
 */
import type { AppendRows } from "../../src/platform/duckdb.ts"
import { type ColumnArrays, ColumnSet, FIRST_ROWS } from "./column-set.ts"
import { type PhysicalColumn, physicalColumn } from "./physical.ts"
import { type ColumnDefs, storedColumns, type TableDef } from "./table.ts"

export class RowBuffer<C extends ColumnDefs> {
  readonly def: TableDef<C>
  count = 0
  /** number of rows that were sent to copies of the table */
  sent = 0
  private readonly set: ColumnSet<C>
  /** by row: the position of its event */
  seqs = new Float64Array(FIRST_ROWS)
  private readonly outward: ReadonlyArray<readonly [string, PhysicalColumn]>
  private readonly outwardSeq = physicalColumn({ type: "i64" })

  constructor(def: TableDef<C>) {
    this.def = def
    this.set = new ColumnSet(def.columns, FIRST_ROWS)
    this.outward = Object.entries(def.columns).map(([name, columnDef]) => [
      name,
      physicalColumn(columnDef, def.shortIds)
    ])
  }

  /** The arrays to write into; read anew after every `next`, which may replace them. */
  get columns(): ColumnArrays<C> {
    return this.set.columns
  }

  /** Returns the number of a new row for the event at `seq`. The caller must write every column. */
  next(seq: number): number {
    const row = this.count++
    if (row >= this.set.capacity) this.set.reserve(row + 1)
    if (row >= this.seqs.length) {
      const seqs = new Float64Array(this.seqs.length * 2)
      seqs.set(this.seqs)
      this.seqs = seqs
    }
    this.seqs[row] = seq
    return row
  }

  /** Adds a row that is copied from slot `slot` of `source`. */
  copy(source: ColumnSet<C>, slot: number, seq: number): void {
    this.set.copyRow(source, slot, this.next(seq))
  }

  /** Adds rows copied from the first `count` of `slots`; their seq is 0 until `stamp`. */
  copyAll(source: ColumnSet<C>, slots: Uint32Array, count: number): void {
    if (count === 0) return
    const first = this.count
    for (let i = 0; i < count; i++) this.next(0)
    this.set.copyRows(source, slots, count, first)
  }

  /** Sets the seq of all rows: versions carry the seq of their commit. */
  stamp(seq: number): void {
    this.seqs.fill(seq, 0, this.count)
  }

  /** Returns the rows as physical columns, `seq` last. */
  physical(): AppendRows {
    return {
      types: storedColumns(this.def).map(({ type }) => type),
      count: this.count,
      columns: (from, size) => [
        ...this.outward.flatMap(([name, column]) => column.of(this.set.array(name), from, size)),
        ...this.outwardSeq.of(this.seqs, from, size)
      ]
    }
  }

  clear(): void {
    this.count = 0
    this.sent = 0
  }
}
