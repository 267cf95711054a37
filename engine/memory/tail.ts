/**
 * The newest rows of an append table in memory, in the order of the log, each linked to the row
 * before it with the same key. A table says in its `tail` how many rows are kept, and which of its
 * columns hold keys: a row belongs to every key that one of them holds.
 */
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { type AnyArray, type ColumnArrays, ColumnSet, strideOf } from "../store/column-set.ts"
import {
  type ColumnDef,
  type ColumnDefs,
  physicalColumns,
  storedColumns,
  type TableDef
} from "../store/table.ts"

/** Rows of a table by column, in the order of the log. */
export interface Piece<C extends ColumnDefs> {
  readonly count: number
  readonly seqs: Float64Array
  readonly columns: ColumnArrays<C>
}

/** Looks at the row at a place of the columns; false for no more of them. */
export type LookAtRow<C extends ColumnDefs> = (columns: ColumnArrays<C>, at: number) => boolean

/** A row as a query of the database gives it. */
export type TailRow = { readonly [column: string]: unknown }

/** In place of a row's number: none of the key is known before. */
const END = -1
const FIRST_CAPACITY = 1024
const FIRST_KEYS = 1024

/** Big-endian bytes as a number: of four bytes, or of more. */
const numberAt = (bytes: Uint8Array, from: number, width: number): number | bigint => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset + from, width)
  return width === 4 ? buffer.readUInt32BE() : BigInt(`0x${buffer.toString("hex")}`)
}

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

/** Fixed bytes as the database has them: one number or two. */
const bytesCell = (name: string, def: ColumnDef): Cell => {
  const stride = strideOf(def.type)
  let end = 0
  const parts = physicalColumns(name, def).map(({ name: column, type }) => {
    const width = type === "u128" ? 16 : 4
    end += width
    return { column, width, offset: end - width }
  })
  return (row, array, at) => {
    const bytes = array as Uint8Array
    const from = at * stride
    const isNull = def.nullable === true && isZero(bytes, from, stride)
    for (const { column, width, offset } of parts) {
      row[column] = isNull ? null : numberAt(bytes, from + offset, width)
    }
  }
}

const cellOf = (name: string, def: ColumnDef): Cell =>
  strideOf(def.type) > 1 ? bytesCell(name, def) : numberCell(name, def)

/** How many of growing positions lie before one; all, where there is none. */
const countBefore = (seqs: Float64Array, count: number, end: number | null): number => {
  if (end === null) return count
  const found = seqs.subarray(0, count).findIndex(seq => seq >= end)
  return found < 0 ? count : found
}

export class Tail<C extends ColumnDefs> {
  private readonly def: TableDef<C>
  private readonly keep: number
  private readonly keys: ReadonlyArray<string>
  private set: ColumnSet<C>
  private capacity: number
  /** by place: the position of the row */
  seqs: Float64Array
  /** by key column and place: the number of the row before */
  private before: ReadonlyArray<Float64Array>
  /** by key: the number of its newest row */
  private newest = new Float64Array(FIRST_KEYS).fill(END)
  /** the number of the next row */
  private next = 0
  private readonly cells: ReadonlyArray<readonly [string, Cell]>
  /** a row without values: one that gets its columns one by one is slow to make and to read */
  private readonly blank: TailRow

  /** `keep`: the rows kept at most, a power of two. */
  constructor(def: TableDef<C>, keep: number, keys: ReadonlyArray<string>) {
    this.def = def
    this.keep = keep
    this.keys = keys
    this.capacity = Math.min(FIRST_CAPACITY, keep)
    this.set = new ColumnSet(def.columns, this.capacity)
    this.seqs = new Float64Array(this.capacity)
    this.before = keys.map(() => new Float64Array(this.capacity))
    this.cells = Object.entries(def.columns).map(([name, of]) => [name, cellOf(name, of)])
    this.blank = Object.fromEntries(storedColumns(def).map(({ name }) => [name, null]))
  }

  /** Values by place; other arrays once more rows were taken. */
  get columns(): ColumnArrays<C> {
    return this.set.columns
  }

  /** Rows held, room for older ones, and the place of the oldest; null where none is held. */
  get held(): { readonly count: number; readonly room: number; readonly oldest: number | null } {
    const count = Math.min(this.next, this.capacity)
    return {
      count,
      // once a row was let go there is none: what is older is older than that
      room: this.next === count ? this.keep - count : 0,
      oldest: count === 0 ? null : (this.next - count) & (this.capacity - 1)
    }
  }

  /** The position of the oldest row held; null where none is. */
  get oldestSeq(): number | null {
    const { oldest } = this.held
    return oldest === null ? null : (this.seqs[oldest] as number)
  }

  /** Nothing is known any more. */
  clear(): void {
    this.next = 0
    this.newest.fill(END)
  }

  /** Takes rows that follow those taken before: of a piece, from one row to before another. */
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
   * Takes rows that stand just before those held, oldest piece first, as far as there is room;
   * passes over what is held by now. Answers how many it took.
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

  /** Other arrays, with what is held. */
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
    const known = this.newest.length
    if (count <= known) return
    const grown = new Float64Array(Math.max(count, known * 2)).fill(END, known)
    grown.set(this.newest)
    this.newest = grown
  }

  /** Links rows at places in a row, of which the first has the next number. */
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
   * Shows the rows of a key up to a position, newest first, each once, until `look` has seen
   * enough. False where there may be more than memory holds: `total` are all that the key has, one
   * with the same key twice counted twice.
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
      // of a row with the key twice, the first column tells the row before
      for (let k = arrays.length - 1; k >= 0; k--) {
        if ((arrays[k] as Uint32Array)[at] !== key) continue
        shown++
        previous = (before[k] as Float64Array)[at] as number
      }
      number = previous
    }
    return shown === total
  }

  /** Shows all rows, newest first, until `look` has seen enough; false where it has not. */
  walkAll(look: LookAtRow<C>): boolean {
    const oldest = Math.max(0, this.next - this.capacity)
    for (let number = this.next - 1; number >= oldest; number--) {
      if (!look(this.columns, number & (this.capacity - 1))) return true
    }
    return false
  }

  /**
   * All rows after a position, oldest first; null where memory does not reach back so far, which a
   * row at or before it shows.
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

  /** The row at a place as the table has it. */
  row(at: number): TailRow {
    const row: { [column: string]: unknown } = { ...this.blank, seq: this.seqs[at] }
    for (const [name, write] of this.cells) write(row, this.set.array(name), at)
    return row
  }
}
