/**
 * Late blocks and what the log holds of the same stretch, as one run of blocks: late blocks take
 * the place of the log's, of which some events stay; see `LateBlocks`.
 */

import { Effect, Option, Stream } from "effect"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf } from "../../streams/event-objects.ts"
import { transferTokenOf } from "../../streams/pinned-transfers.ts"
import type { BlockRange } from "../../streams/source.ts"
import { type BlockCursor, blockCursor, type Held, NO_BLOCK } from "./block-cursor.ts"
import { insertEvents } from "./insert-events.ts"
import type { ToldFacts } from "./late-copies.ts"
import type { AppendError } from "./log-errors.ts"
import type { Piece } from "./split-batch.ts"

/** Events of a batch that is made here. */
const BATCH_EVENTS = 1_000

/**
 * Blocks of a stretch of the chain, in order. They stand instead of whatever the log holds of the
 * stretch, but for the events that `keeps` takes (default: `staysInPlace`).
 */
export interface LateBlocks {
  readonly fromBlock: number
  readonly toBlock: number
  /**
   * the parts of the stretch that the blocks are of, in order (default: all of it); what the log
   * holds between them stays as it is
   */
  readonly ranges?: ReadonlyArray<BlockRange>
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

/** What of the log stays: all of it between the ranges, within them what `keeps` takes. */
class Stay {
  /** late blocks ended with an error: what the log holds behind stays */
  hasFailed = false
  private readonly ranges: ReadonlyArray<BlockRange>
  private readonly keeps: (event: Event) => boolean
  private readonly told: ToldFacts

  constructor({ ranges, keeps = staysInPlace, ...range }: LateBlocks, told: ToldFacts) {
    this.ranges = ranges ?? [range]
    this.keeps = keeps
    this.told = told
  }

  /** Takes events of whole blocks, in order. */
  of(events: ReadonlyArray<Event>): ReadonlyArray<Event> {
    return events.filter(event =>
      this.isReplaced(event.block.number) ? this.keeps(event) : !this.told.repeats(event)
    )
  }

  /** Whether all of a piece stays as it is. */
  readonly isWhole = ({ batch }: Piece): boolean => {
    const first = batch.blocks.number.get(batch.block.get(0))
    const last = batch.blocks.number.get(batch.block.get(batch.count - 1))
    const meets = this.ranges.some(one => one.fromBlock <= last && one.toBlock >= first)
    return (!meets || this.hasFailed) && !this.told.mayRepeat(batch)
  }

  private isReplaced(block: number): boolean {
    if (this.hasFailed) return false
    return this.ranges.some(({ fromBlock, toBlock }) => block >= fromBlock && block <= toBlock)
  }
}

/** One of the two was read on another branch. */
const disagree = ([a]: ReadonlyArray<Event>, [b]: ReadonlyArray<Event>): boolean => {
  const [ours, theirs] = [a?.block.hash ?? null, b?.block.hash ?? null]
  return ours !== null && theirs !== null && ours !== theirs
}

/** Takes events of whole blocks, but for a piece of which the last one `continues`. */
type Emit = (piece: Held & Partial<Piece>) => Effect.Effect<void, AppendError>

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

  whole(piece: Held & Partial<Piece>): Effect.Effect<void, AppendError> {
    return Effect.andThen(this.flush, this.emit(piece))
  }

  get flush(): Effect.Effect<void, AppendError> {
    return Effect.suspend(() => {
      if (this.events.length === 0) return Effect.void
      const batch = batchOf(this.events)
      this.events = []
      return this.emit({ batch })
    })
  }
}

/** A late block with what stays of the log's, unless that was read on another branch. */
const join = (ours: ReadonlyArray<Event>, theirs: ReadonlyArray<Event>) =>
  disagree(ours, theirs) ? theirs : insertEvents(theirs, ours)

interface Merging {
  readonly log: BlockCursor<Piece>
  readonly late: BlockCursor<Held>
  readonly stay: Stay
  readonly told: ToldFacts
  readonly output: Output
}

/** Takes from the one of two that comes first, and joins what both have. */
const merge = ({ log, late, stay, told, output }: Merging): Effect.Effect<void, AppendError> =>
  Effect.gen(function* () {
    const lateBlock = Effect.map(late.takeBlock, events => {
      for (const event of events) told.tell(event)
      return events
    })
    for (;;) {
      // late blocks come first: whether they have failed decides what stays
      const theirs = yield* late.next
      const ours = yield* log.next
      if (ours === NO_BLOCK && theirs === NO_BLOCK) return yield* output.flush
      if (ours === theirs) {
        const stays = stay.of(yield* log.takeBlock)
        yield* output.block(join(stays, yield* lateBlock))
      } else if (ours < theirs) {
        const whole = log.takeBefore(theirs, stay.isWhole)
        if (whole === null) yield* output.block(stay.of(yield* log.takeBlock))
        else yield* output.whole(whole)
      } else {
        const whole = late.takeBefore(ours)
        if (whole === null) yield* output.block(yield* lateBlock)
        else {
          told.add(whole.batch)
          yield* output.whole({ batch: whole.batch })
        }
      }
    }
  })

/**
 * Hands on, in order, what the log is to hold of the stretch; `held` is what it holds now. Where
 * late blocks end with an error, what stays of the log's follows before that is told; with no late
 * block before it, nothing is handed on.
 *
 * @param told takes the facts that late blocks tell
 */
export const mergeLate = (
  late: LateBlocks,
  held: Stream.Stream<Piece, AppendError>,
  told: ToldFacts,
  emit: Emit
): Effect.Effect<void, AppendError> =>
  Effect.gen(function* () {
    let failure: Option.Option<AppendError> = Option.none()
    const stay = new Stay(late, told)
    const untilError = Stream.catch(late.batches, error => {
      failure = Option.some(error)
      stay.hasFailed = true
      return Stream.empty
    })
    const cursor = yield* blockCursor(Stream.map(untilError, (batch): Held => ({ batch })))
    const isNothing = (yield* cursor.next) === NO_BLOCK
    if (!(isNothing && Option.isSome(failure))) {
      const log = yield* blockCursor(held)
      yield* merge({ log, late: cursor, stay, told, output: new Output(emit) })
    }
    if (Option.isSome(failure)) return yield* Effect.fail(failure.value)
  }).pipe(Effect.scoped)
