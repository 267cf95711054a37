/**
 * Late blocks: what is learned of a stretch of the chain after later blocks were logged. A fold
 * must see them in their place, so the log goes back to before them (`Rollback`, reason
 * `late-import`), takes them, and then takes once more what followed. Readers need to know nothing
 * of this: the effective log is that of a source that knew everything in time.
 *
 * Until the last copy is written, each segment says so (`splicing`). A log that ends there is
 * completed from its own content when it is next opened.
 */
import { Effect, Option, Result, Stream } from "effect"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { BlockRef, Event } from "../../streams/event.ts"
import { batchOf, eventAt, eventsOf } from "../../streams/event-objects.ts"
import { rollBackTo, upToBlock } from "./append-batch.ts"
import type { Held } from "./block-cursor.ts"
import { beginsWithRollback, blockRuns } from "./block-runs.ts"
import {
  type CopyRange,
  copies,
  copiesOf,
  effectiveIn,
  segmentsOf,
  ToldFacts
} from "./late-copies.ts"
import { type AppendError, broken } from "./log-errors.ts"
import { type LogWriter, refuse, sendPiece } from "./log-writer.ts"
import { type LateBlocks, mergeLate } from "./merge-late.ts"
import { segmentAt } from "./read-log.ts"
import { openPayload } from "./segment-message.ts"
import { settleAll } from "./settle-appends.ts"
import { type Piece, type SizeLimits, splitBatch } from "./split-batch.ts"

/** Events of the stretch as it is now, and events that had to be written again behind them. */
export interface Replaced {
  readonly late: number
  readonly moved: number
}

export const LATE_IMPORT = "late-import"

const TOO_LARGE = "one event is larger than a message"

/** Segments on their way at once. */
const IN_FLIGHT = 32

/**
 * Events of small pieces that become one at most. A block that came by itself is a few events, and
 * a message costs what some hundreds of them do, and a wait for the disk.
 */
const JOINED_EVENTS = 1_000

/** Pieces that wait to be sent as one, and the `toSeq` of the `Rollback` that they begin with. */
interface Waiting {
  readonly pieces: Array<Piece>
  readonly rollbackTo: number | null
  events: number
  bytes: number
}

/** Sends pieces one behind, so that the last is known as such. */
class Splice {
  private readonly writer: LogWriter
  private waiting: Waiting | null = null
  /** seq of the `Rollback` that it began with; null where nothing had to go back */
  private begun: number | null = null
  events = 0

  constructor(writer: LogWriter, begun: number | null) {
    this.writer = writer
    this.begun = begun
  }

  /** Takes the next piece, with the `toSeq` of the `Rollback` it begins with. */
  take(piece: Piece, rollbackTo: number | null): Effect.Effect<void, AppendError> {
    return Effect.gen({ self: this }, function* () {
      this.events += piece.batch.count
      if (rollbackTo === null && this.joins(piece)) return
      yield* this.send(true)
      const { batch, payload } = piece
      this.waiting = { pieces: [piece], rollbackTo, events: batch.count, bytes: payload.length }
      if (this.writer.sent.length >= IN_FLIGHT) yield* settleAll(this.writer)
    })
  }

  end(): Effect.Effect<void, AppendError> {
    return Effect.andThen(this.send(false), settleAll(this.writer))
  }

  /** Puts a piece to those that wait, where all of them fit into one; else does nothing. */
  private joins(piece: Piece): boolean {
    const { waiting, writer } = this
    if (waiting === null || piece.continues || waiting.pieces.at(-1)?.continues === true)
      return false
    const events = waiting.events + piece.batch.count
    const bytes = waiting.bytes + piece.payload.length
    const { several, message } = writer.limits
    if (events > JOINED_EVENTS || bytes > Math.min(several, message)) return false
    waiting.pieces.push(piece)
    waiting.events = events
    waiting.bytes = bytes
    return true
  }

  /** What waits, as one piece where it is small enough for a message. */
  private whole({ pieces }: Waiting): ReadonlyArray<Piece> {
    if (pieces.length === 1) return pieces
    const batch = batchOf(pieces.flatMap(one => eventsOf(one.batch)))
    return splitBatch(batch, this.writer.limits) ?? pieces
  }

  private send(goesOn: boolean): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const { waiting, writer } = this
      if (waiting === null) return
      this.waiting = null
      let { rollbackTo } = waiting
      const pieces = this.whole(waiting)
      for (const [i, piece] of pieces.entries()) {
        const first = writer.tip.seq + 1
        if (rollbackTo !== null) this.begun ??= first
        const splicing = goesOn || i < pieces.length - 1 ? this.begun : null
        writer.blocks.extend(blockRuns(piece.batch, first))
        yield* sendPiece(writer, piece, { rollbackTo, splicing })
        rollbackTo = null
      }
    })
  }
}

/** The `Rollback` to before a block, in front of a batch that begins with it or follows it. */
const withRollback = (batch: EventBatch, block: BlockRef, from: number, newest: number) => {
  const hash = block.number === from ? block.parentHash : null
  const event: Event = {
    kind: "Rollback",
    block: { number: from - 1, time: block.time, hash, parentHash: null },
    tx: null,
    logIndex: 0,
    toSeq: 0,
    toBlock: from - 1,
    toHash: hash,
    fromBlock: newest,
    reason: LATE_IMPORT
  }
  return batchOf([event, ...eventsOf(batch)])
}

/** Takes a batch behind a `Rollback` to before block `from`. */
const takeFirst = Effect.fnUntraced(function* (
  writer: LogWriter,
  splice: Splice,
  { batch, continues }: Pick<Piece, "batch" | "continues">,
  from: number
) {
  const newest = writer.tipHeader?.lastBlock ?? from
  const whole = withRollback(batch, eventAt(batch, 0).block, from, newest)
  const left = yield* upToBlock(writer, from - 1)
  yield* rollBackTo(writer, whole, left)
  const pieces = splitBatch(whole, writer.limits, continues)
  if (pieces === undefined) return yield* refuse(writer, TOO_LARGE)
  writer.blocks = left.blocks
  let rollbackTo: number | null = left.seq
  for (const piece of pieces) {
    yield* splice.take(piece, rollbackTo)
    rollbackTo = null
  }
})

const hashOfLast = (batch: EventBatch): string | null =>
  batch.ids.text(batch.blocks.hash.get(batch.block.get(batch.count - 1)))

const outside = (batch: EventBatch, { fromBlock, toBlock }: LateBlocks): boolean => {
  const last = batch.blocks.number.get(batch.block.get(batch.count - 1))
  return batch.blocks.number.get(batch.block.get(0)) < fromBlock || last > toBlock
}

/** Late batches as they come; one that cannot stand in the log ends them before it is taken. */
const checked = (writer: LogWriter, late: LateBlocks): Stream.Stream<EventBatch, AppendError> => {
  const before = writer.blocks
  let last = late.fromBlock - 1
  const wrongIn = (batch: EventBatch): string | null => {
    if (batch.count === 0) return null
    if (beginsWithRollback(batch) || outside(batch, late)) {
      return `late blocks outside of ${late.fromBlock}..${late.toBlock}`
    }
    const first = batch.blocks.number.get(batch.block.get(0))
    if (first <= last) return `late block ${first} after ${last}`
    last = batch.blocks.number.get(batch.block.get(batch.count - 1))
    const [ours, theirs] = [before.hashOf(last), hashOfLast(batch)]
    if (ours !== null && theirs !== null && ours !== theirs) {
      return `late block ${last} is ${theirs}, the log has ${ours}`
    }
    return splitBatch(batch, writer.limits) === undefined ? TOO_LARGE : null
  }
  return Stream.tap(late.batches, batch => {
    const wrong = wrongIn(batch)
    return wrong === null ? Effect.void : refuse(writer, wrong)
  })
}

/** Takes the blocks of the stretch as they come. */
const taking = (writer: LogWriter, splice: Splice, fromBlock: number, goesBack: boolean) => {
  let isFirst = goesBack
  return ({ batch, payload, continues = false }: Held & Partial<Piece>) =>
    Effect.gen(function* () {
      if (batch.count === 0) return
      if (isFirst) {
        isFirst = false
        return yield* takeFirst(writer, splice, { batch, continues }, fromBlock)
      }
      if (payload !== undefined) return yield* splice.take({ batch, payload, continues }, null)
      const pieces = splitBatch(batch, writer.limits, continues)
      if (pieces === undefined) return yield* refuse(writer, TOO_LARGE)
      for (const one of pieces) yield* splice.take(one, null)
    })
}

/** What the log holds of the stretch, out of the copies from its first block on. */
const heldOf = (
  pieces: Stream.Stream<Piece, AppendError>,
  toBlock: number,
  limits: SizeLimits
): Stream.Stream<Piece, AppendError> =>
  pieces.pipe(
    Stream.takeWhile(({ batch }) => batch.blocks.number.get(batch.block.get(0)) <= toBlock),
    Stream.map((piece): ReadonlyArray<Piece> => {
      const { batch } = piece
      if (batch.blocks.number.get(batch.block.get(batch.count - 1)) <= toBlock) return [piece]
      const within = eventsOf(batch).filter(({ block }) => block.number <= toBlock)
      // each stood in a message before
      return splitBatch(batchOf(within), limits) ?? []
    }),
    Stream.flattenIterable
  )

const giveUp = (writer: LogWriter, error: unknown): void => {
  writer.failure ??= broken(writer.stream.chain, writer.tip.streamSeq, String(error))
}

const replaceNow = (writer: LogWriter, late: LateBlocks) =>
  Effect.gen(function* (): Effect.fn.Return<Replaced, AppendError> {
    if (writer.failure !== null) return yield* Effect.fail(writer.failure)
    if (late.fromBlock < 1) return yield* refuse(writer, "late blocks begin after block 0")
    yield* settleAll(writer)
    const { stream, limits, tip } = writer
    const before = yield* upToBlock(writer, late.fromBlock - 1)
    const goesBack = before.seq < tip.seq
    const range = { afterSeq: before.seq, toSeq: tip.seq, fromBlock: late.fromBlock }
    const ranges = goesBack ? yield* effectiveIn(stream, range) : []
    const splice = new Splice(writer, null)
    const told = new ToldFacts()
    const held = goesBack
      ? heldOf(copiesOf(stream, range, ranges, new ToldFacts(), limits), late.toBlock, limits)
      : Stream.empty
    const take = taking(writer, splice, late.fromBlock, goesBack)
    // what fails ends the late blocks, not the copies behind
    const taken = yield* Effect.result(
      mergeLate({ ...late, batches: checked(writer, late) }, held, told, take)
    )
    const lateEvents = splice.events
    if (lateEvents > 0 && goesBack) {
      const behind = { ...range, fromBlock: late.toBlock + 1 }
      yield* copiesOf(stream, behind, ranges, told, limits).pipe(
        Stream.runForEach(piece => splice.take(piece, null))
      )
    }
    yield* splice.end()
    if (Result.isFailure(taken)) return yield* Effect.fail(taken.failure)
    return { late: lateEvents, moved: splice.events - lateEvents }
  })

/** A writer whose log may end within a splice must not go on. */
const orFail = <A>(writer: LogWriter, effect: Effect.Effect<A, AppendError>) =>
  Effect.tapError(effect, error =>
    Effect.sync(() => {
      if (writer.tipHeader?.splicing != null) giveUp(writer, error)
    })
  )

/**
 * Puts blocks in their place: what the log holds of `fromBlock..toBlock` is replaced by them, what
 * follows stays. Nothing else is appended meanwhile. Once begun it is not interrupted.
 */
export const replaceBlocks = (
  writer: LogWriter,
  late: LateBlocks
): Effect.Effect<Replaced, AppendError> =>
  writer.lock.withPermit(Effect.uninterruptible(orFail(writer, replaceNow(writer, late))))

/** Facts that the blocks written so far tell, up to the one that is written again. */
const toldSoFar = (writer: LogWriter, begun: number, beforeBlock: number) => {
  const told = new ToldFacts()
  const range = { afterSeq: begun - 1, toSeq: writer.tip.seq, fromBlock: 0 }
  return Effect.as(
    Stream.runForEach(segmentsOf(writer.stream, range), segment => {
      const opened = openPayload(segment)
      if (Result.isSuccess(opened)) told.add(opened.success.batch, beforeBlock)
      return Effect.void
    }),
    told
  )
}

/**
 * Completes a log that ends within a splice: its last block, which may be torn, is written again
 * with all that followed. Late blocks that were not written are missing, as their gap says.
 */
export const finishSplice = Effect.fnUntraced(function* (writer: LogWriter) {
  const { tipHeader, stream, limits } = writer
  if (tipHeader === null || tipHeader.splicing === null) return
  const begun = tipHeader.splicing
  const segment = yield* segmentAt(stream, begun)
  if (Option.isNone(segment) || !beginsWithRollback(segment.value.batch)) {
    return yield* broken(stream.chain, tipHeader.streamSeq, `no Rollback stands at seq ${begun}`)
  }
  const from = tipHeader.lastBlock
  const range: CopyRange = {
    afterSeq: segment.value.batch.columns.Rollback.toSeq.get(0),
    toSeq: begun - 1,
    fromBlock: from
  }
  const told = yield* toldSoFar(writer, begun, from)
  const splice = new Splice(writer, begun)
  yield* copies(stream, range, told, limits).pipe(
    Stream.runForEach(piece =>
      splice.events === 0 ? takeFirst(writer, splice, piece, from) : splice.take(piece, null)
    )
  )
  yield* splice.end()
})
