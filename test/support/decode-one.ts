/** One log through a decoder: the event it becomes, or why not, with the batch held to its word. */
import { type EventBatch, eventKindNames } from "../../streams/batch/batch.ts"
import { BatchBuilder } from "../../streams/batch/builder.ts"
import type { Event } from "../../streams/event.ts"
import { eventAt } from "../../streams/event-objects.ts"
import type { RawLog } from "../../streams/raw-log.ts"

/** Rows of every column of a batch, by `Kind.column`. */
export const rowCounts = (batch: EventBatch): { readonly [column: string]: number } =>
  Object.fromEntries([
    ["events", batch.count],
    ...(["kind", "row", "block", "tx", "logIndex"] as const).map(name => [name, batch[name].count]),
    ...eventKindNames.flatMap(kind =>
      Object.entries(batch.columns[kind]).map(([name, column]) => [`${kind}.${name}`, column.count])
    )
  ])

/** A builder with an open block and transaction. */
export const openBuilder = (): BatchBuilder => {
  const out = new BatchBuilder()
  out.openBlock(1, 1, out.ids.newHash(new Uint8Array(32)), out.ids.newHash(new Uint8Array(32)))
  out.openTx(out.ids.newHash(new Uint8Array(32)), 0, 0xffffffff, 0xffffffff)
  return out
}

type Decode = (log: RawLog, out: BatchBuilder) => string | null

/**
 * Decodes into `out`; the event, or the reason. Throws where one event is not one row of its kind,
 * or a rejection left anything behind.
 */
export const decodeOne = (decode: Decode, log: RawLog, out = openBuilder()): Event | string => {
  const before = rowCounts(out.batch)
  const reason = decode(log, out)
  const added = Object.entries(rowCounts(out.batch)).filter(([name, n]) => n !== before[name])
  if (reason !== null) {
    if (added.length > 0) throw new Error(`rejected, and pushed ${added.map(([name]) => name)}`)
    return reason
  }
  const event = eventAt(out.batch, out.batch.count - 1)
  const expected = 6 + Object.keys(out.columns[event.kind]).length
  const isOneRow = added.every(([name, n]) => n === (before[name] as number) + 1)
  if (!isOneRow || added.length !== expected) {
    throw new Error(`pushed unevenly: ${added.map(([name]) => name)}`)
  }
  return event
}
