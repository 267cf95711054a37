/**
 * Turns rows in memory into the columns that DuckDB takes: doubles that hold integers become 64-bit
 * integers, fixed bytes become numbers, nulls become bits. It works chunk by chunk in memory that
 * is used again.
 */
import { type AppendColumn, CHUNK_ROWS, physicalWidth } from "../../src/platform/duckdb.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { swapped } from "./big-endian.ts"
import { type AnyArray, FIRST_ROWS, strideOf, wordsOf } from "./column-set.ts"
import { type ColumnDef, isFixedBytes, physicalParts } from "./table.ts"

const WORD_VALUES = 4294967296

/** Writes doubles that hold integers up to 2^53 as 64-bit integers, NaN as zero. */
const writeInt64 = (out: Int32Array, values: Float64Array, from: number, size: number): void => {
  for (let i = 0; i < size; i++) {
    const value = values[from + i] as number
    const high = Math.floor(value / WORD_VALUES)
    out[i * 2] = value - high * WORD_VALUES
    out[i * 2 + 1] = high
  }
}

const int32Of = ({ buffer, byteOffset, byteLength }: Uint8Array): Int32Array =>
  new Int32Array(buffer, byteOffset, byteLength >> 2)

/** Which words of a value a column stores. */
interface WordRange {
  /** big-endian words of a value */
  readonly stride: number
  /** words that the column stores, from `first` on */
  readonly first: number
  readonly width: number
  /** words of a number of the column: the highest are zero where it has more than it stores */
  readonly room: number
}

/** Writes words of each value in little-endian order, into memory whose highest words are zero. */
const writeReversed = (
  out: Uint32Array,
  words: Uint32Array,
  { stride, first, width, room }: WordRange,
  from: number,
  size: number
): void => {
  for (let i = 0; i < size; i++) {
    const last = (from + i) * stride + first + width - 1
    for (let k = 0; k < width; k++) out[i * room + k] = swapped(words[last - k] as number)
  }
}

/** Writes a bit per row, set where the row has a value. Returns whether some row has none. */
const writeBits = (bits: Uint8Array, size: number, isNull: (row: number) => boolean): boolean => {
  let nulls = 0
  for (let i = 0; i < size; i += 8) {
    let byte = 0xff
    const end = Math.min(8, size - i)
    for (let k = 0; k < end; k++) if (isNull(i + k)) byte ^= 1 << k
    bits[i >> 3] = byte
    nulls |= byte ^ 0xff
  }
  return nulls !== 0
}

/** Turns a logical column into physical columns of DuckDB. */
export interface PhysicalColumn {
  /** returns the rows `from..from+size`, a chunk at most; valid until the next call */
  readonly of: (array: AnyArray, from: number, size: number) => ReadonlyArray<AppendColumn>
}

/** Memory for so many rows of `width` bytes, which grows with the largest chunk so far. */
const scratch = (width: number): ((rows: number) => Uint8Array) => {
  let bytes = new Uint8Array(0)
  return rows => {
    if (bytes.length < rows * width) {
      bytes = new Uint8Array(Math.min(CHUNK_ROWS, Math.max(rows * 2, FIRST_ROWS)) * width)
    }
    return bytes
  }
}

const nullRows = (def: ColumnDef, array: AnyArray, from: number) => {
  if (def.type === "f64" || def.type === "i64") {
    const values = array as Float64Array
    return (row: number) => Number.isNaN(values[from + row])
  }
  const none = def.type === "i32" ? NULL_I32 : NONE
  const values = array as Uint32Array
  return (row: number) => values[from + row] === none
}

const numbers = (def: ColumnDef): PhysicalColumn => {
  const type = def.type as "u8" | "u16" | "u32" | "i32" | "i64" | "f64"
  const canBeNull = def.nullable === true && type !== "u8" && type !== "u16"
  const bits = new Uint8Array(CHUNK_ROWS / 8)
  const width = physicalWidth[type]
  const integers = type === "i64" ? scratch(width) : null
  return {
    of: (array, from, size) => {
      const wide = integers?.(size)
      if (wide !== undefined) writeInt64(int32Of(wide), array as Float64Array, from, size)
      const memory = wide ?? (array as Uint8Array)
      const start = memory.byteOffset + (wide === undefined ? from * width : 0)
      const bytes = new Uint8Array(memory.buffer, start, size * width)
      const isSparse = canBeNull && writeBits(bits, size, nullRows(def, array, from))
      return [{ type, bytes, valid: isSparse ? bits : null }]
    }
  }
}

const fixedBytes = (def: ColumnDef, shortIds: boolean): PhysicalColumn => {
  let end = 0
  const parts = physicalParts("", def).flatMap(({ type, bytes, isLong }) => {
    const width = bytes / 4
    end += width
    const range = { first: end - width, width, room: physicalWidth[type] / 4 }
    return isLong && shortIds ? [] : [{ type, range, memory: scratch(physicalWidth[type]) }]
  })
  const stride = strideOf(def.type) / 4
  const bits = new Uint8Array(CHUNK_ROWS / 8)
  const isZero = (words: Uint32Array, from: number) => (row: number) => {
    let anyBits = 0
    const at = (from + row) * stride
    for (let k = 0; k < stride; k++) anyBits |= words[at + k] as number
    return anyBits === 0
  }
  return {
    of: (array, from, size) => {
      const words = wordsOf(array as Uint8Array)
      const isSparse = def.nullable === true && writeBits(bits, size, isZero(words, from))
      return parts.map(({ type, range, memory }) => {
        const bytes = memory(size)
        writeReversed(wordsOf(bytes), words, { stride, ...range }, from, size)
        const written = bytes.subarray(0, size * range.room * 4)
        return { type, bytes: written, valid: isSparse ? bits : null }
      })
    }
  }
}

const texts: PhysicalColumn = {
  of: (array, from, size) => [
    { type: "text", texts: (array as Array<string | null>).slice(from, from + size) }
  ]
}

/** Returns what turns a column into columns of DuckDB; `shortIds` as of its table. */
export const physicalColumn = (def: ColumnDef, shortIds = false): PhysicalColumn => {
  if (def.type === "text") return texts
  return isFixedBytes(def) ? fixedBytes(def, shortIds) : numbers(def)
}
