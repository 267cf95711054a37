/**
 * A batch in one piece of memory, which goes over to another thread without being copied. Both
 * sides are of one version: this is no form to store.
 */
import { ID_BYTES, idFormOf } from "../../src/domain/ids.ts"
import { type EventKind, eventKinds, type KindSpec } from "../event.ts"
import {
  type AnyColumn,
  type BatchColumns,
  type BlockTable,
  type EventBatch,
  eventKindNames,
  newColumns,
  type TxTable
} from "./batch.ts"
import { BytesColumn, NumColumn, RefColumn, RefListColumn, TextColumn } from "./columns.ts"
import { ByteTable, IdTable } from "./id-table.ts"
import { IntColumn } from "./int-column.ts"

type Values = Uint8Array | Uint32Array | Int32Array | Float64Array

/** Where an array begins in the memory, in bytes, and how many entries it has. */
type Place = readonly [from: number, length: number]

/** A column: its rows, its arrays in the order of their fields, and its texts. */
interface ColumnParts {
  readonly count: number
  readonly places: ReadonlyArray<Place>
  readonly texts?: ReadonlyArray<string | null>
}

type TableParts<T> = { readonly [C in Exclude<keyof T, "count">]: ColumnParts } & {
  readonly count: number
}

export interface PackedBatch {
  readonly memory: ArrayBuffer
  readonly count: number
  readonly order: ReadonlyArray<ColumnParts>
  readonly blocks: TableParts<BlockTable>
  readonly txs: Omit<TableParts<TxTable>, "hash">
  readonly txHashes: { readonly width: number; readonly bytes: Place }
  readonly form: number
  readonly accounts: Place
  readonly hashes: Place
  readonly syms: ReadonlyArray<string>
  /** the columns in stored order of those kinds that have rows */
  readonly kinds: ReadonlyArray<readonly [EventKind, ReadonlyArray<ColumnParts>]>
}

const ALIGNMENT = 8

/** Gathers arrays, then copies them behind each other. */
class Gathering {
  private size = 0
  private readonly arrays: Array<Values> = []
  private readonly froms: Array<number> = []

  place(values: Values): Place {
    const from = Math.ceil(this.size / ALIGNMENT) * ALIGNMENT
    this.size = from + values.byteLength
    this.arrays.push(values)
    this.froms.push(from)
    return [from, values.length]
  }

  memory(): ArrayBuffer {
    const memory = new ArrayBuffer(this.size)
    const bytes = new Uint8Array(memory)
    for (const [i, { buffer, byteOffset, byteLength }] of this.arrays.entries()) {
      bytes.set(new Uint8Array(buffer, byteOffset, byteLength), this.froms[i])
    }
    return memory
  }
}

/** The arrays of a column, without the room it grew for. */
const arraysOf = (column: Exclude<AnyColumn, TextColumn>): ReadonlyArray<Values> => {
  const { count } = column
  if (column instanceof IntColumn) {
    const { len, start, data } = column
    return [
      len.subarray(0, count),
      start.subarray(0, count + 1),
      data.subarray(0, start[count] as number)
    ]
  }
  if (column instanceof BytesColumn) {
    const { start, data } = column
    return [start.subarray(0, count + 1), data.subarray(0, start[count] as number)]
  }
  if (column instanceof RefListColumn) {
    const { start, refs } = column
    return [start.subarray(0, count + 1), refs.values.subarray(0, refs.count)]
  }
  return [column.values.subarray(0, count)]
}

const partsOfColumn = (all: Gathering, column: AnyColumn): ColumnParts =>
  column instanceof TextColumn
    ? { count: column.count, places: [], texts: column.values }
    : { count: column.count, places: arraysOf(column).map(values => all.place(values)) }

/** The names of a kind's columns, in stored order. */
const namesOf = Object.fromEntries(
  eventKindNames.map(kind => [kind, Object.keys((eventKinds[kind] as KindSpec).columns)])
) as unknown as { readonly [K in EventKind]: ReadonlyArray<string> }

const columnsOf = (columns: BatchColumns, kind: EventKind): ReadonlyArray<AnyColumn> => {
  const own = columns[kind] as { readonly [name: string]: AnyColumn }
  return namesOf[kind].map(name => own[name] as AnyColumn)
}

const placeTable = (all: Gathering, { count, width, data }: ByteTable): Place =>
  all.place(data.subarray(0, count * width))

/** A batch as one piece of memory and what stands where in it. */
export const packBatch = (batch: EventBatch): PackedBatch => {
  const all = new Gathering()
  const parts = (column: AnyColumn) => partsOfColumn(all, column)
  const { blocks, txs, ids } = batch
  const told = {
    count: batch.count,
    order: [batch.kind, batch.row, batch.block, batch.tx, batch.logIndex].map(parts),
    blocks: {
      count: blocks.count,
      number: parts(blocks.number),
      time: parts(blocks.time),
      hash: parts(blocks.hash),
      parentHash: parts(blocks.parentHash)
    },
    txs: {
      count: txs.count,
      index: parts(txs.index),
      from: parts(txs.from),
      to: parts(txs.to)
    },
    txHashes: { width: txs.hash.width, bytes: placeTable(all, txs.hash) },
    form: ids.form.code,
    accounts: placeTable(all, ids.accounts),
    hashes: placeTable(all, ids.hashes),
    syms: batch.syms,
    kinds: eventKindNames.flatMap(kind => {
      const columns = columnsOf(batch.columns, kind)
      return columns[0]?.count ? [[kind, columns.map(parts)] as const] : []
    })
  }
  return { memory: all.memory(), ...told }
}

const bytesAt = (memory: ArrayBuffer, [from, length]: Place) => new Uint8Array(memory, from, length)
const u32At = (memory: ArrayBuffer, [from, length]: Place) => new Uint32Array(memory, from, length)

/** Fills an empty column; the places are those that `arraysOf` gave for its class. */
const fill = <C extends AnyColumn>(memory: ArrayBuffer, column: C, parts: ColumnParts): C => {
  const { count, texts } = parts
  const [first, second, third] = parts.places as readonly [Place, Place, Place]
  if (column instanceof TextColumn) {
    column.values = [...(texts ?? [])]
    return column
  }
  column.count = count
  if (column instanceof IntColumn) {
    column.len = bytesAt(memory, first)
    column.start = u32At(memory, second)
    column.data = bytesAt(memory, third)
  } else if (column instanceof BytesColumn) {
    column.start = u32At(memory, first)
    column.data = bytesAt(memory, second)
  } else if (column instanceof RefListColumn) {
    column.start = u32At(memory, first)
    column.refs = new RefColumn(u32At(memory, second))
    column.refs.count = second[1]
  } else if (column instanceof RefColumn) {
    column.values = u32At(memory, first)
  } else if (column instanceof NumColumn) {
    column.values = new Float64Array(memory, ...first)
  } else {
    column.values = new Int32Array(memory, ...first)
  }
  return column
}

/** The batch again. Its arrays are views of the memory; nobody appends to it. */
export const unpackBatch = (parts: PackedBatch): EventBatch => {
  const { memory, blocks, txs, txHashes } = parts
  const refs = (one: ColumnParts) => fill(memory, new RefColumn(), one)
  const nums = (one: ColumnParts) => fill(memory, new NumColumn(), one)
  const [kind, row, block, tx, logIndex] = parts.order.map(refs) as unknown as readonly [
    RefColumn,
    RefColumn,
    RefColumn,
    RefColumn,
    RefColumn
  ]
  const columns = newColumns()
  for (const [name, own] of parts.kinds) {
    columnsOf(columns, name).forEach((column, i) => {
      fill(memory, column, own[i] as ColumnParts)
    })
  }
  return {
    count: parts.count,
    kind,
    row,
    block,
    tx,
    logIndex,
    blocks: {
      count: blocks.count,
      number: nums(blocks.number),
      time: nums(blocks.time),
      hash: refs(blocks.hash),
      parentHash: refs(blocks.parentHash)
    },
    txs: {
      count: txs.count,
      hash: ByteTable.over(txHashes.width, bytesAt(memory, txHashes.bytes)),
      index: refs(txs.index),
      from: refs(txs.from),
      to: refs(txs.to)
    },
    ids: new IdTable(
      idFormOf(parts.form),
      ByteTable.over(ID_BYTES, bytesAt(memory, parts.accounts)),
      ByteTable.over(ID_BYTES, bytesAt(memory, parts.hashes))
    ),
    syms: [...parts.syms],
    columns
  }
}
