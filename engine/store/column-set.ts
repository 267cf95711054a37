/** Columns in memory: one growing typed array per column of a table. */

import type { AppendColumn } from "../../src/platform/duckdb.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { ColumnDef, ColumnDefs, LogicalType } from "./table.ts"

/** What a column is held in. `i64` is a double that holds an integer up to 2^53. */
export type ArrayOf<T extends LogicalType> = T extends "u8"
  ? Uint8Array
  : T extends "u16"
    ? Uint16Array
    : T extends "u32"
      ? Uint32Array
      : T extends "i32"
        ? Int32Array
        : T extends "i64" | "f64"
          ? Float64Array
          : T extends "text"
            ? Array<string | null>
            : Uint8Array

type AnyArray =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int32Array
  | Float64Array
  | Array<string | null>

export type ColumnArrays<C extends ColumnDefs> = {
  [K in keyof C]: C[K] extends ColumnDef ? ArrayOf<C[K]["type"]> : never
}

/** Bytes of one value of a fixed-bytes column, 1 for the others. */
export const strideOf = (type: LogicalType): number =>
  type === "bytes16" ? 16 : type === "bytes20" ? 20 : type === "bytes32" ? 32 : 1

const newArray = (type: LogicalType, capacity: number): AnyArray => {
  switch (type) {
    case "u8":
      return new Uint8Array(capacity)
    case "u16":
      return new Uint16Array(capacity)
    case "u32":
      return new Uint32Array(capacity)
    case "i32":
      return new Int32Array(capacity)
    case "i64":
    case "f64":
      return new Float64Array(capacity)
    case "text":
      return []
    default:
      return new Uint8Array(capacity * strideOf(type))
  }
}

/** The in-memory null of a nullable column, zero (or empty) otherwise. */
export const emptyValue = (def: ColumnDef): number | null =>
  !def.nullable
    ? 0
    : def.type === "f64" || def.type === "i64"
      ? Number.NaN
      : def.type === "u32"
        ? NONE
        : def.type === "i32"
          ? NULL_I32
          : 0

export class ColumnSet<C extends ColumnDefs> {
  readonly defs: C
  capacity = 0
  readonly columns: ColumnArrays<C>
  private readonly names: ReadonlyArray<string>

  constructor(defs: C, capacity: number) {
    this.defs = defs
    this.names = Object.keys(defs)
    this.columns = {} as ColumnArrays<C>
    for (const name of this.names) this.set(name, newArray(this.type(name), capacity))
    this.capacity = capacity
  }

  private type(name: string): LogicalType {
    return (this.defs[name] as ColumnDef).type
  }

  private set(name: string, array: AnyArray): void {
    ;(this.columns as { [name: string]: AnyArray })[name] = array
  }

  array(name: string): AnyArray {
    return (this.columns as { [name: string]: AnyArray })[name] as AnyArray
  }

  /** Makes room for `count` rows. */
  reserve(count: number): void {
    if (count <= this.capacity) return
    const capacity = Math.max(count, this.capacity * 2, 1024)
    for (const name of this.names) {
      const old = this.array(name)
      if (Array.isArray(old)) continue
      const next = newArray(this.type(name), capacity) as Uint8Array
      next.set(old as Uint8Array)
      this.set(name, next)
    }
    this.capacity = capacity
  }

  /** Copies one row of another set with the same columns. */
  copyRow(from: ColumnSet<C>, source: number, target: number): void {
    for (const name of this.names) {
      const stride = strideOf(this.type(name))
      const to = this.array(name)
      const values = from.array(name)
      if (stride === 1) to[target] = values[source] as never
      else {
        for (let i = 0; i < stride; i++) {
          to[target * stride + i] = values[source * stride + i] as never
        }
      }
    }
  }

  /** Sets a row to nulls and zeros. */
  clearRow(row: number): void {
    for (const name of this.names) {
      const def = this.defs[name] as ColumnDef
      const stride = strideOf(def.type)
      const array = this.array(name)
      if (def.type === "text") array[row] = null as never
      else for (let i = 0; i < stride; i++) array[row * stride + i] = emptyValue(def) as never
    }
  }

  /** The first `count` rows as physical columns to append. */
  physical(count: number): ReadonlyArray<AppendColumn> {
    return this.names.flatMap(name =>
      toPhysical(this.defs[name] as ColumnDef, this.array(name), count)
    )
  }
}

/** Doubles that hold integers, as 64-bit memory. */
const int64Bytes = (values: Float64Array, count: number): Uint8Array => {
  const words = new Int32Array(count * 2)
  for (let i = 0; i < count; i++) {
    const value = values[i] as number
    const high = Math.floor(value / 4294967296)
    words[i * 2] = value - high * 4294967296
    words[i * 2 + 1] = high
  }
  return new Uint8Array(words.buffer)
}

/** Big-endian bytes `from..from+width` of each value as little-endian numbers of `size` bytes. */
const reversed = (
  bytes: Uint8Array,
  count: number,
  stride: number,
  from: number,
  width: number
): Uint8Array => {
  const out = new Uint8Array(count * width)
  for (let i = 0; i < count; i++) {
    const last = i * stride + from + width - 1
    const at = i * width
    for (let k = 0; k < width; k++) out[at + k] = bytes[last - k] as number
  }
  return out
}

const validity = (def: ColumnDef, array: AnyArray, count: number): Uint8Array | null => {
  if (!def.nullable) return null
  const valid = new Uint8Array(count)
  const stride = strideOf(def.type)
  for (let i = 0; i < count; i++) {
    if (stride === 1) {
      const value = array[i] as number
      valid[i] =
        value === NULL_I32 && def.type === "i32"
          ? 0
          : value === NONE && def.type === "u32"
            ? 0
            : Number.isNaN(value)
              ? 0
              : 1
    } else {
      for (let k = 0; k < stride; k++) if (array[i * stride + k] !== 0) valid[i] = 1
    }
  }
  return valid
}

const memoryOf = (array: Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array) =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

const toPhysical = (
  def: ColumnDef,
  array: AnyArray,
  count: number
): ReadonlyArray<AppendColumn> => {
  if (Array.isArray(array)) return [{ type: "text", texts: array.slice(0, count) }]
  const valid = validity(def, array, count)
  switch (def.type) {
    case "i64":
      return [{ type: "i64", bytes: int64Bytes(array as Float64Array, count), valid }]
    case "bytes16":
      return [{ type: "u128", bytes: reversed(array as Uint8Array, count, 16, 0, 16), valid }]
    case "bytes20":
      return [
        { type: "u128", bytes: reversed(array as Uint8Array, count, 20, 0, 16), valid },
        { type: "u32", bytes: reversed(array as Uint8Array, count, 20, 16, 4), valid }
      ]
    case "bytes32":
      return [
        { type: "u128", bytes: reversed(array as Uint8Array, count, 32, 0, 16), valid },
        { type: "u128", bytes: reversed(array as Uint8Array, count, 32, 16, 16), valid }
      ]
    default:
      return [{ type: def.type as "u8", bytes: memoryOf(array), valid }]
  }
}
