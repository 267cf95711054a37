/**
 * Late blocks and what the log holds of the same stretch, as one run of blocks: late blocks take
 * the place of the log's, of which some events stay; see `LateBlocks`.
 */

import { Effect, Option, Stream } from "effect"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf, eventsOf } from "../../streams/event-objects.ts"
import { transferTokenOf } from "../../streams/pinned-transfers.ts"
import { type BlockCursor, blockCursor, type Held, NO_BLOCK } from "./block-cursor.ts"
import { insertEvents } from "./insert-events.ts"
import type { AppendError } from "./log-errors.ts"

/** Events of a batch that is made here. */
const BATCH_EVENTS = 1_000

/**
 * Blocks of a stretch of the chain, in order. They stand instead of whatever the log holds of the
 * stretch, but for the events that `keeps` takes (default: `staysInPlace`).
 */
export interface LateBlocks {
  readonly fromBlock: number
  readonly toBlock: number
  readonly batches: Stream.Stream<EventBatch, AppendError>
  readonly keeps?: (event: Event) => boolean
}

/**
 * Transfers and what is said of them: blocks read without a token must not undo its transfers. And
 * what a block says of older blocks that were proven.
 */
export const staysInPlace = (event: Event): boolean =>
  event.kind === "TokenPinned" ||
  event.kind === "TokenUnpinned" ||
  event.kind === "TransfersFilled" ||
  event.kind === "EventsJoined" ||
  event.kind === "BlocksProven" ||
  transferTokenOf(event) !== null

const mayStay = ({ columns }: EventBatch): boolean =>
  columns.TransferSeen.token.count +
    columns.LogQuarantined.address.count +
    columns.TokenPinned.token.count +
    columns.TokenUnpinned.token.count +
    columns.TransfersFilled.token.count +
    columns.EventsJoined.hash.count +
    columns.BlocksProven.fromBlock.count >
  0

/** The events of the log that stay although their blocks are replaced. */
const kept = (held: Stream.Stream<Held, AppendError>, keeps: (event: Event) => boolean) =>
  held.pipe(
    Stream.filter(({ batch }) => mayStay(batch)),
    Stream.map(({ batch }): Held => ({ batch: batchOf(eventsOf(batch).filter(keeps)) }))
  )

/** One of the two was read on another branch. */
const disagree = ([a]: ReadonlyArray<Event>, [b]: ReadonlyArray<Event>): boolean => {
  const [ours, theirs] = [a?.block.hash ?? null, b?.block.hash ?? null]
  return ours !== null && theirs !== null && ours !== theirs
}

type Emit = (batch: EventBatch) => Effect.Effect<void, AppendError>

/** Collects events of whole blocks into batches. */
class Output {
  private events: Array<Event> = []
  private readonly emit: Emit

  constructor(emit: Emit) {
    this.emit = emit
  }

  block(events: ReadonlyArray<Event>): Effect.Effect<void, AppendError> {
    for (const event of events) this.events.push(event)
    return this.events.length < BATCH_EVENTS ? Effect.void : this.flush
  }

  whole({ batch }: Held): Effect.Effect<void, AppendError> {
    return Effect.andThen(this.flush, this.emit(batch))
  }

  get flush(): Effect.Effect<void, AppendError> {
    return Effect.suspend(() => {
      if (this.events.length === 0) return Effect.void
      const batch = batchOf(this.events)
      this.events = []
      return this.emit(batch)
    })
  }
}

/** A late block with what stays of the log's, unless that was read on another branch. */
const join = (ours: ReadonlyArray<Event>, theirs: ReadonlyArray<Event>) =>
  disagree(ours, theirs) ? theirs : insertEvents(theirs, ours)

/** Takes from the one of two that comes first, and joins what both have. */
const merge = (
  log: BlockCursor<Held>,
  late: BlockCursor<Held>,
  output: Output
): Effect.Effect<void, AppendError> =>
  Effect.gen(function* () {
    for (;;) {
      const [ours, theirs] = [yield* log.next, yield* late.next]
      if (ours === NO_BLOCK && theirs === NO_BLOCK) return yield* output.flush
      if (ours === theirs) {
        yield* output.block(join(yield* log.takeBlock, yield* late.takeBlock))
        continue
      }
      const first = ours < theirs ? log : late
      const whole = first.takeBefore(Math.max(ours, theirs))
      if (whole === null) yield* output.block(yield* first.takeBlock)
      else yield* output.whole(whole)
    }
  })

/**
 * Hands on, in order, what the log is to hold of the stretch; `held` is what it holds now. Where
 * late blocks end with an error, what stays of the log's follows before that is told; with no late
 * block before it, nothing is handed on.
 */
export const mergeLate = (
  { batches, keeps = staysInPlace }: LateBlocks,
  held: Stream.Stream<Held, AppendError>,
  emit: Emit
): Effect.Effect<void, AppendError> =>
  Effect.gen(function* () {
    let failure: Option.Option<AppendError> = Option.none()
    const untilError = Stream.catch(batches, error => {
      failure = Option.some(error)
      return Stream.empty
    })
    const late = yield* blockCursor(Stream.map(untilError, (batch): Held => ({ batch })))
    const isNothing = (yield* late.next) === NO_BLOCK
    if (!(isNothing && Option.isSome(failure))) {
      yield* merge(yield* blockCursor(kept(held, keeps)), late, new Output(emit))
    }
    if (Option.isSome(failure)) return yield* Effect.fail(failure.value)
  }).pipe(Effect.scoped)
