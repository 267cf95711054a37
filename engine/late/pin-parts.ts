/**
 * Parts of the side log that wait until the chain's log joins them. A part holds transfers of
 * pinned tokens in blocks that were final when they were read, and names the blocks
 * (`TransfersFilled`). Blocks at the head join the parts in the order of the side log, each part in
 * a block after its own.
 */
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import type { BlockRef, Event } from "../../streams/event.ts"
import { batchOf, eventAt } from "../../streams/event-objects.ts"
import { beginsWithRollback } from "../log/block-runs.ts"
import type { SidePart, SideRange } from "../log/side-log.ts"
import { lastBlockOf, withFacts } from "./gap-events.ts"
import type { Pin, PinLedger, PinMark } from "./pin-ledger.ts"

/** What a part says about the transfers of one token. */
export interface Filled extends Omit<PinMark, "at"> {
  readonly reach: string
  /** the lowest grade of the blocks; null in older logs, which do not say */
  readonly grade: string | null
}

export interface Part {
  readonly range: SideRange
  readonly events: number
  /** the part's last block, as it was when it was read */
  readonly block: BlockRef
  readonly filled: ReadonlyArray<Filled>
}

const isFilled = (event: Event): event is Extract<Event, { readonly kind: "TransfersFilled" }> =>
  event.kind === "TransfersFilled"

/** Returns a stored part with the facts that stand at its end. */
export const partOf = ({ batches, ...range }: SidePart): Part => {
  const last = batches[batches.length - 1] as EventBatch
  const filled: Array<Filled> = []
  for (let i = last.count - 1; i >= 0 && last.kind.get(i) === KIND.TransfersFilled; i--) {
    const event = eventAt(last, i)
    if (!isFilled(event)) break
    const { token, fromBlock, toBlock, reach, grade } = event
    filled.unshift({ token, fromBlock, toBlock, reach, grade })
  }
  const events = range.lastSeq - range.firstSeq + 1
  return { range, events, block: eventAt(last, last.count - 1).block, filled }
}

/** Returns statements about tokens as facts of a block. */
export const filledIn = (block: BlockRef, filled: ReadonlyArray<Filled>): ReadonlyArray<Event> =>
  filled.map(one => ({ kind: "TransfersFilled", block, tx: null, logIndex: 0, ...one }))

const joinedIn = (block: BlockRef, { firstSeq, lastSeq, hash }: SideRange): Event => ({
  ...{ kind: "EventsJoined", block, tx: null, logIndex: 0 },
  ...{ firstSeq, lastSeq, hash: `0x${hash}` }
})

/**
 * Whether the log still lacks a part's transfers: all of them are of blocks before their token's
 * pin. Transfers of a token that is not pinned any more do no harm, since a fold skips them.
 */
export const isMissing = ({ filled }: Part, pins: ReadonlyArray<Pin>): boolean =>
  filled.every(({ token, toBlock }) => {
    const pin = pins.find(one => one.token === token)
    return pin === undefined || toBlock < pin.addedBlock
  })

export class PinParts {
  /** the ledger of the chain's log, with all batches that are on their way to it */
  private readonly ledger: PinLedger
  private readonly maxEvents: number
  /** parts that are to be compared with the chain, and parts that agreed with it */
  private waiting: ReadonlyArray<Part> = []
  private ready: ReadonlyArray<Part> = []
  /** statements without a part, as that a token had no earlier transfers */
  private statements: ReadonlyArray<Filled> = []
  /** whether parts must be looked up in the side log: at the start, and after a rollback */
  isLost = true

  /**
   * @param maxEvents events that one batch of blocks joins at most, unless a single part has more
   */
  constructor(ledger: PinLedger, maxEvents: number) {
    this.ledger = ledger.copy()
    this.maxEvents = maxEvents
  }

  /** Seq of the last event of the side log that is joined, or on its way. */
  get joinedSeq(): number {
    return this.ledger.joinedSeq
  }

  /** The next part that is to be compared with the chain; null for none. */
  get unproven(): Part | null {
    return this.waiting[0] ?? null
  }

  /** The pinned tokens as they will be once the log has joined all parts. */
  get pins(): ReadonlyArray<Pin> {
    const more = [...this.ready, ...this.waiting].flatMap(({ filled }) => filled)
    return this.ledger.pins.map(pin => ({
      ...pin,
      filled: [
        ...pin.filled,
        ...[...this.statements, ...more]
          .filter(({ token }) => token === pin.token)
          .map(one => ({ ...one, at: one.toBlock }))
      ]
    }))
  }

  /** Takes all parts that were looked up in the side log. */
  found(parts: ReadonlyArray<Part>): void {
    this.waiting = parts
    this.ready = []
    this.isLost = false
  }

  add(part: Part): void {
    if (!this.isLost) this.waiting = [...this.waiting, part]
  }

  /** Lets a part be joined, which agrees with the chain. */
  prove(part: Part): void {
    if (this.waiting[0] !== part) return
    this.waiting = this.waiting.slice(1)
    this.ready = [...this.ready, part]
  }

  /** Takes statements that need no part. */
  say(filled: ReadonlyArray<Filled>): void {
    this.statements = [...this.statements, ...filled]
  }

  /** Takes a batch on its way to the log. Returns it, with the parts that its last block joins. */
  tellIn(batch: EventBatch): EventBatch {
    if (batch.count === 0) return batch
    if (beginsWithRollback(batch)) {
      this.isLost = true
      this.waiting = []
      this.ready = []
      this.statements = []
    }
    const before = this.pinnedFrom
    this.ledger.observe(batch)
    if (this.isLost) return batch
    const filled: Array<Filled> = [...this.statements]
    this.statements = []
    const ranges = this.take(lastBlockOf(batch)).map(part => {
      filled.push(...part.filled)
      return part.range
    })
    // parts were read for pins of before: transfers of a token pinned in this batch are read again
    const now = this.pinnedFrom
    const counting = filled.filter(({ token }) => {
      const from = now.get(token)
      return from !== undefined && from === before.get(token)
    })
    if (counting.length + ranges.length === 0) return batch
    const make = (block: BlockRef) => [
      ...ranges.map(range => joinedIn(block, range)),
      ...filledIn(block, counting)
    ]
    this.ledger.observe(batchOf(make(eventAt(batch, batch.count - 1).block)))
    return withFacts(batch, make)
  }

  /** By token: the block from which on it is pinned. */
  private get pinnedFrom(): ReadonlyMap<string, number> {
    return new Map(this.ledger.pins.map(({ token, addedBlock }) => [token, addedBlock]))
  }

  /** Takes out the parts that a block joins; it comes after all of their blocks. */
  private take(block: number): ReadonlyArray<Part> {
    let events = 0
    let count = 0
    for (const part of this.ready) {
      events += part.events
      const fits = count === 0 || events <= this.maxEvents
      if (!fits || part.block.number >= block) break
      count++
    }
    const taken = this.ready.slice(0, count)
    this.ready = this.ready.slice(count)
    return taken
  }
}
