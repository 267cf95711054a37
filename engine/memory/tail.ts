/**
 * The newest rows of an append table in memory, in the order of the log. Each row is linked to the
 * previous row with its key. The table's `tail` says how many rows are kept and which columns hold
 * keys: a row belongs to every key that one of these columns holds.
 */
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { numberAt } from "../store/big-endian.ts"
import {
  type AnyArray,
  type ColumnArrays,
  ColumnSet,
  FIRST_ROWS,
  strideOf
} from "../store/column-set.ts"
import {
  type ColumnDef,
  type ColumnDefs,
  physicalParts,
  readColumns,
  type TableDef
} from "../store/table.ts"

/** Rows of a table by column, in the order of the log. */
export interface Piece<C extends ColumnDefs> {
  readonly count: number
  readonly seqs: Float64Array
  readonly columns: ColumnArrays<C>
}

/** Looks at the row at a place of the columns. Returns false to end the walk. */
export type LookAtRow<C extends ColumnDefs> = (columns: ColumnArrays<C>, at: number) => boolean

/** A row as a query of the database gives it. */
export type TailRow = { readonly [column: string]: unknown }

/** In place of a row's number: the key has no previous row in memory. */
const END = -1

const isZero = (bytes: Uint8Array, from: number, width: number): boolean => {
  for (let i = 0; i < width; i++) if (bytes[from + i] !== 0) return false
  return true
}

/** Writes the value of a column at a place into a row. */
type Cell = (row: { [column: string]: unknown }, array: AnyArray, at: number) => void

const numberCell = (name: string, def: ColumnDef): Cell => {
  const canBeNull = def.nullable === true && def.type !== "u8" && def.type !== "u16"
  const none = def.type === "i32" ? NULL_I32 : NONE
  const isWide = def.type === "f64" || def.type === "i64"
  return (row, array, at) => {
    const value = array[at] as number
    const isNull = canBeNull && (isWide ? Number.isNaN(value) : value === none)
    row[name] = isNull ? null : value
  }
}

/**
 * Makes the cell of a column of fixed bytes, which the database holds as numbers. What only longer
 * ids fill is zero in a table of short ones.
 */
const bytesCell = (name: string, def: ColumnDef, shortIds: boolean): Cell => {
  const stride = strideOf(def.type)
  let end = 0
  const parts = physicalParts(name, def).map(({ name: column, bytes, isLong = false }) => {
    end += bytes
    return { column, width: bytes, offset: end - bytes, isUnused: isLong && shortIds }
  })
  let [viewed, view] = [new Uint8Array(0), new DataView(new ArrayBuffer(0))]
  return (row, array, at) => {
    const bytes = array as Uint8Array<ArrayBuffer>
    if (viewed !== bytes) [viewed, view] = [bytes, new DataView(bytes.buffer, bytes.byteOffset)]
    const from = at * stride
    const isNull = def.nullable === true && isZero(bytes, from, stride)
    for (const { column, width, offset, isUnused } of parts) {
      row[column] = isNull ? null : isUnused ? 0n : numberAt(view, from + offset, width)
    }
  }
}

const cellOf = (name: string, def: ColumnDef, shortIds = false): Cell =>
  strideOf(def.type) > 1 ? bytesCell(name, def, shortIds) : numberCell(name, def)

/** Returns how many of the rising positions lie before `end`; all of them where `end` is null. */
const countBefore = (seqs: Float64Array, count: number, end: number | null): number => {
  if (end === null) return count
  const firstAt = seqs.subarray(0, count).findIndex(seq => seq >= end)
  return firstAt < 0 ? count : firstAt
}

export class Tail<C extends ColumnDefs> {
  readonly def: TableDef<C>
  private readonly keep: number
  private readonly keys: ReadonlyArray<string>
  private set: ColumnSet<C>
  private capacity: number
  /** by place: the position of the row */
  seqs: Float64Array
  /** by key column and place: the number of the previous row with the key */
  private before: ReadonlyArray<Float64Array>
  /** by key: the number of its newest row */
  private newest = new Float64Array(FIRST_ROWS).fill(END)
  /** the number of the next row */
  private next = 0
  private readonly cells: ReadonlyArray<readonly [string, Cell]>
  /** a row without values, copied for each row: an object that grows by columns is slow */
  private readonly blank: TailRow

  /** @param keep rows kept at most, a power of two */
  constructor(def: TableDef<C>, keep: number, keys: ReadonlyArray<string>) {
    this.def = def
    this.keep = keep
    this.keys = keys
    this.capacity = Math.min(FIRST_ROWS, keep)
    this.set = new ColumnSet(def.columns, this.capacity)
    this.seqs = new Float64Array(this.capacity)
    this.before = keys.map(() => new Float64Array(this.capacity))
    this.cells = Object.entries(def.columns).map(([name, columnDef]) => [
      name,
      cellOf(name, columnDef, def.shortIds)
    ])
    this.blank = Object.fromEntries(readColumns(def).map(({ name }) => [name, null]))
  }

  /** Values by place. Read it again after `take` and `precede`, which may replace the arrays. */
  get columns(): ColumnArrays<C> {
    return this.set.columns
  }

  /** Number of rows held, room for older rows, and the place of the oldest row (null for none). */
  get held(): { readonly count: number; readonly room: number; readonly oldest: number | null } {
    const count = Math.min(this.next, this.capacity)
    return {
      count,
      // after a row was dropped there is no room: older rows would have to stand before that row
      room: this.next === count ? this.keep - count : 0,
      oldest: count === 0 ? null : (this.next - count) & (this.capacity - 1)
    }
  }

  /** The position of the oldest row held; null where none is. */
  get oldestSeq(): number | null {
    const { oldest } = this.held
    return oldest === null ? null : (this.seqs[oldest] as number)
  }

  /** Forgets all rows. */
  clear(): void {
    this.next = 0
    this.newest.fill(END)
  }

  /** Takes the rows `first` to `end` (exclusive) of a piece, which follow the rows held. */
  take(piece: Piece<C>, first = 0, end = piece.count): void {
    for (let row = first; row < end; ) {
      if (this.next === this.capacity && this.capacity < this.keep) this.resize(this.capacity * 2)
      const at = this.next & (this.capacity - 1)
      const size = Math.min(end - row, this.capacity - at)
      this.copy(piece, row, size, at)
      this.link(at, size)
      this.next += size
      row += size
    }
  }

  /**
   * Takes rows that stand just before the rows held, as far as there is room; skips rows that are
   * held already. `pieces` are in the order of the log. Returns how many rows it took.
   */
  precede(pieces: ReadonlyArray<Piece<C>>): number {
    const { count, room } = this.held
    const { oldestSeq } = this
    const ends = pieces.map(piece => countBefore(piece.seqs, piece.count, oldestSeq))
    const older = ends.reduce((sum, end) => sum + end, 0)
    let skipped = Math.max(0, older - room)
    if (older === skipped) return 0
    const held = { count, seqs: this.seqs, columns: this.columns }
    this.clear()
    this.resize(Math.max(this.capacity, 2 ** Math.ceil(Math.log2(count + older - skipped))))
    for (const [place, piece] of pieces.entries()) {
      const end = ends[place] as number
      const from = Math.min(skipped, end)
      skipped -= from
      this.take(piece, from, end)
    }
    this.take(held)
    return this.next - count
  }

  /** Replaces the arrays by larger ones with the rows held. */
  private resize(capacity: number): void {
    const piece = { count: this.next, seqs: this.seqs, columns: this.columns }
    const { before } = this
    this.capacity = capacity
    this.set = new ColumnSet(this.def.columns, capacity)
    this.seqs = new Float64Array(capacity)
    this.copy(piece, 0, piece.count, 0)
    this.before = before.map(old => {
      const grown = new Float64Array(capacity)
      grown.set(old.subarray(0, piece.count))
      return grown
    })
  }

  private copy(piece: Piece<C>, row: number, size: number, at: number): void {
    this.seqs.set(piece.seqs.subarray(row, row + size), at)
    const columns = piece.columns as { readonly [name: string]: AnyArray }
    for (const [name, { type }] of Object.entries(this.def.columns)) {
      const from = columns[name] as Uint8Array
      const stride = strideOf(type)
      const to = this.set.array(name) as Uint8Array
      to.set(from.subarray(row * stride, (row + size) * stride), at * stride)
    }
  }

  private keyColumns(): ReadonlyArray<Uint32Array> {
    return this.keys.map(name => this.set.array(name) as Uint32Array)
  }

  private reserveKeys(count: number): void {
    const capacity = this.newest.length
    if (count <= capacity) return
    const grown = new Float64Array(Math.max(count, capacity * 2)).fill(END, capacity)
    grown.set(this.newest)
    this.newest = grown
  }

  /** Links `size` rows from place `at` on; the first of them gets the next number. */
  private link(at: number, size: number): void {
    const arrays = this.keyColumns()
    let highest = END
    for (const keys of arrays) {
      for (let i = at; i < at + size; i++) {
        const key = keys[i] as number
        if (key !== NONE && key > highest) highest = key
      }
    }
    this.reserveKeys(highest + 1)
    const { before, newest } = this
    for (let i = 0; i < size; i++) {
      for (let k = 0; k < arrays.length; k++) {
        const key = (arrays[k] as Uint32Array)[at + i] as number
        if (key === NONE) continue
        ;(before[k] as Float64Array)[at + i] = newest[key] as number
        newest[key] = this.next + i
      }
    }
  }

  /**
   * Calls `look` with the rows of a key up to a position, newest first, each row once, until `look`
   * returns false. Returns false where the table may have more rows of the key than memory: `total`
   * is the number of all its rows, in which a row that holds the key twice counts twice.
   */
  walk(key: number, seq: number, total: number, look: LookAtRow<C>): boolean {
    const { columns, seqs, before, capacity } = this
    const arrays = this.keyColumns()
    const oldest = Math.max(0, this.next - capacity)
    let shown = 0
    let number = this.newest[key] ?? END
    while (number >= oldest) {
      const at = number & (capacity - 1)
      if ((seqs[at] as number) <= seq && !look(columns, at)) return true
      let previous = END
      // of a row that holds the key twice, the first column links the previous row
      for (let k = arrays.length - 1; k >= 0; k--) {
        if ((arrays[k] as Uint32Array)[at] !== key) continue
        shown++
        previous = (before[k] as Float64Array)[at] as number
      }
      number = previous
    }
    return shown === total
  }

  /** Calls `look` with all rows, newest first, until it returns false. Returns whether it did. */
  walkAll(look: LookAtRow<C>): boolean {
    const oldest = Math.max(0, this.next - this.capacity)
    for (let number = this.next - 1; number >= oldest; number--) {
      if (!look(this.columns, number & (this.capacity - 1))) return true
    }
    return false
  }

  /**
   * Returns all rows after a position, oldest first; null where memory may lack some of them. It
   * lacks none where it holds a row at or before the position.
   */
  after(seq: number): ReadonlyArray<TailRow> | null {
    const rows: Array<TailRow> = []
    const isWhole = this.walkAll((_, at) => {
      const isAfter = (this.seqs[at] as number) > seq
      if (isAfter) rows.push(this.row(at))
      return isAfter
    })
    return isWhole ? rows.reverse() : null
  }

  /** Returns the row at a place as a statement on the table would. */
  row(at: number): TailRow {
    const row: { [column: string]: unknown } = { ...this.blank, seq: this.seqs[at] }
    for (const [name, write] of this.cells) write(row, this.set.array(name), at)
    return row
  }
}
