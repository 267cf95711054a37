/**
 * A `state` table in memory: columns indexed by slot, which is what the first column of the key
 * holds. A fold changes columns and touches the slot; at a commit the touched rows become new
 * versions. At a start and after a rollback the engine writes stored rows back into the slots.
 */
import type { Row } from "../../src/platform/duckdb.ts"
import { writeNumber } from "./big-endian.ts"
import { type ColumnArrays, ColumnSet, emptyValue, FIRST_ROWS, strideOf } from "./column-set.ts"
import { RowBuffer } from "./row-buffer.ts"
import {
  type ColumnDef,
  type ColumnDefs,
  type LogicalType,
  physicalParts,
  type TableDef
} from "./table.ts"

type ValueOf<T extends LogicalType> = T extends "text"
  ? string | null
  : T extends `bytes${number}` | "account" | "tx"
    ? Uint8Array
    : number

/** A row's values as columns hold them in memory; those left out are null, or zero. */
export type RowValues<C extends ColumnDefs> = { readonly [K in keyof C]?: ValueOf<C[K]["type"]> }

export class SlotTable<C extends ColumnDefs> {
  readonly def: TableDef<C>
  /** slots in use are 0..count-1 */
  count = 0
  /** versions waiting for the next commit */
  readonly versions: RowBuffer<C>
  private readonly set: ColumnSet<C>
  private dirty = new Uint8Array(FIRST_ROWS)
  private readonly touched: Array<number> = []
  /** how many of `touched`, from its first on, are versions already */
  private collected = 0

  constructor(def: TableDef<C>) {
    this.def = def
    this.set = new ColumnSet(def.columns, FIRST_ROWS)
    this.versions = new RowBuffer(def)
  }

  /** The arrays to read and write; read it again after `grow`, which may replace them. */
  get columns(): ColumnArrays<C> {
    return this.set.columns
  }

  /**
   * Slots that the arrays have room for; while it does not change, `columns` holds no new arrays.
   */
  get capacity(): number {
    return this.set.capacity
  }

  /** Makes slots 0..count-1 exist; new ones hold their slot in the key, else nulls and zeros. */
  grow(count: number): void {
    if (count <= this.count) return
    this.set.reserve(count)
    if (this.dirty.length < count) {
      const dirty = new Uint8Array(this.set.capacity)
      dirty.set(this.dirty)
      this.dirty = dirty
    }
    for (let slot = this.count; slot < count; slot++) this.clear(slot)
    this.count = count
  }

  /**
   * Makes one more slot, of which the next commit makes a version; columns without a value hold
   * nulls and zeros. Returns the slot.
   */
  add(values: RowValues<C> = {}): number {
    const slot = this.count
    this.grow(slot + 1)
    const row: Readonly<Record<string, unknown>> = values
    for (const [name, value] of Object.entries(row)) {
      const array = this.set.array(name)
      if (value instanceof Uint8Array) (array as Uint8Array).set(value, slot * value.length)
      else array[slot] = value as never
    }
    this.touch(slot)
    return slot
  }

  /** Marks a slot as changed since it last became a version. */
  touch(slot: number): void {
    if (this.dirty[slot] === 1) return
    this.dirty[slot] = 1
    this.touched.push(slot)
  }

  /** Makes the slot's present row a version at once. Call it before the slot's bucket changes. */
  emit(slot: number): void {
    if (this.dirty[slot] !== 1) return
    this.versions.copy(this.set, slot, 0)
    this.dirty[slot] = 0
  }

  /**
   * Turns `limit` touched slots into versions, first touched first. Returns whether more are left.
   */
  collect(limit: number): boolean {
    const { touched, dirty } = this
    const end = Math.min(touched.length, this.collected + limit)
    const slots = new Uint32Array(end - this.collected)
    let count = 0
    for (let i = this.collected; i < end; i++) {
      const slot = touched[i] as number
      if (dirty[slot] !== 1) continue
      dirty[slot] = 0
      slots[count++] = slot
    }
    this.versions.copyAll(this.set, slots, count)
    this.collected = end
    if (end < touched.length) return true
    this.forgetTouched()
    return false
  }

  private forgetTouched(): void {
    this.touched.length = 0
    this.collected = 0
  }

  /**
   * Forgets which slots were touched, and all waiting versions. Returns the slots, whose rows the
   * engine then reads again.
   */
  discard(): ReadonlyArray<number> {
    const slots = this.touched.slice()
    for (const slot of slots) this.dirty[slot] = 0
    this.forgetTouched()
    this.versions.clear()
    return slots
  }

  /** Cuts the table to its first `count` slots. */
  truncate(count: number): void {
    this.count = Math.min(this.count, count)
  }

  /** Sets all but a slot's key to nulls and zeros. */
  clear(slot: number): void {
    this.set.clearRow(slot)
    this.set.array(this.def.key[0] as string)[slot] = slot as never
  }

  /** Writes a stored row into its slot. */
  load(row: Row): void {
    const slot = Number(row[this.def.key[0] as string])
    this.grow(slot + 1)
    for (const [name, def] of Object.entries(this.def.columns)) {
      loadValue(this.set, name, def, slot, row)
    }
  }
}

const loadValue = <C extends ColumnDefs>(
  set: ColumnSet<C>,
  name: string,
  def: ColumnDef,
  slot: number,
  row: Row
): void => {
  const array = set.array(name)
  const stride = strideOf(def.type)
  if (def.type === "text") {
    array[slot] = (row[name] ?? null) as never
  } else if (stride === 1) {
    const value = row[name]
    array[slot] = (value === null ? emptyValue(def) : Number(value)) as never
  } else {
    const bytes = array as Uint8Array
    bytes.fill(0, slot * stride, (slot + 1) * stride)
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    let at = slot * stride
    for (const part of physicalParts(name, def)) {
      const value = row[part.name]
      if (value === null || value === undefined) return
      writeNumber(view, at, part.bytes, value as number | bigint)
      at += part.bytes
    }
  }
}
