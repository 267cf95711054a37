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
 * Decodes into `out`; the events, or the reason. Throws where an event is not one row of its kind,
 * or a rejection left anything behind.
 */
export const decodeAll = (
  decode: Decode,
  log: RawLog,
  out = openBuilder()
): ReadonlyArray<Event> | string => {
  const before = rowCounts(out.batch)
  const first = out.batch.count
  const reason = decode(log, out)
  const after = rowCounts(out.batch)
  if (reason !== null) {
    const added = Object.keys(after).filter(name => after[name] !== before[name])
    if (added.length > 0) throw new Error(`rejected, and pushed ${added}`)
    return reason
  }
  const events = Array.from({ length: out.batch.count - first }, (_, i) =>
    eventAt(out.batch, first + i)
  )
  const expected = { ...before }
  const add = (name: string, n: number) => {
    expected[name] = (expected[name] as number) + n
  }
  for (const name of ["events", "kind", "row", "block", "tx", "logIndex"]) add(name, events.length)
  for (const { kind } of events) {
    for (const name of Object.keys(out.columns[kind])) add(`${kind}.${name}`, 1)
  }
  const uneven = Object.keys(after).filter(name => after[name] !== expected[name])
  if (uneven.length > 0) throw new Error(`pushed unevenly: ${uneven}`)
  if (events.length === 0) throw new Error("took the log, and pushed nothing")
  return events
}

/** Decodes a log that tells exactly one event. */
export const decodeOne = (decode: Decode, log: RawLog, out = openBuilder()): Event | string => {
  const events = decodeAll(decode, log, out)
  if (typeof events === "string") return events
  if (events.length !== 1) throw new Error(`${events.length} events where one was expected`)
  return events[0] as Event
}
