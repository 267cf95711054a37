/** How each column type is written to and read from a segment. */

import { Result } from "effect"
import type { AnyColumn } from "../batch/batch.ts"
import {
  BytesColumn,
  I32Column,
  NEGATIVE,
  NULL_I32,
  NULL_LEN,
  NumColumn,
  RefColumn,
  RefListColumn,
  TextColumn
} from "../batch/columns.ts"
import { NONE, packRef, unpackRef } from "../batch/id-table.ts"
import { IntColumn } from "../batch/int-column.ts"
import type { ColumnType } from "../event.ts"
import { type ByteReader, MalformedSegment } from "./byte-reader.ts"
import type { ByteWriter } from "./byte-writer.ts"
import { packUints, unpackUints } from "./pack.ts"

let scratch = new Uint32Array(1024)
const codes = (n: number): Uint32Array => {
  if (scratch.length < n) scratch = new Uint32Array(n * 2)
  return scratch
}

/** Writes references to addresses and hashes. */
export const writeRefs = (out: ByteWriter, column: RefColumn): void => {
  const n = column.count
  const packed = codes(n)
  for (let i = 0; i < n; i++) packed[i] = packRef(column.values[i] as number)
  packUints(out, packed, n)
}

/** Reads references; each must lie inside the id tables. */
export const readRefs = (input: ByteReader, n: number, limits: RefLimits): RefColumn => {
  const values = unpackUints(input, n)
  const { packedLimit } = limits
  for (let i = 0; i < n; i++) {
    const packed = values[i] as number
    if (packed > (packed % 2 === 0 ? packedLimit[0] : packedLimit[1]))
      throw new MalformedSegment("reference out of range")
    values[i] = unpackRef(packed)
  }
  const column = new RefColumn(values)
  column.count = n
  return column
}

/** The largest packed reference by parity: hashes are even, addresses odd; and the sym count. */
export interface RefLimits {
  readonly packedLimit: readonly [number, number]
  readonly syms: number
}

const writeInts = (out: ByteWriter, column: IntColumn): void => {
  const n = column.count
  const lens = codes(n)
  for (let i = 0; i < n; i++) {
    const len = column.len[i] as number
    lens[i] = len === NULL_LEN ? 0 : (len & 0x3f) * 2 + (len & NEGATIVE ? 2 : 1)
  }
  packUints(out, lens, n)
  const size = column.start[n] as number
  out.raw(column.data.subarray(0, size))
}

const readInts = (input: ByteReader, n: number): IntColumn => {
  const lens = unpackUints(input, n)
  const len = new Uint8Array(n)
  const start = new Uint32Array(n + 1)
  let at = 0
  for (let i = 0; i < n; i++) {
    const code = lens[i] as number
    if (code > 66) throw new MalformedSegment("integer longer than 32 bytes")
    if (code === 0) len[i] = NULL_LEN
    else {
      const size = (code - 1) >> 1
      len[i] = code & 1 ? size : size | NEGATIVE
      at += size
    }
    start[i + 1] = at
  }
  const column = new IntColumn(len, start, input.raw(at))
  column.count = n
  return column
}

const writeI32 = (out: ByteWriter, column: I32Column): void => {
  const n = column.count
  const zigzags = codes(n)
  for (let i = 0; i < n; i++) {
    const value = column.values[i] as number
    zigzags[i] = value === NULL_I32 ? 0 : (((value << 1) ^ (value >> 31)) >>> 0) + 1
  }
  packUints(out, zigzags, n)
}

const readI32 = (input: ByteReader, n: number): I32Column => {
  const zigzags = unpackUints(input, n)
  const values = new Int32Array(n)
  for (let i = 0; i < n; i++) {
    const code = zigzags[i] as number
    values[i] = code === 0 ? NULL_I32 : ((code - 1) >>> 1) ^ -((code - 1) & 1)
  }
  const column = new I32Column(values)
  column.count = n
  return column
}

/** Numbers up to 2^53: signed differences, because block numbers and times rise. */
export const writeNums = (out: ByteWriter, column: NumColumn): void => {
  let previous = 0
  for (let i = 0; i < column.count; i++) {
    const value = column.values[i] as number
    const forward = value >= previous
    out.u8(forward ? 0 : 1)
    out.varint(forward ? value - previous : previous - value)
    previous = value
  }
}

export const readNums = (input: ByteReader, n: number): NumColumn => {
  const values = new Float64Array(n)
  let previous = 0
  for (let i = 0; i < n; i++) {
    const backward = input.u8()
    const step = input.varint()
    previous = backward === 0 ? previous + step : previous - step
    if (!Number.isSafeInteger(previous) || previous < 0) {
      throw new MalformedSegment("number out of range")
    }
    values[i] = previous
  }
  const column = new NumColumn(values)
  column.count = n
  return column
}

const utf8 = new TextEncoder()
const fromUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Text or null; lone surrogates become U+FFFD, as in any UTF-8 encoder. */
export const writeText = (out: ByteWriter, text: string | null): void => {
  if (text === null) return out.varint(0)
  const bytes = utf8.encode(text)
  out.varint(bytes.length + 1)
  out.raw(bytes)
}

export const readText = (input: ByteReader): string | null => {
  const code = input.varint()
  if (code === 0) return null
  const bytes = input.raw(code - 1)
  return Result.getOrThrowWith(
    Result.try(() => fromUtf8.decode(bytes)),
    () => new MalformedSegment("text is not UTF-8")
  )
}

const writeBytes = (out: ByteWriter, column: BytesColumn): void => {
  for (let i = 0; i < column.count; i++) {
    const bytes = column.get(i)
    out.varint(bytes.length)
    out.raw(bytes)
  }
}

const writeLists = (out: ByteWriter, column: RefListColumn): void => {
  for (let i = 0; i < column.count; i++) {
    out.varint((column.start[i + 1] as number) - (column.start[i] as number))
  }
  writeRefs(out, column.refs)
}

const readLists = (input: ByteReader, n: number, limits: RefLimits): RefListColumn => {
  const start = new Uint32Array(n + 1)
  for (let i = 0; i < n; i++) start[i + 1] = (start[i] as number) + input.count(4096)
  const column = new RefListColumn(start, readRefs(input, start[n] as number, limits))
  column.count = n
  return column
}

/** Writes one column of a kind. */
export const writeColumn = (out: ByteWriter, type: ColumnType, column: AnyColumn): void => {
  if (column instanceof IntColumn) return writeInts(out, column)
  if (column instanceof I32Column) return writeI32(out, column)
  if (column instanceof NumColumn) return writeNums(out, column)
  if (column instanceof BytesColumn) return writeBytes(out, column)
  if (column instanceof RefListColumn) return writeLists(out, column)
  if (column instanceof TextColumn) {
    for (const text of column.values) writeText(out, text)
    return
  }
  if (type === "sym") return packUints(out, column.values, column.count)
  writeRefs(out, column)
}

const readSyms = (input: ByteReader, n: number, limits: RefLimits): RefColumn => {
  const values = unpackUints(input, n)
  for (let i = 0; i < n; i++) {
    if ((values[i] as number) >= limits.syms) throw new MalformedSegment("symbol out of range")
  }
  const column = new RefColumn(values)
  column.count = n
  return column
}

/** Reads one column of `n` rows of a kind. */
export const readColumn = (
  input: ByteReader,
  type: ColumnType,
  n: number,
  limits: RefLimits
): AnyColumn => {
  switch (type) {
    case "id":
    case "idOpt":
      return readRefs(input, n, limits)
    case "sym":
      return readSyms(input, n, limits)
    case "ids":
      return readLists(input, n, limits)
    case "uint":
    case "uintOpt":
    case "int":
    case "intOpt":
      return readInts(input, n)
    case "i32Opt":
      return readI32(input, n)
    case "num":
      return readNums(input, n)
    case "textOpt":
      return new TextColumn(Array.from({ length: n }, () => readText(input)))
    case "bytes": {
      const column = new BytesColumn()
      for (let i = 0; i < n; i++) column.push(input.raw(input.varint()))
      return column
    }
  }
}

/** A column of `n` nulls (or zeros, or empty values), for rows older than the column. */
export const absentColumn = (type: ColumnType, n: number): AnyColumn => {
  switch (type) {
    case "i32Opt": {
      const column = new I32Column()
      for (let i = 0; i < n; i++) column.push(NULL_I32)
      return column
    }
    case "uintOpt":
    case "intOpt": {
      const column = new IntColumn()
      for (let i = 0; i < n; i++) column.pushNull()
      return column
    }
    case "idOpt": {
      const column = new RefColumn()
      for (let i = 0; i < n; i++) column.push(NONE)
      return column
    }
    case "textOpt":
      return new TextColumn(Array.from({ length: n }, () => null))
    default:
      throw new MalformedSegment(`a column of type ${type} cannot be missing`)
  }
}
