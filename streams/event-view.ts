/**
 * An event of a batch without a copy of it: columns are read where somebody asks for them. For
 * folds of states that need two or three columns of sixteen. A view is of the event only until it
 * is put on the next one: what is to stay is copied out.
 */
import { type AnyColumn, type EventBatch, eventKindNames, KIND } from "./batch/batch.ts"
import type { I32Column, RefColumn } from "./batch/columns.ts"
import { HASH_BIT, IdTable, NONE, packRef } from "./batch/id-table.ts"
import type { IntColumn } from "./batch/int-column.ts"
import { type BlockRef, type Event, type EventKind, eventKinds, type TxRef } from "./event.ts"
import { blockAt, readValue, txAt } from "./event-objects.ts"

/** Where a view stands. */
class Place {
  batch: EventBatch | null = null
  index = 0
  row = 0
  private blockPlace = NONE
  private block: BlockRef | null = null

  /** texts of the batch's ids by their packed references */
  private texts: Array<string | undefined> = []
  /** ids of all batches that somebody read, each as one text: equal ones are the same text */
  private readonly known = new IdTable()
  private readonly knownTexts = new Map<number, string>()

  put(batch: EventBatch, index: number): void {
    if (batch !== this.batch) {
      this.block = null
      this.texts = new Array(batch.ids.lastPacked + 1)
    }
    this.batch = batch
    this.index = index
    this.row = batch.row.get(index)
  }

  /** The text of an id, looked up once a batch: a pool is asked for at each of its events. */
  textOf(batch: EventBatch, ref: number): string | null {
    if (ref === NONE) return null
    const place = packRef(ref)
    const before = this.texts[place]
    if (before !== undefined) return before
    const bytes = batch.ids.bytes(ref)
    const own = ref >= HASH_BIT ? this.known.hash(bytes) : this.known.account(bytes)
    const text = this.knownTexts.get(own) ?? (batch.ids.text(ref) as string)
    this.knownTexts.set(own, text)
    this.texts[place] = text
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

/** A column of the batch that a view stands in, looked up once a batch. */
const columnIn = <C extends AnyColumn>(kind: EventKind, name: string, place: Place) => {
  let of: EventBatch | null = null
  let column: C | null = null
  return (): C => {
    const { batch } = place
    if (batch === of && column !== null) return column
    of = batchOf(place)
    const columns = of.columns[kind] as unknown as { readonly [name: string]: C }
    column = columns[name] as C
    return column
  }
}

/** What reads a column where its view stands: one function for each class of columns. */
const readerOf = (kind: EventKind, name: string, type: string, place: Place): (() => unknown) => {
  switch (type) {
    case "id":
    case "idOpt": {
      const column = columnIn<RefColumn>(kind, name, place)
      return () => place.textOf(batchOf(place), column().get(place.row))
    }
    case "sym": {
      const column = columnIn<RefColumn>(kind, name, place)
      return () => batchOf(place).syms[column().get(place.row)]
    }
    case "i32Opt": {
      const column = columnIn<I32Column>(kind, name, place)
      return () => column().get(place.row)
    }
    case "uint":
    case "uintOpt":
    case "int":
    case "intOpt": {
      const column = columnIn<IntColumn>(kind, name, place)
      return () => column().get(place.row)
    }
    default: {
      const column = columnIn(kind, name, place)
      return () => readValue(batchOf(place), type, column(), place.row)
    }
  }
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
    getter(name, readerOf(kind, name, type, place))
  }
  return view as Event
}

/**
 * Views of all kinds, of which one is of an event at a time. Equal addresses and hashes of columns
 * are one and the same text, whichever batches they are of, and are kept: for folds that read some
 * columns of pools and tokens, not for who reads those of wallets and transactions.
 */
export class EventViews {
  private readonly place = new Place()
  /** by the number of the kind */
  private readonly views: Array<Event | undefined> = []

  constructor() {
    for (const kind of eventKindNames) this.views[KIND[kind]] = viewOf(kind, this.place)
  }

  /** The event at a place of a batch; valid until the next call. */
  at(batch: EventBatch, index: number): Event {
    this.place.put(batch, index)
    return this.views[batch.kind.get(index)] as Event
  }
}
