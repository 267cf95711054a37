/** A statement's result in the form in which threads pass it, and the rows of that result. */

type Row = { readonly [column: string]: unknown }

/** Values of a chunk's column: numbers, texts, or 128-bit integers as two words, low word first. */
export interface ChunkColumn {
  readonly values: ArrayLike<unknown>
  /** for 128-bit integers the same memory as `values`, for the high words (odd places) */
  readonly high: BigInt64Array | BigUint64Array | null
  /** a bit for each row, set where the value is not null; null where no value is null */
  readonly valid: Uint8Array | null
}

export interface RowChunk {
  readonly count: number
  readonly columns: ReadonlyArray<ChunkColumn>
}

/** A result as columns in chunks, or as `rows` where they are few or have a rare type. */
export type RowChunks = { readonly names: ReadonlyArray<string> } & (
  | { readonly rows: ReadonlyArray<Row> }
  | { readonly chunks: ReadonlyArray<RowChunk> }
)

const WIDE = 64n

const readerOf = ({ values, high }: ChunkColumn): ((row: number) => unknown) => {
  if (high === null) return row => values[row]
  const words = values as BigUint64Array
  return row => ((high[row * 2 + 1] as bigint) << WIDE) | (words[row * 2] as bigint)
}

/** Appends a chunk's rows to `rows`, as objects. */
const pushRows = (
  rows: Array<{ [column: string]: unknown }>,
  names: ReadonlyArray<string>,
  { count, columns }: RowChunk
): void => {
  const from = rows.length
  for (let row = 0; row < count; row++) rows.push({})
  for (const [place, name] of names.entries()) {
    const column = columns[place] as ChunkColumn
    const read = readerOf(column)
    const { valid } = column
    for (let row = 0; row < count; row++) {
      const isNull = valid !== null && (((valid[row >> 3] as number) >> (row & 7)) & 1) === 0
      ;(rows[from + row] as { [column: string]: unknown })[name] = isNull ? null : read(row)
    }
  }
}

/** Returns a result's rows as objects. */
export const rowsOf = (found: RowChunks): ReadonlyArray<Row> => {
  if ("rows" in found) return found.rows
  const rows: Array<{ [column: string]: unknown }> = []
  for (const chunk of found.chunks) pushRows(rows, found.names, chunk)
  return rows
}

/** Returns a result's buffers, to be transferred to another thread instead of copied. */
export const memoryOf = (found: RowChunks): ReadonlyArray<ArrayBuffer> => {
  if ("rows" in found) return []
  const buffers = new Set<ArrayBuffer>()
  for (const { columns } of found.chunks) {
    for (const { values, valid } of columns) {
      if (ArrayBuffer.isView(values)) buffers.add(values.buffer as ArrayBuffer)
      if (valid !== null) buffers.add(valid.buffer as ArrayBuffer)
    }
  }
  return [...buffers]
}
