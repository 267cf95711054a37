/**
 * An event of a batch without a copy of it: columns are read where somebody asks for them. For
 * folds of states that need two or three columns of sixteen. A view is of the event only until it
 * is put on the next one: what is to stay is copied out.
 */
import { type AnyColumn, type EventBatch, eventKindNames, kindName } from "./batch/batch.ts"
import { RefColumn } from "./batch/columns.ts"
import { NONE } from "./batch/id-table.ts"
import { type BlockRef, type Event, type EventKind, eventKinds, type TxRef } from "./event.ts"
import { blockAt, readValue, txAt } from "./event-objects.ts"

/** Where a view stands. */
class Place {
  batch: EventBatch | null = null
  index = 0
  row = 0
  private blockPlace = NONE
  private block: BlockRef | null = null

  /** texts of the batch's ids by their references */
  private texts = new Map<number, string | null>()

  put(batch: EventBatch, index: number): void {
    if (batch !== this.batch) {
      this.block = null
      this.texts = new Map()
    }
    this.batch = batch
    this.index = index
    this.row = batch.row.get(index)
  }

  /** The text of an id, made once a batch: a pool is asked for at each of its events. */
  textOf(batch: EventBatch, ref: number): string | null {
    const known = this.texts.get(ref)
    if (known !== undefined) return known
    const text = batch.ids.text(ref)
    this.texts.set(ref, text)
    return text
  }

  /** The event's block, made once for all events of it that stand together. */
  blockOf(batch: EventBatch): BlockRef {
    const at = batch.block.get(this.index)
    if (this.block !== null && this.blockPlace === at) return this.block
    this.blockPlace = at
    this.block = blockAt(batch, at)
    return this.block
  }
}

const batchOf = ({ batch }: Place): EventBatch => {
  if (batch === null) throw new Error("an event view was read before it was put anywhere")
  return batch
}

/** A view of events of one kind. Its columns are getters: `"pool" in view` tells as of events. */
const viewOf = (kind: EventKind, place: Place): Event => {
  const view: object = { kind }
  const getter = (name: string, get: () => unknown): void => {
    Object.defineProperty(view, name, { get, enumerable: true })
  }
  getter("block", () => place.blockOf(batchOf(place)))
  getter("tx", (): TxRef | null => {
    const batch = batchOf(place)
    return txAt(batch, batch.tx.get(place.index))
  })
  getter("logIndex", () => batchOf(place).logIndex.get(place.index))
  for (const [name, type] of Object.entries(eventKinds[kind].columns)) {
    getter(name, () => {
      const batch = batchOf(place)
      const columns = batch.columns[kind] as unknown as { readonly [name: string]: AnyColumn }
      const column = columns[name] as AnyColumn
      return column instanceof RefColumn && type !== "sym"
        ? place.textOf(batch, column.get(place.row))
        : readValue(batch, type, column, place.row)
    })
  }
  return view as Event
}

/** Views of all kinds, of which one is of an event at a time. */
export class EventViews {
  private readonly place = new Place()
  private readonly views = new Map<EventKind, Event>(
    eventKindNames.map(kind => [kind, viewOf(kind, this.place)])
  )

  /** The event at a place of a batch; valid until the next call. */
  at(batch: EventBatch, index: number): Event {
    this.place.put(batch, index)
    return this.views.get(kindName(batch.kind.get(index)) as EventKind) as Event
  }
}
