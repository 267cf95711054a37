/**
 * The log of one chain: a JetStream stream of segments, each a batch of events, chained by hashes.
 * One process appends to it; anybody may read it.
 */
import { randomBytes } from "node:crypto"
import { Effect, type Option, Semaphore, Stream } from "effect"
import type { JetStream } from "../../src/platform/jetstream.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { LogTail } from "../../streams/source.ts"
import { enqueue } from "./append-batch.ts"
import type { BlockRun } from "./block-runs.ts"
import { blocksBackwards, type WholeBlock } from "./blocks-backwards.ts"
import { loadBlocks } from "./load-blocks.ts"
import type { AppendError, ReadError } from "./log-errors.ts"
import {
  ensureStream,
  type LogPart,
  type LogStream,
  logParts,
  logStream,
  type StageOf,
  stageStream
} from "./log-stream.ts"
import type { LogWriter, Sent } from "./log-writer.ts"
import type { LateBlocks } from "./merge-late.ts"
import {
  logEnd,
  type ReadLogOptions,
  readBackwards,
  readRaw,
  readSegments,
  segmentAt
} from "./read-log.ts"
import { finishSplice, type Replaced, replaceBlocks } from "./replace-blocks.ts"
import type { LogPosition, RawSegment, Segment } from "./segment.ts"
import { settle, settleAll } from "./settle-appends.ts"

export interface LogReader {
  readonly chain: string
  /** where the log ends now, as the server knows it */
  readonly end: Effect.Effect<LogPosition, ReadError>
  /** segments after a position, in order, each checked; see `read-log.ts` */
  readonly read: (from: LogPosition, options: ReadLogOptions) => Stream.Stream<Segment, ReadError>
  /** segments after a position, in order, each checked, with their events still encoded */
  readonly readRaw: (
    from: LogPosition,
    options: ReadLogOptions
  ) => Stream.Stream<RawSegment, ReadError>
  /** the segment that holds the event of a seq; none past the end */
  readonly segmentAt: (seq: number) => Effect.Effect<Option.Option<Segment>, ReadError>
}

export interface TapeLog extends LogReader {
  /** where the acknowledged segments end; at first where the log ended when it was opened */
  readonly position: () => LogPosition
  /** why what was sent is not stored yet, though it is tried again and again; null where it is */
  readonly delay: () => string | null
  /**
   * Appends a batch and waits until it is on disk. A leading `Rollback` gets its `toSeq`. A batch
   * that was sent stays in the queue when the caller is interrupted: the next call completes it.
   */
  readonly append: (batch: EventBatch) => Effect.Effect<LogPosition, AppendError>
  /** Appends batches with several in flight; gives the position after each, once it is on disk. */
  readonly appendAll: <E, R>(
    batches: Stream.Stream<EventBatch, E, R>
  ) => Stream.Stream<LogPosition, E | AppendError, R>
  /** Puts late blocks in their place; see `replace-blocks.ts`. */
  readonly replace: (late: LateBlocks) => Effect.Effect<Replaced, AppendError>
  /** the effective blocks whose seals have a wanted grade, newest first, as the log stands now */
  readonly blocksBackwards: (
    wants: (grade: string) => boolean
  ) => Stream.Stream<WholeBlock, ReadError>
  /** the last effective sealed blocks, oldest first, with everything sent so far */
  readonly tailBlocks: (count: number) => Effect.Effect<LogTail["blocks"], AppendError>
  /** the last `count` of those at or before a number, from however far back in the stream */
  readonly blocksUpTo: (
    atMost: number,
    count: number
  ) => Effect.Effect<LogTail["blocks"], AppendError>
}

export interface TapeLogOptions {
  /** how many sealed blocks are kept in memory at least: not less than the finality depth */
  readonly keepBlocks?: number
  /** segments in flight at most */
  readonly inFlight?: number
  /** largest segment of several blocks, in bytes */
  readonly segmentBytes?: number
  /** the log in which late blocks of the chain wait, instead of the chain's own */
  readonly stage?: StageOf
}

/** What a message holds besides the events: its headers, with room to spare. */
export const HEADER_ROOM = 8 * 1024

const reader = (stream: LogStream): LogReader => ({
  chain: stream.chain,
  end: Effect.map(logEnd(stream), ({ position }) => position),
  read: (from, options) => readSegments(stream, from, options),
  readRaw: (from, options) => readRaw(stream, from, options),
  segmentAt: seq => segmentAt(stream, seq)
})

/** A log of a chain, by its key, for reading only; its breaks are told as its own. */
export const openLogReader = (
  chain: string,
  part: LogPart = "log"
): Effect.Effect<LogReader, never, JetStream> =>
  Effect.map(logStream(chain, part), stream => {
    const { end, read, readRaw, segmentAt: find } = reader(stream)
    const named = <E extends ReadError>(error: E): E => ({
      ...error,
      message: error.message.replace(
        `the log of ${chain}`,
        `the ${logParts[part].word} of ${chain}`
      )
    })
    return {
      chain,
      end: Effect.mapError(end, named),
      read: (from, options) => Stream.mapError(read(from, options), named),
      readRaw: (from, options) => Stream.mapError(readRaw(from, options), named),
      segmentAt: seq => Effect.mapError(find(seq), named)
    }
  })

/** Creates the log of a chain where there is none, with the copies `NATS_REPLICAS` asks for. */
export const ensureTapeLog = Effect.fnUntraced(function* (chain: string, stage?: StageOf) {
  const stream = yield* stage === undefined ? logStream(chain) : stageStream(chain, stage)
  yield* ensureStream(stream)
  return stream
})

const openWriter = Effect.fnUntraced(function* (chain: string, options: TapeLogOptions) {
  const stream = yield* ensureTapeLog(chain, options.stage)
  const { jetStream } = stream
  const { position, header } = yield* logEnd(stream)
  const keepBlocks = options.keepBlocks ?? 1024
  const writer: LogWriter = {
    stream,
    name: randomBytes(6).toString("hex"),
    limits: {
      several: options.segmentBytes ?? 1024 * 1024,
      message: jetStream.maxPayload() - HEADER_ROOM
    },
    keepBlocks,
    lock: yield* Semaphore.make(1),
    acknowledged: position,
    tip: position,
    tipHeader: header,
    blocks: yield* loadBlocks(stream, position, keepBlocks),
    sent: [],
    delay: null,
    failure: null
  }
  yield* finishSplice(writer)
  return writer
})

/**
 * Puts the rest in place of late blocks whose writer was killed over it, as whoever opens the log
 * for appending does; answers whether there was any.
 */
export const completeSplice = Effect.fnUntraced(function* (chain: string) {
  const { header } = yield* logEnd(yield* logStream(chain))
  if (header === null || header.splicing === null) return false
  yield* openWriter(chain, {})
  return true
})

/** Waits for the last of what one batch became. */
const settled = (writer: LogWriter, sent: ReadonlyArray<Sent>) => {
  const last = sent.at(-1)
  if (last === undefined) return Effect.sync(() => writer.acknowledged)
  const { lastSeq, streamSeq, hash } = last.segment.header
  return Effect.as(settle(writer, last), { seq: lastSeq, streamSeq, hash })
}

const asTold = (blocks: ReadonlyArray<BlockRun>): LogTail["blocks"] =>
  blocks.map(({ number, hash, time }) => ({ number, hash, time }))

const tailBlocks = Effect.fnUntraced(function* (writer: LogWriter, count: number) {
  const known = writer.blocks.sealedTail(count)
  const blocks =
    known ?? (yield* loadBlocks(writer.stream, writer.acknowledged, count)).sealedTail(count) ?? []
  return asTold(blocks)
})

const blocksUpTo = Effect.fnUntraced(function* (writer: LogWriter, atMost: number, count: number) {
  const loaded = yield* loadBlocks(writer.stream, writer.acknowledged, count, atMost)
  const blocks = loaded.sealedTail(count) ?? []
  return blocks.map(({ number, hash, time, lastSeq }) => ({ number, hash, time, seq: lastSeq }))
})

/**
 * Opens the log of a chain for appending, and creates it where there is none. Its last segment is
 * checked, and the last effective blocks are read back, which checks those segments as well.
 */
export const openTapeLog = (
  chain: string,
  options: TapeLogOptions = {}
): Effect.Effect<TapeLog, AppendError, JetStream> =>
  Effect.map(openWriter(chain, options), writer => {
    const locked = <A, E>(effect: Effect.Effect<A, E>) => writer.lock.withPermit(effect)
    const flush = locked(Effect.suspend(() => settleAll(writer)))
    return {
      ...reader(writer.stream),
      position: () => writer.acknowledged,
      delay: () => writer.delay,
      replace: late => replaceBlocks(writer, late),
      blocksBackwards: wants =>
        Stream.suspend(() =>
          blocksBackwards(readBackwards(writer.stream, writer.acknowledged), wants)
        ),
      append: batch => Effect.flatMap(enqueue(writer, batch), sent => settled(writer, sent)),
      appendAll: batches =>
        batches.pipe(
          Stream.mapEffect(batch => enqueue(writer, batch)),
          Stream.mapEffect(sent => settled(writer, sent), { concurrency: options.inFlight ?? 8 })
        ),
      tailBlocks: count => Effect.andThen(flush, tailBlocks(writer, count)),
      blocksUpTo: (atMost, count) => Effect.andThen(flush, blocksUpTo(writer, atMost, count))
    }
  })
