/** One log through a decoder: the event it becomes, or why not, with the batch held to its word. */
import { eventKindNames } from "../../streams/batch/batch.ts"
import { BatchBuilder } from "../../streams/batch/builder.ts"
import type { Event } from "../../streams/event.ts"
import { eventAt } from "../../streams/event-objects.ts"
import type { RawLog } from "../../streams/evm/raw-log.ts"

/** A builder with an open block and transaction. */
export const openBuilder = (): BatchBuilder => {
  const out = new BatchBuilder()
  out.openBlock(1, 1, out.ids.newHash(new Uint8Array(32)), out.ids.newHash(new Uint8Array(32)))
  out.openTx(new Uint8Array(32), 0, 0xffffffff, 0xffffffff)
  return out
}

type Decode = (log: RawLog, out: BatchBuilder) => string | null

/** What has a row for each event, and the columns of the kinds, by name. */
const columnsOf = ({ batch }: BatchBuilder) => {
  const places = (["kind", "row", "block", "tx", "logIndex"] as const).map(name => ({
    kind: null,
    name: name as string,
    column: batch[name] as { readonly count: number }
  }))
  const kinds = eventKindNames.flatMap(kind =>
    Object.entries(batch.columns[kind]).map(([name, column]) => ({
      kind,
      name: `${kind}.${name}`,
      column: column as { readonly count: number }
    }))
  )
  return [...places, ...kinds]
}

/** Many thousand logs are decoded one by one: the columns of a builder are listed once. */
const listed = new WeakMap<BatchBuilder, ReturnType<typeof columnsOf>>()
const columnsIn = (out: BatchBuilder) => {
  const columns = listed.get(out) ?? columnsOf(out)
  listed.set(out, columns)
  return columns
}

/** And they share a builder for a while, as logs of a block do. */
let shared = openBuilder()
const sharedBuilder = (): BatchBuilder => {
  if (shared.batch.count > 500) shared = openBuilder()
  return shared
}

/**
 * Decodes into `out`; the events, or the reason. Throws where an event is not one row of its kind,
 * or a rejection left anything behind.
 */
export const decodeAll = (
  decode: Decode,
  log: RawLog,
  out = sharedBuilder()
): ReadonlyArray<Event> | string => {
  const columns = columnsIn(out)
  const before = columns.map(({ column }) => column.count)
  const first = out.batch.count
  const reason = decode(log, out)
  const count = out.batch.count - first
  const events = Array.from({ length: count }, (_, i) => eventAt(out.batch, first + i))
  const rows = new Map<string | null, number>([[null, count]])
  for (const { kind } of events) rows.set(kind, (rows.get(kind) ?? 0) + 1)
  const uneven = columns.filter(
    ({ kind, column }, i) => column.count !== (before[i] as number) + (rows.get(kind) ?? 0)
  )
  if (uneven.length > 0) throw new Error(`pushed unevenly: ${uneven.map(({ name }) => name)}`)
  if (reason !== null) {
    if (count > 0) throw new Error(`rejected, and pushed ${count} events`)
    return reason
  }
  if (count === 0) throw new Error("took the log, and pushed nothing")
  return events
}

/** Decodes a log that tells exactly one event. */
export const decodeOne = (decode: Decode, log: RawLog, out = sharedBuilder()): Event | string => {
  const events = decodeAll(decode, log, out)
  if (typeof events === "string") return events
  if (events.length !== 1) throw new Error(`${events.length} events where one was expected`)
  return events[0] as Event
}
