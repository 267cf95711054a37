/** Batches of a stream taken block by block: whole where nobody needs to look into them. */

import { Effect, type Scope, Stream } from "effect"
import * as Pull from "effect/Pull"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { Event } from "../../streams/event.ts"
import { eventAt } from "../../streams/event-objects.ts"
import type { AppendError } from "./log-errors.ts"

/** What holds a batch: a piece of the log, or the batch itself. */
export interface Held {
  readonly batch: EventBatch
}

/** After every block. */
export const NO_BLOCK = Number.POSITIVE_INFINITY

export class BlockCursor<A extends Held> {
  private readonly pull: Effect.Effect<ReadonlyArray<A> | null, AppendError>
  private readonly waiting: Array<A> = []
  private current: A | null = null
  private at = 0
  private ended = false

  constructor(pull: Effect.Effect<ReadonlyArray<A> | null, AppendError>) {
    this.pull = pull
  }

  /** Number of the next block; `NO_BLOCK` after the last. */
  get next(): Effect.Effect<number, AppendError> {
    return Effect.gen({ self: this }, function* () {
      yield* this.fill()
      return this.current === null ? NO_BLOCK : this.blockAt(this.current.batch, this.at)
    })
  }

  /**
   * What holds the next batch, where it begins there, lies before a block and is wanted; else null.
   */
  takeBefore(block: number, isWanted: (held: A) => boolean = () => true): A | null {
    const { current } = this
    if (current === null || this.at > 0 || !isWanted(current)) return null
    if (this.blockAt(current.batch, current.batch.count - 1) >= block) return null
    this.current = null
    return current
  }

  /** The events of the next block, in however many batches they stand. */
  get takeBlock(): Effect.Effect<ReadonlyArray<Event>, AppendError> {
    return Effect.gen({ self: this }, function* () {
      const events: Array<Event> = []
      const block = yield* this.next
      while (block !== NO_BLOCK && (yield* this.next) === block) {
        const { batch } = this.current as A
        while (this.at < batch.count && this.blockAt(batch, this.at) === block) {
          events.push(eventAt(batch, this.at++))
        }
      }
      return events
    })
  }

  private blockAt(batch: EventBatch, place: number): number {
    return batch.blocks.number.get(batch.block.get(place))
  }

  /** Stands on an event, unless all are taken. */
  private fill(): Effect.Effect<void, AppendError> {
    return Effect.gen({ self: this }, function* () {
      for (;;) {
        if (this.current !== null && this.at < this.current.batch.count) return
        this.current = this.waiting.shift() ?? null
        this.at = 0
        if (this.current !== null) continue
        if (this.ended) return
        const more = yield* this.pull
        if (more === null) this.ended = true
        else this.waiting.push(...more)
      }
    })
  }
}

/** A cursor over a stream, for the length of the scope. */
export const blockCursor = <A extends Held>(
  stream: Stream.Stream<A, AppendError>
): Effect.Effect<BlockCursor<A>, never, Scope.Scope> =>
  Effect.map(
    Stream.toPull(stream),
    pull => new BlockCursor<A>(Pull.catchDone(pull, () => Effect.succeed(null)))
  )
