/**
 * Parts of the side log that wait until the chain's log joins them. Each holds transfers of pinned
 * tokens in blocks that were final when they were read, and says which (`TransfersFilled`). They
 * are told in the order in which they stand there, at the head, each in a later block than its own.
 */
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import type { BlockRef, Event } from "../../streams/event.ts"
import { batchOf, eventAt } from "../../streams/event-objects.ts"
import { beginsWithRollback } from "../log/block-runs.ts"
import type { SidePart, SideRange } from "../log/side-log.ts"
import { lastBlockOf, withFacts } from "./gap-events.ts"
import type { Pin, PinLedger, PinMark } from "./pin-ledger.ts"

/** What a part says of one token's transfers. */
export interface Filled extends Omit<PinMark, "at"> {
  readonly reach: string
  /** of the least known of the blocks; null where an older log does not tell */
  readonly grade: string | null
}

export interface Part {
  readonly range: SideRange
  readonly events: number
  /** its last block, as it was when it was read */
  readonly block: BlockRef
  readonly filled: ReadonlyArray<Filled>
}

const isFilled = (event: Event): event is Extract<Event, { readonly kind: "TransfersFilled" }> =>
  event.kind === "TransfersFilled"

/** What a stored part is, by the facts at its end. */
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

/** As facts of a block. */
export const filledIn = (block: BlockRef, filled: ReadonlyArray<Filled>): ReadonlyArray<Event> =>
  filled.map(one => ({ kind: "TransfersFilled", block, tx: null, logIndex: 0, ...one }))

const joinedIn = (block: BlockRef, { firstSeq, lastSeq, hash }: SideRange): Event => ({
  ...{ kind: "EventsJoined", block, tx: null, logIndex: 0 },
  ...{ firstSeq, lastSeq, hash: `0x${hash}` }
})

/**
 * Whether a part's transfers are missing still: none of them is of a block that has its own. Those
 * of a token that is pinned no more do no harm: whoever joins them passes them over.
 */
export const isMissing = ({ filled }: Part, pins: ReadonlyArray<Pin>): boolean =>
  filled.every(({ token, toBlock }) => {
    const pin = pins.find(one => one.token === token)
    return pin === undefined || toBlock < pin.addedBlock
  })

export class PinParts {
  /** what the chain's log says with all that was sent to it */
  private readonly ledger: PinLedger
  private readonly mostEvents: number
  /** parts by themselves, and those of them that were found to be of the chain */
  private waiting: ReadonlyArray<Part> = []
  private ready: ReadonlyArray<Part> = []
  /** what is to be said without a part, as that there is nothing to be read */
  private said: ReadonlyArray<Filled> = []
  /** whether parts are to be looked up anew: at the start, and when some may have been undone */
  isLost = true

  /** @param mostEvents events joined by one batch of blocks at most, unless one part has more */
  constructor(ledger: PinLedger, mostEvents: number) {
    this.ledger = ledger.copy()
    this.mostEvents = mostEvents
  }

  /** Seq after which parts of the side log are not joined yet. */
  get joinedSeq(): number {
    return this.ledger.joinedSeq
  }

  /** The next one that is to be compared with the chain. */
  get unproven(): Part | null {
    return this.waiting[0] ?? null
  }

  /** Pinned tokens as the log will tell of them once it has joined all parts. */
  get pins(): ReadonlyArray<Pin> {
    const more = [...this.ready, ...this.waiting].flatMap(({ filled }) => filled)
    return this.ledger.pins.map(pin => ({
      ...pin,
      filled: [
        ...pin.filled,
        ...[...this.said, ...more]
          .filter(({ token }) => token === pin.token)
          .map(one => ({ ...one, at: one.toBlock }))
      ]
    }))
  }

  /** Takes parts as they are looked up, or one that was appended. */
  found(parts: ReadonlyArray<Part>): void {
    this.waiting = parts
    this.ready = []
    this.isLost = false
  }

  add(part: Part): void {
    if (!this.isLost) this.waiting = [...this.waiting, part]
  }

  /** The first that was unproven is of the chain. */
  prove(part: Part): void {
    if (this.waiting[0] !== part) return
    this.waiting = this.waiting.slice(1)
    this.ready = [...this.ready, part]
  }

  /** Takes what needs no reading to be said. */
  say(filled: ReadonlyArray<Filled>): void {
    this.said = [...this.said, ...filled]
  }

  /** A batch on its way to the log, with what is to be joined in it. */
  tellIn(batch: EventBatch): EventBatch {
    if (batch.count === 0) return batch
    if (beginsWithRollback(batch)) {
      this.isLost = true
      this.waiting = []
      this.ready = []
      this.said = []
    }
    const before = this.pinnedFrom
    this.ledger.observe(batch)
    if (this.isLost) return batch
    const filled: Array<Filled> = [...this.said]
    this.said = []
    const ranges = this.take(lastBlockOf(batch)).map(part => {
      filled.push(...part.filled)
      return part.range
    })
    // what is joined counts for pins that stood before: of one in this batch it is read again
    const now = this.pinnedFrom
    const told = filled.filter(({ token }) => {
      const from = now.get(token)
      return from !== undefined && from === before.get(token)
    })
    if (told.length + ranges.length === 0) return batch
    const make = (block: BlockRef) => [
      ...ranges.map(range => joinedIn(block, range)),
      ...filledIn(block, told)
    ]
    this.ledger.observe(batchOf(make(eventAt(batch, batch.count - 1).block)))
    return withFacts(batch, make)
  }

  /** The blocks from which on tokens are pinned. */
  private get pinnedFrom(): ReadonlyMap<string, number> {
    return new Map(this.ledger.pins.map(({ token, addedBlock }) => [token, addedBlock]))
  }

  /** Parts to be joined in a block, which comes after all of theirs. */
  private take(block: number): ReadonlyArray<Part> {
    let events = 0
    let count = 0
    for (const part of this.ready) {
      events += part.events
      const fits = count === 0 || events <= this.mostEvents
      if (!fits || part.block.number >= block) break
      count++
    }
    const taken = this.ready.slice(0, count)
    this.ready = this.ready.slice(count)
    return taken
  }
}
