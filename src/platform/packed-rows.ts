/** Packs rows to append into one piece of memory that can be transferred to another thread. */
import { type AppendColumn, type AppendRows, CHUNK_ROWS, physicalWidth } from "./duckdb.ts"

/** Place of a chunk's column in the memory, in bytes; texts are here instead of in the memory. */
interface Place {
  readonly from: number
  readonly bytes: number
  /** where the validity bits begin (set: not null); -1 where no value is null */
  readonly valid: number
  readonly validBytes: number
  readonly texts: ReadonlyArray<string | null> | null
}

export interface PackedRows {
  readonly types: AppendRows["types"]
  readonly count: number
  readonly memory: ArrayBuffer
  /** the places of each chunk's columns, in the order of chunks */
  readonly chunks: ReadonlyArray<ReadonlyArray<Place>>
}

/** Places begin at multiples of 8 bytes, as typed arrays require. */
const ALIGNMENT = 8

const aligned = (at: number): number => Math.ceil(at / ALIGNMENT) * ALIGNMENT

/** Returns the most bytes that the packed rows can take. */
const roomFor = ({ types, count }: AppendRows): number => {
  const chunks = Math.ceil(count / CHUNK_ROWS)
  const values = types.reduce((sum, type) => sum + physicalWidth[type], 0) * count
  return values + types.length * chunks * (CHUNK_ROWS / 8 + 2 * ALIGNMENT)
}

/** Copies rows into memory from `take`, which must return at least the wanted number of bytes. */
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

/** Returns the packed rows, which read the memory; valid as long as the memory is. */
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
