/**
 * Reads a statement's result by columns, as typed arrays. Over thousands of rows, an object per row
 * would cost more than the work on the row.
 */
import type { ChunkColumn, RowChunk, RowChunks } from "./row-chunks.ts"

/** The columns of a result. */
export interface ResultColumns {
  readonly count: number
  /** Returns a column's numbers, NaN for null; integers are exact up to 2^53. */
  readonly numbers: (name: string) => Float64Array
  /** Returns each 128-bit number of a column as four 32-bit words, lowest first; 0 for null. */
  readonly words: (name: string) => Uint32Array
}

const HALF = 2 ** 32
const WORD_BITS = 32n
const WORDS = 4

/** Calls `take` with each row of a chunk whose value is null. */
const eachNull = ({ valid }: ChunkColumn, count: number, take: (row: number) => void): void => {
  if (valid === null) return
  for (let row = 0; row < count; row++) {
    if ((((valid[row >> 3] as number) >> (row & 7)) & 1) === 0) take(row)
  }
}

/** Returns the numbers of `width` 32-bit words: 64-bit integers, or 128-bit ones (integer sums). */
const wide = (memory: ArrayBuffer, count: number, width: 2 | 4, signed: boolean): Float64Array => {
  const low = new Uint32Array(memory)
  const high = signed ? new Int32Array(memory) : low
  const values = new Float64Array(count)
  for (let row = 0; row < count; row++) {
    let value = high[row * width + width - 1] as number
    for (let k = width - 2; k >= 0; k--) value = value * HALF + (low[row * width + k] as number)
    values[row] = value
  }
  return values
}

const numbersOf = ({ values, high }: ChunkColumn, count: number): ArrayLike<number> => {
  if (high !== null) {
    return wide(high.buffer as ArrayBuffer, count, 4, high instanceof BigInt64Array)
  }
  if (values instanceof BigInt64Array) return wide(values.buffer as ArrayBuffer, count, 2, true)
  if (values instanceof BigUint64Array) return wide(values.buffer as ArrayBuffer, count, 2, false)
  return values as ArrayLike<number>
}

const ofChunks = (
  count: number,
  chunks: ReadonlyArray<RowChunk>,
  placeOf: (name: string) => number
): ResultColumns => ({
  count,
  numbers: name => {
    const place = placeOf(name)
    const values = new Float64Array(count)
    let from = 0
    for (const chunk of chunks) {
      const column = chunk.columns[place] as ChunkColumn
      const start = from
      values.set(numbersOf(column, chunk.count), start)
      eachNull(column, chunk.count, row => {
        values[start + row] = Number.NaN
      })
      from += chunk.count
    }
    return values
  },
  words: name => {
    const place = placeOf(name)
    const values = new Uint32Array(count * WORDS)
    let from = 0
    for (const chunk of chunks) {
      const column = chunk.columns[place] as ChunkColumn
      const start = from
      values.set(new Uint32Array((column.high as BigUint64Array).buffer), start * WORDS)
      eachNull(column, chunk.count, row => {
        values.fill(0, (start + row) * WORDS, (start + row + 1) * WORDS)
      })
      from += chunk.count
    }
    return values
  }
})

/** Returns the columns of a result. Reading a column that the result lacks throws. */
export const columnsOf = (found: RowChunks): ResultColumns => {
  const placeOf = (name: string): number => {
    const place = found.names.indexOf(name)
    if (place < 0) throw new Error(`the result has no column ${name}`)
    return place
  }
  if ("chunks" in found) {
    const count = found.chunks.reduce((sum, chunk) => sum + chunk.count, 0)
    return ofChunks(count, found.chunks, placeOf)
  }
  const { rows } = found
  const valuesOf = (name: string): ReadonlyArray<unknown> => {
    placeOf(name)
    return rows.map(row => row[name])
  }
  return {
    count: rows.length,
    numbers: name =>
      Float64Array.from(valuesOf(name), value => (value === null ? Number.NaN : Number(value))),
    words: name => {
      const values = new Uint32Array(rows.length * WORDS)
      valuesOf(name).forEach((value, row) => {
        let rest = (value ?? 0n) as bigint
        for (let word = row * WORDS; word < (row + 1) * WORDS; word++) {
          values[word] = Number(BigInt.asUintN(32, rest))
          rest >>= WORD_BITS
        }
      })
      return values
    }
  }
}
