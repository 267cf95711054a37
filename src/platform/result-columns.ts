/**
 * A result by columns, in typed arrays: for answers that look at thousands of rows, of which each
 * as an object would cost more than what is done with it.
 */
import { type DuckDBDataChunk, type DuckDBMaterializedResult, DuckDBTypeId } from "@duckdb/node-api"
import duckdb from "@duckdb/node-bindings"

/** The columns of a result. */
export interface ResultColumns {
  readonly count: number
  /** Numbers of a column, NaN for null; of 64 bits up to 2^53. */
  readonly numbers: (name: string) => Float64Array
  /** The four 32-bit words of each 128-bit number of a column, the lowest first; 0 for null. */
  readonly words: (name: string) => Uint32Array
}

const HALF = 2 ** 32
const CHUNK_BITS = 64

type Numbers = Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array
type NumbersOf = new (buffer: ArrayBuffer, offset: number, length: number) => Numbers | Float64Array

const arrays: ReadonlyMap<DuckDBTypeId, readonly [NumbersOf, number]> = new Map<
  DuckDBTypeId,
  readonly [NumbersOf, number]
>([
  [DuckDBTypeId.TINYINT, [Int8Array, 1]],
  [DuckDBTypeId.SMALLINT, [Int16Array, 2]],
  [DuckDBTypeId.INTEGER, [Int32Array, 4]],
  [DuckDBTypeId.UTINYINT, [Uint8Array, 1]],
  [DuckDBTypeId.USMALLINT, [Uint16Array, 2]],
  [DuckDBTypeId.UINTEGER, [Uint32Array, 4]],
  [DuckDBTypeId.DOUBLE, [Float64Array, 8]]
])

const memoryOf = (chunk: DuckDBDataChunk, column: number, width: number) => {
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, column)
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, chunk.rowCount * width)
  return { buffer: buffer as ArrayBuffer, byteOffset }
}

/** Calls `take` with each row of a chunk whose value is null. */
const eachNull = (chunk: DuckDBDataChunk, column: number, take: (row: number) => void): void => {
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, column)
  const bytes = (Math.ceil(chunk.rowCount / CHUNK_BITS) * CHUNK_BITS) / 8
  const valid = (duckdb.vector_get_validity(vector, bytes) as Uint8Array | null) ?? null
  if (valid === null) return
  for (let row = 0; row < chunk.rowCount; row++) {
    if ((((valid[row >> 3] as number) >> (row & 7)) & 1) === 0) take(row)
  }
}

/** Numbers of 64 bits, or of 128 as sums of integers have, from their words. */
const wide = (chunk: DuckDBDataChunk, column: number, width: 2 | 4, signed: boolean) => {
  const { buffer, byteOffset } = memoryOf(chunk, column, width * 4)
  const low = new Uint32Array(buffer, byteOffset, chunk.rowCount * width)
  const high = signed ? new Int32Array(buffer, byteOffset, chunk.rowCount * width) : low
  const values = new Float64Array(chunk.rowCount)
  for (let row = 0; row < values.length; row++) {
    let value = high[row * width + width - 1] as number
    for (let k = width - 2; k >= 0; k--) value = value * HALF + (low[row * width + k] as number)
    values[row] = value
  }
  return values
}

const numbersOf = (type: DuckDBTypeId, chunk: DuckDBDataChunk, column: number) => {
  const known = arrays.get(type)
  if (known !== undefined) {
    const { buffer, byteOffset } = memoryOf(chunk, column, known[1])
    return new known[0](buffer, byteOffset, chunk.rowCount)
  }
  switch (type) {
    case DuckDBTypeId.BIGINT:
      return wide(chunk, column, 2, true)
    case DuckDBTypeId.UBIGINT:
      return wide(chunk, column, 2, false)
    case DuckDBTypeId.HUGEINT:
      return wide(chunk, column, 4, true)
    default:
      throw new Error(`a column of type ${type} has no numbers`)
  }
}

/** Reads a result, all of which is there. */
export const columnsOfResult = (result: DuckDBMaterializedResult): ResultColumns => {
  const names = result.deduplicatedColumnNames()
  const chunks = Array.from({ length: result.chunkCount }, (_, index) => result.getChunk(index))
  const count = chunks.reduce((sum, { rowCount }) => sum + rowCount, 0)
  const placeOf = (name: string): number => {
    const place = names.indexOf(name)
    if (place < 0) throw new Error(`the result has no column ${name}`)
    return place
  }
  return {
    count,
    numbers: name => {
      const column = placeOf(name)
      const type = result.columnTypeId(column)
      const values = new Float64Array(count)
      let from = 0
      for (const chunk of chunks) {
        const start = from
        values.set(numbersOf(type, chunk, column), start)
        eachNull(chunk, column, row => {
          values[start + row] = Number.NaN
        })
        from += chunk.rowCount
      }
      return values
    },
    words: name => {
      const column = placeOf(name)
      const values = new Uint32Array(count * 4)
      let from = 0
      for (const chunk of chunks) {
        const start = from
        const { buffer, byteOffset } = memoryOf(chunk, column, 16)
        values.set(new Uint32Array(buffer, byteOffset, chunk.rowCount * 4), start * 4)
        eachNull(chunk, column, row => {
          values.fill(0, (start + row) * 4, (start + row) * 4 + 4)
        })
        from += chunk.rowCount
      }
      return values
    }
  }
}
