/** Effective blocks of a log, the newest first, with their events. */

import { Effect, Stream } from "effect"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import type { Event } from "../../streams/event.ts"
import { eventsOf } from "../../streams/event-objects.ts"
import { beginsWithRollback } from "./block-runs.ts"
import type { ReadError } from "./log-errors.ts"
import type { Segment } from "./segment.ts"

/** A sealed block and all its events. */
export interface WholeBlock {
  readonly number: number
  readonly hash: string | null
  /** of its seal */
  readonly grade: string
  readonly events: ReadonlyArray<Event>
}

const numberAt = (batch: EventBatch, event: number): number =>
  batch.blocks.number.get(batch.block.get(event))

class Backwards {
  private readonly wants: (grade: string) => boolean
  /** what comes after this seq is cancelled */
  private ceiling = Number.POSITIVE_INFINITY
  /** the oldest block so far, which may begin in the segment before */
  private held: WholeBlock | null = null

  constructor(wants: (grade: string) => boolean) {
    this.wants = wants
  }

  /** The blocks that end with the segment before those taken so far. */
  take({ header, batch }: Segment): ReadonlyArray<WholeBlock> {
    const { ceiling } = this
    if (header.firstSeq > ceiling) return []
    this.ceiling = header.rollbackTo ?? ceiling
    const first = beginsWithRollback(batch) ? 1 : 0
    const count = Math.min(batch.count, ceiling - header.firstSeq + 1)
    if (count <= first) return []
    const goesOn = this.held?.number === numberAt(batch, count - 1)
    if (!goesOn && !this.hasWanted(batch, first, count)) return this.rest()
    return this.blocksOf(eventsOf(batch).slice(first, count))
  }

  /** The last one, once there is nothing before it. */
  rest(): ReadonlyArray<WholeBlock> {
    const { held } = this
    this.held = null
    return held === null ? [] : [held]
  }

  private hasWanted(batch: EventBatch, first: number, end: number): boolean {
    const { grade } = batch.columns.BlockSealed
    for (let i = first; i < end; i++) {
      if (batch.kind.get(i) !== KIND.BlockSealed) continue
      if (this.wants(batch.syms[grade.get(batch.row.get(i))] ?? "")) return true
    }
    return false
  }

  private blocksOf(events: ReadonlyArray<Event>): ReadonlyArray<WholeBlock> {
    const blocks: Array<WholeBlock> = []
    for (let end = events.length; end > 0; ) {
      const { number, hash } = (events[end - 1] as Event).block
      let start = end - 1
      while (start > 0 && events[start - 1]?.block.number === number) start--
      const part = events.slice(start, end)
      const seal = part.find(event => event.kind === "BlockSealed")
      if (this.held?.number === number) {
        this.held = { ...this.held, events: [...part, ...this.held.events] }
      } else {
        blocks.push(...this.rest())
        const grade = seal?.kind === "BlockSealed" ? seal.grade : ""
        if (this.wants(grade)) this.held = { number, hash, grade, events: part }
      }
      end = start
    }
    return blocks
  }
}

/** Blocks whose seal has a wanted grade, out of segments that come the newest first. */
export const blocksBackwards = (
  segments: Stream.Stream<Segment, ReadError>,
  wants: (grade: string) => boolean
): Stream.Stream<WholeBlock, ReadError> =>
  Stream.unwrap(
    Effect.sync(() => {
      const backwards = new Backwards(wants)
      return Stream.concat(
        segments.pipe(
          Stream.map(segment => backwards.take(segment)),
          Stream.flattenIterable
        ),
        Stream.suspend(() => Stream.fromIterable(backwards.rest()))
      )
    })
  )
