/** Columns in memory: one growing typed array per column of a table. */

import { NULL_I32 } from "../../streams/batch/columns.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { ColumnDef, ColumnDefs, LogicalType } from "./table.ts"

/** The array that holds a column in memory. `i64` is a double that holds an integer up to 2^53. */
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

/** Returns the bytes of one value of a column of fixed bytes; 1 for other columns. */
export const strideOf = (type: LogicalType): number => {
  switch (type) {
    case "bytes16":
      return 16
    case "bytes32":
    case "account":
      return 32
    case "tx":
      return 64
    default:
      return 1
  }
}

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

/** Returns the value in memory of a row that was never written: the null of the column, or zero. */
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

/**
 * Rows that a table has room for at first: a lane has some forty tables, of which a quiet chain and
 * most tests fill few.
 */
export const FIRST_ROWS = 64

/** Rows from which on arrays grow by a quarter, so that a fifth of them is empty at most. */
const MANY_ROWS = 65_536

/** Returns the next capacity of arrays that are full. */
const grownCapacity = (capacity: number): number =>
  capacity < MANY_ROWS ? capacity * 2 : Math.ceil(capacity * 1.25)

/** Arrays of one kind, and for each the value of a row that was never written. */
interface Kind<A> {
  readonly arrays: Array<A>
  readonly empties: Array<number>
}

/** Fixed bytes as words; `width` words hold a value. */
interface Wide {
  readonly array: Uint32Array
  readonly width: number
}

interface ArraysByKind {
  readonly doubles: Kind<Float64Array>
  readonly words: Kind<Uint32Array>
  readonly others: Kind<Exclude<AnyArray, Array<string | null>>>
  readonly texts: Array<Array<string | null>>
  readonly bytes: Array<Wide>
}

const noArrays = (): ArraysByKind => ({
  doubles: { arrays: [], empties: [] },
  words: { arrays: [], empties: [] },
  others: { arrays: [], empties: [] },
  texts: [],
  bytes: []
})

const put = <A>(kind: Kind<A>, array: A, empty: number): void => {
  kind.arrays.push(array)
  kind.empties.push(empty)
}

/** Returns the memory of fixed bytes as words. */
export const wordsOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, byteLength >> 2)

export class ColumnSet<C extends ColumnDefs> {
  readonly defs: C
  capacity = 0
  readonly columns: ColumnArrays<C>
  private readonly names: ReadonlyArray<string>
  /** the arrays of `columns` by kind: a loop over arrays of one kind is several times faster */
  private kinds: ArraysByKind = noArrays()

  constructor(defs: C, capacity: number) {
    this.defs = defs
    this.names = Object.keys(defs)
    // an object that gets more than sixteen properties one by one is slow to read: a dictionary
    this.columns = Object.fromEntries(
      this.names.map(name => [name, newArray(this.type(name), capacity)])
    ) as ColumnArrays<C>
    this.capacity = capacity
    this.sortByKind()
  }

  private sortByKind(): void {
    this.kinds = noArrays()
    const { doubles, words, others, texts, bytes } = this.kinds
    for (const name of this.names) {
      const array = this.array(name)
      const empty = emptyValue(this.defs[name] as ColumnDef) as number
      const stride = strideOf(this.type(name))
      if (Array.isArray(array)) texts.push(array)
      else if (array instanceof Float64Array) put(doubles, array, empty)
      else if (array instanceof Uint32Array) put(words, array, empty)
      else if (array instanceof Uint8Array && stride > 1) {
        bytes.push({ array: wordsOf(array), width: stride >> 2 })
      } else put(others, array, empty)
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
    const capacity = Math.max(count, grownCapacity(this.capacity), 1024)
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

  /** Copies row `source` of another set with equal columns to row `target`. */
  copyRow(from: ColumnSet<C>, source: number, target: number): void {
    const { doubles, words, others, texts, bytes } = this.kinds
    const theirs = from.kinds
    for (let i = 0; i < doubles.arrays.length; i++) {
      const to = doubles.arrays[i] as Float64Array
      to[target] = (theirs.doubles.arrays[i] as Float64Array)[source] as number
    }
    for (let i = 0; i < words.arrays.length; i++) {
      const to = words.arrays[i] as Uint32Array
      to[target] = (theirs.words.arrays[i] as Uint32Array)[source] as number
    }
    for (let i = 0; i < others.arrays.length; i++) {
      const to = others.arrays[i] as Uint8Array
      to[target] = (theirs.others.arrays[i] as Uint8Array)[source] as number
    }
    for (let i = 0; i < texts.length; i++) {
      const to = texts[i] as Array<string | null>
      to[target] = (theirs.texts[i] as Array<string | null>)[source] as string | null
    }
    for (let i = 0; i < bytes.length; i++) {
      const { array, width } = bytes[i] as Wide
      const values = (theirs.bytes[i] as Wide).array
      const [at, start] = [target * width, source * width]
      for (let k = 0; k < width; k++) array[at + k] = values[start + k] as number
    }
  }

  /**
   * Copies the rows that the first `count` of `sources` name to the rows from `target` on. It goes
   * column by column, because loads of one column do not wait for each other.
   */
  copyRows(from: ColumnSet<C>, sources: Uint32Array, count: number, target: number): void {
    const { doubles, words, others, texts, bytes } = this.kinds
    const theirs = from.kinds
    doubles.arrays.forEach((to, i) => {
      gatherDoubles(to, theirs.doubles.arrays[i] as Float64Array, sources, count, target)
    })
    words.arrays.forEach((to, i) => {
      gatherWords(to, theirs.words.arrays[i] as Uint32Array, sources, count, target)
    })
    others.arrays.forEach((to, i) => {
      const values = theirs.others.arrays[i] as Uint8Array
      for (let k = 0; k < count; k++) to[target + k] = values[sources[k] as number] as number
    })
    texts.forEach((to, i) => {
      const values = theirs.texts[i] as Array<string | null>
      for (let k = 0; k < count; k++) {
        to[target + k] = values[sources[k] as number] as string | null
      }
    })
    bytes.forEach((wide, i) => {
      gatherWide(wide, (theirs.bytes[i] as Wide).array, sources, count, target)
    })
  }

  /** Sets a row to nulls and zeros. */
  clearRow(row: number): void {
    const { doubles, words, others, texts, bytes } = this.kinds
    for (let i = 0; i < doubles.arrays.length; i++) {
      ;(doubles.arrays[i] as Float64Array)[row] = doubles.empties[i] as number
    }
    for (let i = 0; i < words.arrays.length; i++) {
      ;(words.arrays[i] as Uint32Array)[row] = words.empties[i] as number
    }
    for (let i = 0; i < others.arrays.length; i++) {
      ;(others.arrays[i] as Uint8Array)[row] = others.empties[i] as number
    }
    for (const column of texts) column[row] = null
    for (let i = 0; i < bytes.length; i++) {
      const { array, width } = bytes[i] as Wide
      for (let k = row * width; k < (row + 1) * width; k++) array[k] = 0
    }
  }
}

const gatherDoubles = (
  to: Float64Array,
  values: Float64Array,
  sources: Uint32Array,
  count: number,
  target: number
): void => {
  for (let k = 0; k < count; k++) to[target + k] = values[sources[k] as number] as number
}

const gatherWords = (
  to: Uint32Array,
  values: Uint32Array,
  sources: Uint32Array,
  count: number,
  target: number
): void => {
  for (let k = 0; k < count; k++) to[target + k] = values[sources[k] as number] as number
}

const gatherWide = (
  { array, width }: Wide,
  values: Uint32Array,
  sources: Uint32Array,
  count: number,
  target: number
): void => {
  for (let k = 0; k < count; k++) {
    const [at, start] = [(target + k) * width, (sources[k] as number) * width]
    for (let i = 0; i < width; i++) array[at + i] = values[start + i] as number
  }
}
