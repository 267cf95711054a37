/** Rows to be appended, in one piece of memory that goes over to another thread. */
import { type AppendColumn, type AppendRows, CHUNK_ROWS, physicalWidth } from "./duckdb.ts"

/** Where a column of a chunk stands in the memory; texts stand beside it. */
interface Place {
  readonly from: number
  readonly bytes: number
  /** where its bits begin that tell nulls; -1 where there are none */
  readonly valid: number
  readonly validBytes: number
  readonly texts: ReadonlyArray<string | null> | null
}

export interface PackedRows {
  readonly types: AppendRows["types"]
  readonly count: number
  readonly memory: ArrayBuffer
  /** of each chunk in turn, by column */
  readonly chunks: ReadonlyArray<ReadonlyArray<Place>>
}

/** Places begin at multiples of it, as typed arrays want. */
const ALIGNMENT = 8

const aligned = (at: number): number => Math.ceil(at / ALIGNMENT) * ALIGNMENT

/** Bytes that so many rows take at most. */
const roomFor = ({ types, count }: AppendRows): number => {
  const chunks = Math.ceil(count / CHUNK_ROWS)
  const values = types.reduce((sum, type) => sum + physicalWidth[type], 0) * count
  return values + types.length * chunks * (CHUNK_ROWS / 8 + 2 * ALIGNMENT)
}

/** Copies rows into memory that `take` gives: so many bytes at least. */
export const packRows = (rows: AppendRows, take: (bytes: number) => ArrayBuffer): PackedRows => {
  const memory = take(roomFor(rows))
  const all = new Uint8Array(memory)
  let end = 0
  const put = (bytes: Uint8Array): number => {
    const from = aligned(end)
    all.set(bytes, from)
    end = from + bytes.length
    return from
  }
  const placeOf = (column: AppendColumn): Place => {
    if ("texts" in column) {
      return { from: 0, bytes: 0, valid: -1, validBytes: 0, texts: column.texts }
    }
    const { bytes, valid } = column
    return {
      from: put(bytes),
      bytes: bytes.length,
      valid: valid === null ? -1 : put(valid),
      validBytes: valid?.length ?? 0,
      texts: null
    }
  }
  const chunks: Array<ReadonlyArray<Place>> = []
  for (let from = 0; from < rows.count; from += CHUNK_ROWS) {
    chunks.push(rows.columns(from, Math.min(CHUNK_ROWS, rows.count - from)).map(placeOf))
  }
  return { types: rows.types, count: rows.count, memory, chunks }
}

/** The rows that were packed; valid as long as their memory is. */
export const unpackRows = ({ types, count, memory, chunks }: PackedRows): AppendRows => ({
  types,
  count,
  columns: from =>
    (chunks[from / CHUNK_ROWS] as ReadonlyArray<Place>).map((place, column): AppendColumn => {
      if (place.texts !== null) return { type: "text", texts: place.texts }
      const bytes = new Uint8Array(memory, place.from, place.bytes)
      const valid = place.valid < 0 ? null : new Uint8Array(memory, place.valid, place.validBytes)
      return { type: types[column] as AppendRows["types"][number], bytes, valid }
    })
})
