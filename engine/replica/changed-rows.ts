/** Rows that a commit changed, packed for the copies of their table on another thread. */
import { strideOf } from "../store/column-set.ts"
import type { ColumnDef, ColumnDefs, TableDef } from "../store/table.ts"

/** The columns of a table that a copy holds. */
export interface CopiedColumns {
  readonly defs: ColumnDefs
  /** columns of numbers, in order; for a table with buckets the bucket comes first */
  readonly numbers: ReadonlyArray<string>
  /** columns of fixed bytes, in order, with the bytes of a value */
  readonly bytes: ReadonlyArray<{ readonly name: string; readonly size: number }>
  /** doubles of a packed row: its slot, 1 where the slot had no row before, its numbers */
  readonly width: number
  /** bytes of a packed row */
  readonly stride: number
}

export const copiedColumns = ({ name: table, key, columns, replica }: TableDef): CopiedColumns => {
  const names = [...key.slice(1), ...(replica?.columns ?? [])]
  const defs = Object.fromEntries(names.map(name => [name, columns[name] as ColumnDef]))
  if (names.some(name => defs[name]?.type === "text")) {
    throw new Error(`${table}: copies hold numbers and fixed bytes, no texts`)
  }
  const sized = names.map(name => ({ name, size: strideOf((defs[name] as ColumnDef).type) }))
  const bytes = sized.filter(({ size }) => size > 1)
  const numbers = sized.filter(({ size }) => size === 1).map(({ name }) => name)
  const stride = bytes.reduce((sum, { size }) => sum + size, 0)
  return { defs, numbers, bytes, width: numbers.length + 2, stride }
}

/** Packed rows as a message; it can be cloned between threads. */
export interface ChangedRows {
  readonly table: string
  readonly count: number
  /** `width` doubles per row; the reader gives memory that is shared back (`giveBack`) */
  readonly numbers: Float64Array
  readonly bytes: Uint8Array
}

/** Rows that a shared buffer has room for; a message of more rows is copied. */
export const SHARED_ROWS = 512
/** Shared buffers of a table at most: as many messages may wait for a busy reader. */
const MAX_SHARED_BUFFERS = 256

/** Returns the word behind the rows of a buffer: 1 while the reader still needs them. */
const stateOf = (rows: Float64Array): Int32Array =>
  new Int32Array(rows.buffer, rows.buffer.byteLength - Float64Array.BYTES_PER_ELEMENT, 1)

/**
 * Buffers that both threads see and that are used again: new memory for every message would make
 * the reader collect garbage every second. The messages between the threads order the writes.
 */
export class SharedRows {
  private readonly width: number
  private readonly buffers: Array<Float64Array> = []

  constructor(width: number) {
    this.width = width
  }

  /** Returns a buffer for `count` rows; null where all buffers are in use, or too small. */
  take(count: number): Float64Array | null {
    if (count > SHARED_ROWS) return null
    let buffer = this.buffers.find(one => Atomics.load(stateOf(one), 0) === 0)
    if (buffer === undefined) {
      if (this.buffers.length === MAX_SHARED_BUFFERS) return null
      const doubles = SHARED_ROWS * this.width + 1
      buffer = new Float64Array(new SharedArrayBuffer(doubles * Float64Array.BYTES_PER_ELEMENT))
      this.buffers.push(buffer)
    }
    Atomics.store(stateOf(buffer), 0, 1)
    return buffer
  }
}

/** Gives the memory of rows back to their sender, once the reader has taken them in. */
export const giveBack = (rows: Float64Array): void => {
  if (rows.buffer instanceof SharedArrayBuffer) Atomics.store(stateOf(rows), 0, 0)
}
