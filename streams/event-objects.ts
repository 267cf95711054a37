/** Batches to event objects and back, and the JSON form of `swaptape log cat`. */
import { formOfText, type IdForm, idBytes } from "../src/domain/ids.ts"
import type { AnyColumn, EventBatch } from "./batch/batch.ts"
import { kindName } from "./batch/batch.ts"
import { BatchBuilder } from "./batch/builder.ts"
import {
  BytesColumn,
  I32Column,
  NULL_I32,
  NumColumn,
  RefColumn,
  RefListColumn,
  TextColumn
} from "./batch/columns.ts"
import { type IdTable, NONE } from "./batch/id-table.ts"
import { IntColumn } from "./batch/int-column.ts"
import {
  type BlockRef,
  type Event,
  type EventKind,
  eventKinds,
  type KindSpec,
  type TxRef
} from "./event.ts"

export const readValue = (
  batch: EventBatch,
  type: string,
  column: AnyColumn,
  row: number
): unknown => {
  if (column instanceof RefColumn) {
    return type === "sym" ? batch.syms[column.get(row)] : batch.ids.text(column.get(row))
  }
  if (column instanceof RefListColumn) return column.get(row).map(ref => batch.ids.text(ref))
  if (column instanceof BytesColumn) return column.get(row).slice()
  return column.get(row)
}

export const blockAt = (batch: EventBatch, index: number): BlockRef => ({
  number: batch.blocks.number.get(index),
  time: batch.blocks.time.get(index),
  hash: batch.ids.text(batch.blocks.hash.get(index)),
  parentHash: batch.ids.text(batch.blocks.parentHash.get(index))
})

export const txAt = (batch: EventBatch, index: number): TxRef | null =>
  index === NONE
    ? null
    : {
        hash: batch.ids.form.tx(batch.txs.hash.bytes(index)),
        index: batch.txs.index.get(index),
        from: batch.ids.text(batch.txs.from.get(index)),
        to: batch.ids.text(batch.txs.to.get(index))
      }

/** The event at a place of a batch, as an object. */
export const eventAt = (batch: EventBatch, index: number): Event => {
  const kind = kindName(batch.kind.get(index)) as EventKind
  const row = batch.row.get(index)
  const columns = batch.columns[kind] as unknown as { readonly [name: string]: AnyColumn }
  const fields = Object.entries((eventKinds[kind] as KindSpec).columns).map(([name, type]) => [
    name,
    readValue(batch, type, columns[name] as AnyColumn, row)
  ])
  return {
    kind,
    block: blockAt(batch, batch.block.get(index)),
    tx: txAt(batch, batch.tx.get(index)),
    logIndex: batch.logIndex.get(index),
    ...Object.fromEntries(fields)
  } as Event
}

/** All events of a batch as objects, in log order. */
export const eventsOf = (batch: EventBatch): ReadonlyArray<Event> =>
  Array.from({ length: batch.count }, (_, index) => eventAt(batch, index))

const hashRef = (ids: IdTable, text: string | null): number =>
  text === null ? NONE : ids.hash(idBytes(text))

const refOf = (ids: IdTable, text: string | null): number => (text === null ? NONE : ids.idOf(text))

const pushValue = (out: BatchBuilder, type: string, column: AnyColumn, value: unknown): void => {
  if (column instanceof RefColumn) {
    column.push(type === "sym" ? out.sym(value as string) : refOf(out.ids, value as string | null))
  } else if (column instanceof RefListColumn) {
    column.push((value as ReadonlyArray<string>).map(text => refOf(out.ids, text)))
  } else if (column instanceof IntColumn) column.push(value as bigint | null)
  else if (column instanceof I32Column) column.push((value as number | null) ?? NULL_I32)
  else if (column instanceof NumColumn) column.push(value as number)
  else if (column instanceof TextColumn) column.push(value as string | null)
  else column.push(value as Uint8Array)
}

const sameBlock = (a: BlockRef, b: BlockRef): boolean =>
  a.number === b.number && a.hash === b.hash && a.time === b.time && a.parentHash === b.parentHash

const sameTx = (a: TxRef | null, b: TxRef): boolean =>
  a !== null && a.hash === b.hash && a.index === b.index && a.from === b.from && a.to === b.to

/** Pushes an event's own columns and ends it in the builder's open block and transaction. */
const pushFields = (out: BatchBuilder, event: Event): void => {
  const columns = out.columns[event.kind] as unknown as { readonly [name: string]: AnyColumn }
  for (const [name, type] of Object.entries((eventKinds[event.kind] as KindSpec).columns)) {
    pushValue(
      out,
      type,
      columns[name] as AnyColumn,
      (event as unknown as { [name: string]: unknown })[name]
    )
  }
  out.end(event.kind, event.logIndex)
}

/** The first identity that an event tells; null where it tells none. */
const identityIn = (event: Event): string | null => {
  const told = event.block.hash ?? event.tx?.hash ?? null
  if (told !== null) return told
  const fields = event as unknown as { readonly [name: string]: unknown }
  for (const [name, type] of Object.entries((eventKinds[event.kind] as KindSpec).columns)) {
    const [text] = type === "ids" ? (fields[name] as ReadonlyArray<string>) : [fields[name]]
    if (type.startsWith("id") && typeof text === "string") return text
  }
  return null
}

/** How events write identities: where none tells one, any form will do. */
const formOf = (events: ReadonlyArray<Event>): IdForm | undefined => {
  for (const event of events) {
    const text = identityIn(event)
    if (text !== null) return formOfText(text)
  }
  return undefined
}

/** A batch of event objects; neighbours of one block or transaction share its entry. */
export const batchOf = (events: ReadonlyArray<Event>): EventBatch => {
  const out = new BatchBuilder(null, formOf(events))
  let block: BlockRef | null = null
  let tx: TxRef | null = null
  for (const event of events) {
    if (block === null || !sameBlock(block, event.block)) {
      block = event.block
      tx = null
      const hash = hashRef(out.ids, block.hash)
      out.openBlock(block.number, block.time, hash, hashRef(out.ids, block.parentHash))
    }
    if (event.tx === null) {
      tx = null
      out.closeTx()
    } else if (!sameTx(tx, event.tx)) {
      tx = event.tx
      out.openTx(idBytes(tx.hash), tx.index, refOf(out.ids, tx.from), refOf(out.ids, tx.to))
    }
    pushFields(out, event)
  }
  return out.batch
}

/** One line of JSON: raw integers as decimal strings, bytes as hex. */
export const eventToJson = (event: Event, seq: number): string =>
  JSON.stringify({ seq, ...event }, (_, value: unknown) => {
    if (typeof value === "bigint") return value.toString()
    if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString("hex")}`
    return value
  })
