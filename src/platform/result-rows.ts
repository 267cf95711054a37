/**
 * Rows of a result as JavaScript objects: the values that DuckDB's own library gives, read from the
 * vectors' memory at once and without a turn of the thread for each chunk.
 */
import {
  type DuckDBDataChunk,
  type DuckDBMaterializedResult,
  DuckDBResultReader,
  DuckDBTypeId
} from "@duckdb/node-api"
import duckdb from "@duckdb/node-bindings"

type Row = { readonly [column: string]: unknown }
type Read = (row: number) => unknown

const CHUNK_BITS = 64
const WIDE = 64n

/** Reads values of a chunk's column, without regard to nulls; null for a type that is not known. */
const valuesOf = (type: DuckDBTypeId, chunk: DuckDBDataChunk, column: number): Read | null => {
  const count = chunk.rowCount
  const memory = (width: number): [ArrayBuffer, number, number] => {
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, column)
    const { buffer, byteOffset } = duckdb.vector_get_data(vector, count * width)
    return [buffer as ArrayBuffer, byteOffset, count]
  }
  const read = (values: ArrayLike<unknown>): Read => {
    return row => values[row]
  }
  const wide = (isSigned: boolean): Read => {
    const [buffer, offset] = memory(16)
    const words = new BigUint64Array(buffer, offset, count * 2)
    const high = isSigned ? new BigInt64Array(buffer, offset, count * 2) : words
    return row => ((high[row * 2 + 1] as bigint) << WIDE) | (words[row * 2] as bigint)
  }
  switch (type) {
    case DuckDBTypeId.TINYINT:
      return read(new Int8Array(...memory(1)))
    case DuckDBTypeId.SMALLINT:
      return read(new Int16Array(...memory(2)))
    case DuckDBTypeId.INTEGER:
      return read(new Int32Array(...memory(4)))
    case DuckDBTypeId.BIGINT:
      return read(new BigInt64Array(...memory(8)))
    case DuckDBTypeId.UTINYINT:
      return read(new Uint8Array(...memory(1)))
    case DuckDBTypeId.USMALLINT:
      return read(new Uint16Array(...memory(2)))
    case DuckDBTypeId.UINTEGER:
      return read(new Uint32Array(...memory(4)))
    case DuckDBTypeId.UBIGINT:
      return read(new BigUint64Array(...memory(8)))
    case DuckDBTypeId.DOUBLE:
      return read(new Float64Array(...memory(8)))
    case DuckDBTypeId.HUGEINT:
      return wide(true)
    case DuckDBTypeId.UHUGEINT:
      return wide(false)
    case DuckDBTypeId.VARCHAR: {
      const texts = chunk.getColumnVector(column)
      return row => texts.getItem(row)
    }
    default:
      return null
  }
}

/** A bit for each row, set where it has a value; null where all have one. */
const validityOf = (chunk: DuckDBDataChunk, column: number): Uint8Array | null => {
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, column)
  const bytes = (Math.ceil(chunk.rowCount / CHUNK_BITS) * CHUNK_BITS) / 8
  return (duckdb.vector_get_validity(vector, bytes) as Uint8Array | null) ?? null
}

const readable: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.VARCHAR
])

/** All rows of a result. */
export const rowsOfResult = async (
  result: DuckDBMaterializedResult
): Promise<ReadonlyArray<Row>> => {
  const names = result.deduplicatedColumnNames()
  const types = names.map((_, column) => result.columnTypeId(column))
  if (types.some(type => !readable.has(type))) {
    const reader = new DuckDBResultReader(result)
    await reader.readAll()
    return reader.getRowObjectsJS() as Array<Row>
  }
  const rows: Array<{ [column: string]: unknown }> = []
  const { chunkCount } = result
  for (let index = 0; index < chunkCount; index++) {
    const chunk = result.getChunk(index)
    const from = rows.length
    const count = chunk.rowCount
    for (let row = 0; row < count; row++) rows.push({})
    for (const [column, name] of names.entries()) {
      const read = valuesOf(types[column] as DuckDBTypeId, chunk, column) as Read
      const valid = validityOf(chunk, column)
      for (let row = 0; row < count; row++) {
        const isNull = valid !== null && (((valid[row >> 3] as number) >> (row & 7)) & 1) === 0
        ;(rows[from + row] as { [column: string]: unknown })[name] = isNull ? null : read(row)
      }
    }
  }
  return rows
}
