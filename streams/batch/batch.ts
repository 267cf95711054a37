/**
 * Events in columns: what decoding fills, what a segment stores, what folds read. Events keep log
 * order; each points at its block, its transaction and its row among the events of its kind.
 */
import type { IdForm } from "../../src/domain/ids.ts"
import {
  type ColumnType,
  type EventKind,
  type EventKinds,
  eventKinds,
  type KindSpec
} from "../event.ts"
import {
  BytesColumn,
  I32Column,
  NumColumn,
  RefColumn,
  RefListColumn,
  roomLike,
  TextColumn
} from "./columns.ts"
import { ByteTable, IdTable } from "./id-table.ts"
import { IntColumn } from "./int-column.ts"

/** The in-memory column of each column type. `sym` holds references into `EventBatch.syms`. */
export type ColumnOf<T extends ColumnType> = T extends "id" | "idOpt" | "sym"
  ? RefColumn
  : T extends "ids"
    ? RefListColumn
    : T extends "uint" | "uintOpt" | "int" | "intOpt"
      ? IntColumn
      : T extends "i32Opt"
        ? I32Column
        : T extends "num"
          ? NumColumn
          : T extends "textOpt"
            ? TextColumn
            : BytesColumn

export type AnyColumn =
  | RefColumn
  | RefListColumn
  | IntColumn
  | I32Column
  | NumColumn
  | TextColumn
  | BytesColumn

export type KindColumns<K extends EventKind> = {
  readonly [C in keyof EventKinds[K]["columns"]]: EventKinds[K]["columns"][C] extends ColumnType
    ? ColumnOf<EventKinds[K]["columns"][C]>
    : never
}

export type BatchColumns = { readonly [K in EventKind]: KindColumns<K> }

export const eventKindNames = Object.keys(eventKinds) as ReadonlyArray<EventKind>

/** Kind ids as constants of hot loops: `KIND.SwapExecuted`. */
export const KIND = Object.fromEntries(eventKindNames.map(kind => [kind, eventKinds[kind].id])) as {
  readonly [K in EventKind]: EventKinds[K]["id"]
}

const nameById = new Map<number, EventKind>(eventKindNames.map(k => [eventKinds[k].id, k]))

/** The kind with this id, undefined for an id this version does not know. */
export const kindName = (id: number): EventKind | undefined => nameById.get(id)

const newColumn = (type: ColumnType): AnyColumn => {
  switch (type) {
    case "id":
    case "idOpt":
    case "sym":
      return new RefColumn()
    case "ids":
      return new RefListColumn()
    case "uint":
    case "uintOpt":
    case "int":
    case "intOpt":
      return new IntColumn()
    case "i32Opt":
      return new I32Column()
    case "num":
      return new NumColumn()
    case "textOpt":
      return new TextColumn()
    case "bytes":
      return new BytesColumn()
  }
}

/** Empty columns for every kind. */
export const newColumns = (): BatchColumns =>
  Object.fromEntries(
    eventKindNames.map(kind => [
      kind,
      Object.fromEntries(
        Object.entries((eventKinds[kind] as KindSpec).columns).map(([name, type]) => [
          name,
          newColumn(type)
        ])
      )
    ])
  ) as unknown as BatchColumns

/** The blocks of a batch, in log order (a number may come twice across a rollback). */
export interface BlockTable {
  count: number
  number: NumColumn
  time: NumColumn
  hash: RefColumn
  parentHash: RefColumn
}

/** The transactions of a batch, in log order. */
export interface TxTable {
  count: number
  /** one entry a transaction, of the width that the chain's have */
  hash: ByteTable
  index: RefColumn
  from: RefColumn
  to: RefColumn
}

export interface EventBatch {
  count: number
  /** kind id of each event */
  readonly kind: RefColumn
  /** row of each event among the events of its kind */
  readonly row: RefColumn
  /** index into `blocks` */
  readonly block: RefColumn
  /** index into `txs`, or `NONE` */
  readonly tx: RefColumn
  readonly logIndex: RefColumn
  readonly blocks: BlockTable
  readonly txs: TxTable
  readonly ids: IdTable
  readonly syms: Array<string>
  readonly columns: BatchColumns
}

/** An empty table, which no hash is looked for in. */
const newTxHashes = ({ txBytes }: IdForm, capacity = 256): ByteTable =>
  new ByteTable(txBytes, capacity, 1)

const emptyBatch = (ids: IdTable): EventBatch => ({
  count: 0,
  kind: new RefColumn(),
  row: new RefColumn(),
  block: new RefColumn(),
  tx: new RefColumn(),
  logIndex: new RefColumn(),
  blocks: {
    count: 0,
    number: new NumColumn(),
    time: new NumColumn(),
    hash: new RefColumn(),
    parentHash: new RefColumn()
  },
  txs: {
    count: 0,
    hash: newTxHashes(ids.form),
    index: new RefColumn(),
    from: new RefColumn(),
    to: new RefColumn()
  },
  ids,
  syms: [],
  columns: newColumns()
})

const makeRoom = <T extends object>(columns: T, like: T): void => {
  for (const [name, column] of Object.entries(columns)) {
    // columns of one name are of one class
    if (hasRoom(column)) column.roomLike(like[name as keyof T] as never)
  }
}

/** Columns of texts and of rare kinds have no room to make. */
const hasRoom = (column: unknown): column is { readonly roomLike: (other: never) => void } =>
  typeof column === "object" && column !== null && "roomLike" in column

/**
 * An empty batch, with room for what another holds where one is given: a few large arrays cost less
 * than many that grow. `form`: how the chain writes identities; the other's, where there is one.
 */
export const newBatch = (like: EventBatch | null = null, form?: IdForm): EventBatch => {
  if (like === null) return emptyBatch(new IdTable(form))
  const batch = emptyBatch(IdTable.like(like.ids))
  makeRoom({ ...batch, ids: null }, { ...like, ids: null })
  makeRoom(batch.blocks, like.blocks)
  makeRoom({ ...batch.txs, hash: null }, { ...like.txs, hash: null })
  batch.txs.hash = newTxHashes(like.ids.form, roomLike(like.txs.count))
  for (const kind of eventKindNames) {
    const [first] = Object.values(like.columns[kind]) as ReadonlyArray<AnyColumn>
    if ((first?.count ?? 0) > 0) makeRoom(batch.columns[kind], like.columns[kind])
  }
  return batch
}
