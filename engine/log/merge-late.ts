/**
 * Late blocks and what the log holds of the same stretch, as one run of blocks. Late blocks take
 * the place of the log's, or late events are added to them; see `LateBlocks`.
 */
import { Effect, Stream } from "effect"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf, eventsOf } from "../../streams/event-objects.ts"
import { transferTokenOf } from "../../streams/pinned-tokens.ts"
import { type BlockCursor, blockCursor, type Held, NO_BLOCK } from "./block-cursor.ts"
import { insertEvents } from "./insert-events.ts"
import type { Piece } from "./split-batch.ts"

/** Events of a batch that is made here. */
const BATCH_EVENTS = 1_000

/** Blocks of a stretch of the chain, in order. */
export interface LateBlocks<E> {
  readonly fromBlock: number
  readonly toBlock: number
  readonly batches: Stream.Stream<EventBatch, E>
  /**
   * `replace` (default): they stand instead of whatever the log holds of the stretch, but for what
   * `keeps` says stays. `add`: their events stand among the log's; where the two disagree about a
   * block the log's stays as it is, and from then on nothing is added but logs
   */
  readonly mode?: "replace" | "add"
  readonly keeps?: (event: Event) => boolean
}

/** Transfers and what is said of them: blocks read without a token must not undo its transfers. */
export const isOfPin = (event: Event): boolean =>
  event.kind === "TokenPinned" ||
  event.kind === "TokenUnpinned" ||
  event.kind === "TransfersFilled" ||
  event.kind === "EventsJoined" ||
  transferTokenOf(event) !== null

const mayHavePins = ({ columns }: EventBatch): boolean =>
  columns.TransferSeen.token.count +
    columns.LogQuarantined.address.count +
    columns.TokenPinned.token.count +
    columns.TokenUnpinned.token.count +
    columns.TransfersFilled.token.count +
    columns.EventsJoined.hash.count >
  0

/** The events of the log that stay although their blocks are replaced. */
const kept = <E>(held: Stream.Stream<Held, E>, keeps: (event: Event) => boolean) =>
  held.pipe(
    Stream.filter(({ batch }) => mayHavePins(batch)),
    Stream.map(({ batch }): Held => ({ batch: batchOf(eventsOf(batch).filter(keeps)) }))
  )

/** One of the two was read on another branch. */
const disagree = ([a]: ReadonlyArray<Event>, [b]: ReadonlyArray<Event>): boolean => {
  const [ours, theirs] = [a?.block.hash ?? null, b?.block.hash ?? null]
  return ours !== null && theirs !== null && ours !== theirs
}

/** A batch of what was merged, or a piece of the log as it was. */
export type Merged = Held & { readonly piece?: Piece }

type Emit<E> = (merged: Merged) => Effect.Effect<void, E>

/** Collects events of whole blocks into batches. */
class Output<E> {
  private events: Array<Event> = []
  private readonly emit: Emit<E>

  constructor(emit: Emit<E>) {
    this.emit = emit
  }

  block(events: ReadonlyArray<Event>): Effect.Effect<void, E> {
    for (const event of events) this.events.push(event)
    return this.events.length < BATCH_EVENTS ? Effect.void : this.flush
  }

  whole(merged: Merged): Effect.Effect<void, E> {
    return Effect.andThen(this.flush, this.emit(merged))
  }

  get flush(): Effect.Effect<void, E> {
    return Effect.suspend(() => {
      if (this.events.length === 0) return Effect.void
      const batch = batchOf(this.events)
      this.events = []
      return this.emit({ batch })
    })
  }
}

const isPiece = (held: Held): held is Piece => "payload" in held

/** How blocks of the log and late ones become one. */
interface Joining {
  readonly join: (ours: ReadonlyArray<Event>, theirs: ReadonlyArray<Event>) => ReadonlyArray<Event>
  /** what is taken of late blocks that the log does not hold; null for all of it */
  readonly alone: () => ((events: ReadonlyArray<Event>) => ReadonlyArray<Event>) | null
}

/** Takes from the one of two that comes first, and joins what both have. */
const merge = <E1, E2, E3>(
  log: BlockCursor<Held, E1>,
  late: BlockCursor<Held, E2>,
  { join, alone }: Joining,
  output: Output<E3>
): Effect.Effect<void, E1 | E2 | E3> =>
  Effect.gen(function* () {
    for (;;) {
      const [ours, theirs] = [yield* log.next, yield* late.next]
      if (ours === NO_BLOCK && theirs === NO_BLOCK) return yield* output.flush
      if (ours === theirs) {
        yield* output.block(join(yield* log.takeBlock, yield* late.takeBlock))
        continue
      }
      const part = ours < theirs ? null : alone()
      const first = ours < theirs ? log : late
      const whole = part === null ? first.takeBefore(Math.max(ours, theirs)) : null
      if (whole === null) {
        const events = yield* first.takeBlock
        yield* output.block(part === null ? events : part(events))
        continue
      }
      const { batch } = whole
      yield* output.whole(isPiece(whole) ? { batch, piece: whole } : { batch })
    }
  })

const logsOf = (events: ReadonlyArray<Event>) => events.filter(({ tx }) => tx !== null)

/**
 * Hands on, in order, what the log is to hold of the stretch; `held` is what it holds now. Gives
 * the number of blocks about which the two disagree.
 */
export const mergeLate = <E1, E2, E3>(
  { batches, mode = "replace", keeps = isOfPin }: LateBlocks<E2>,
  held: Stream.Stream<Held, E1>,
  emit: Emit<E3>
): Effect.Effect<number, E1 | E2 | E3> =>
  Effect.gen(function* () {
    const adds = mode === "add"
    let conflicts = 0
    // what says that all is there stands at the end, and must not where something is not
    const alone = () => (adds && conflicts > 0 ? logsOf : null)
    const join = (ours: ReadonlyArray<Event>, theirs: ReadonlyArray<Event>) => {
      if (disagree(ours, theirs)) {
        conflicts++
        return adds ? ours : theirs
      }
      return adds ? insertEvents(ours, alone()?.(theirs) ?? theirs) : insertEvents(theirs, ours)
    }
    const late = Stream.map(batches, (batch): Held => ({ batch }))
    const log = yield* blockCursor(adds ? held : kept(held, keeps))
    yield* merge(log, yield* blockCursor(late), { join, alone }, new Output(emit))
    return conflicts
  }).pipe(Effect.scoped)
