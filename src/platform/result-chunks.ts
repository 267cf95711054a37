/**
 * Copies a statement's result out of DuckDB's vectors. DuckDB's own library is slower: it calls a
 * function for each value and yields the thread for each chunk.
 */
import {
  type DuckDBDataChunk,
  type DuckDBMaterializedResult,
  DuckDBResultReader,
  DuckDBTypeId
} from "@duckdb/node-api"
import duckdb from "@duckdb/node-bindings"
import { type ChunkColumn, type RowChunk, type RowChunks, rowsOf } from "./row-chunks.ts"

const CHUNK_BITS = 64
/** Up to this many rows are sent as objects: typed arrays of few values are slow to send. */
const FEW_ROWS = 32

/** Bytes of a value, for each type that is copied from memory. */
const widths: { readonly [type: number]: number } = {
  [DuckDBTypeId.TINYINT]: 1,
  [DuckDBTypeId.SMALLINT]: 2,
  [DuckDBTypeId.INTEGER]: 4,
  [DuckDBTypeId.BIGINT]: 8,
  [DuckDBTypeId.UTINYINT]: 1,
  [DuckDBTypeId.USMALLINT]: 2,
  [DuckDBTypeId.UINTEGER]: 4,
  [DuckDBTypeId.UBIGINT]: 8,
  [DuckDBTypeId.DOUBLE]: 8,
  [DuckDBTypeId.HUGEINT]: 16,
  [DuckDBTypeId.UHUGEINT]: 16
}

/** Returns a copy of a vector's memory, which DuckDB frees with the result. */
const memory = (chunk: DuckDBDataChunk, column: number, width: number): ArrayBuffer => {
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, column)
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, chunk.rowCount * width)
  return (buffer as ArrayBuffer).slice(byteOffset, byteOffset + chunk.rowCount * width)
}

const numbers = (type: DuckDBTypeId, buffer: ArrayBuffer): ArrayLike<unknown> => {
  switch (type) {
    case DuckDBTypeId.TINYINT:
      return new Int8Array(buffer)
    case DuckDBTypeId.SMALLINT:
      return new Int16Array(buffer)
    case DuckDBTypeId.INTEGER:
      return new Int32Array(buffer)
    case DuckDBTypeId.BIGINT:
      return new BigInt64Array(buffer)
    case DuckDBTypeId.UTINYINT:
      return new Uint8Array(buffer)
    case DuckDBTypeId.USMALLINT:
      return new Uint16Array(buffer)
    case DuckDBTypeId.UINTEGER:
      return new Uint32Array(buffer)
    case DuckDBTypeId.DOUBLE:
      return new Float64Array(buffer)
    default:
      return new BigUint64Array(buffer)
  }
}

/** Returns a bit for each row, set where the value is not null; null where no value is null. */
const validityOf = (chunk: DuckDBDataChunk, column: number): Uint8Array | null => {
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, column)
  const bytes = (Math.ceil(chunk.rowCount / CHUNK_BITS) * CHUNK_BITS) / 8
  const valid = duckdb.vector_get_validity(vector, bytes) as Uint8Array | null
  return valid ? valid.slice() : null
}

const columnOf = (type: DuckDBTypeId, chunk: DuckDBDataChunk, column: number): ChunkColumn => {
  const valid = validityOf(chunk, column)
  if (type === DuckDBTypeId.VARCHAR) {
    const texts = chunk.getColumnVector(column)
    const values = Array.from({ length: chunk.rowCount }, (_, row) => texts.getItem(row))
    return { values, high: null, valid }
  }
  const buffer = memory(chunk, column, widths[type] as number)
  const values = numbers(type, buffer)
  if (type === DuckDBTypeId.HUGEINT) return { values, high: new BigInt64Array(buffer), valid }
  if (type === DuckDBTypeId.UHUGEINT) return { values, high: new BigUint64Array(buffer), valid }
  return { values, high: null, valid }
}

/** Returns the whole result of a statement; as objects where rows are few or of a rare type. */
export const chunksOfResult = async (result: DuckDBMaterializedResult): Promise<RowChunks> => {
  const names = result.deduplicatedColumnNames()
  const types = names.map((_, column) => result.columnTypeId(column))
  if (types.some(type => widths[type] === undefined && type !== DuckDBTypeId.VARCHAR)) {
    const reader = new DuckDBResultReader(result)
    await reader.readAll()
    return { names, rows: reader.getRowObjectsJS() as ReadonlyArray<{ [column: string]: unknown }> }
  }
  const chunks: Array<RowChunk> = []
  let rows = 0
  const { chunkCount } = result
  for (let index = 0; index < chunkCount; index++) {
    const chunk = result.getChunk(index)
    rows += chunk.rowCount
    chunks.push({
      count: chunk.rowCount,
      columns: types.map((type, column) => columnOf(type, chunk, column))
    })
  }
  const found = { names, chunks }
  return rows <= FEW_ROWS ? { names, rows: rowsOf(found) } : found
}
