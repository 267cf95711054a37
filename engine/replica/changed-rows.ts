/** Rows that a commit changed, packed for copies of their table on another thread. */
import { strideOf } from "../store/column-set.ts"
import type { ColumnDef, ColumnDefs, TableDef } from "../store/table.ts"

/** What a copy holds of a table. */
export interface CopiedColumns {
  readonly defs: ColumnDefs
  /** columns of numbers, in order; of a table with buckets the bucket comes first */
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

/** Structured-clonable. */
export interface ChangedRows {
  readonly table: string
  readonly count: number
  /** one row after the other; whoever has taken in shared ones gives them back */
  readonly numbers: Float64Array
  readonly bytes: Uint8Array
}

/** Rows that a shared buffer has room for; messages of more rows are copied. */
export const SHARED_ROWS = 512
/** Shared buffers of a table at most: so far a busy reader may be behind. */
const SHARED_BUFFERS = 256

/** The double behind the rows says whether the reader still needs them. */
const stateOf = (rows: Float64Array): Int32Array =>
  new Int32Array(rows.buffer, rows.buffer.byteLength - Float64Array.BYTES_PER_ELEMENT, 1)

/**
 * Memory that both threads see, used again and again: rows that go over the whole day would
 * otherwise make the reader collect garbage every second. The messages between the threads order
 * the writes to it.
 */
export class SharedRows {
  private readonly width: number
  private readonly buffers: Array<Float64Array> = []

  constructor(width: number) {
    this.width = width
  }

  /** Room for so many rows; null where all is in use. */
  take(count: number): Float64Array | null {
    if (count > SHARED_ROWS) return null
    let found = this.buffers.find(one => Atomics.load(stateOf(one), 0) === 0)
    if (found === undefined) {
      if (this.buffers.length === SHARED_BUFFERS) return null
      const doubles = SHARED_ROWS * this.width + 1
      found = new Float64Array(new SharedArrayBuffer(doubles * Float64Array.BYTES_PER_ELEMENT))
      this.buffers.push(found)
    }
    Atomics.store(stateOf(found), 0, 1)
    return found
  }
}

/** The reader has taken in the rows that it was sent. */
export const giveBack = (rows: Float64Array): void => {
  if (rows.buffer instanceof SharedArrayBuffer) Atomics.store(stateOf(rows), 0, 0)
}
