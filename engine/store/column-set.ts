/** Columns in memory: one growing typed array per column of a table. */

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

export type AnyArray =
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

interface Strided {
  readonly array: Uint8Array
  readonly stride: number
}

interface ArraysByKind {
  readonly doubles: Array<Float64Array>
  readonly words: Array<Uint32Array>
  readonly bytes: Array<Strided>
  readonly others: Array<AnyArray>
}

const noArrays = (): ArraysByKind => ({ doubles: [], words: [], bytes: [], others: [] })

export class ColumnSet<C extends ColumnDefs> {
  readonly defs: C
  capacity = 0
  readonly columns: ColumnArrays<C>
  private readonly names: ReadonlyArray<string>
  /** the same arrays by their kind: a loop over arrays of one kind is several times faster */
  private kinds: ArraysByKind = noArrays()

  constructor(defs: C, capacity: number) {
    this.defs = defs
    this.names = Object.keys(defs)
    this.columns = {} as ColumnArrays<C>
    for (const name of this.names) this.set(name, newArray(this.type(name), capacity))
    this.capacity = capacity
    this.sortByKind()
  }

  private sortByKind(): void {
    this.kinds = noArrays()
    for (const name of this.names) {
      const array = this.array(name)
      if (array instanceof Float64Array) this.kinds.doubles.push(array)
      else if (array instanceof Uint32Array) this.kinds.words.push(array)
      else if (array instanceof Uint8Array) {
        this.kinds.bytes.push({ array, stride: strideOf(this.type(name)) })
      } else this.kinds.others.push(array)
    }
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
    this.sortByKind()
  }

  /** Copies one row of another set with the same columns. */
  copyRow(from: ColumnSet<C>, source: number, target: number): void {
    const { doubles, words, others, bytes } = this.kinds
    const theirs = from.kinds
    for (let i = 0; i < doubles.length; i++) {
      const to = doubles[i] as Float64Array
      to[target] = (theirs.doubles[i] as Float64Array)[source] as number
    }
    for (let i = 0; i < words.length; i++) {
      const to = words[i] as Uint32Array
      to[target] = (theirs.words[i] as Uint32Array)[source] as number
    }
    for (let i = 0; i < others.length; i++) {
      const to = others[i] as Array<unknown>
      to[target] = (theirs.others[i] as Array<unknown>)[source]
    }
    for (let i = 0; i < bytes.length; i++) {
      const { array, stride } = bytes[i] as Strided
      const values = (theirs.bytes[i] as Strided).array
      const [at, start] = [target * stride, source * stride]
      for (let k = 0; k < stride; k++) array[at + k] = values[start + k] as number
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
}
