/**
 * The state of a log's one writer, and how a batch becomes segments that are sent one behind the
 * other, without waiting for acknowledgements. What becomes of them is the matter of
 * `settle-appends.ts`.
 */
import { Effect, type Semaphore } from "effect"
import type { PublishAck } from "../../src/platform/jetstream.ts"
import type { NatsError } from "../../src/platform/nats.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { type BlockRun, beginsWithRollback, blockRuns } from "./block-runs.ts"
import type { EffectiveBlocks } from "./effective-blocks.ts"
import { type AppendError, BatchRefused } from "./log-errors.ts"
import type { LogStream } from "./log-stream.ts"
import { endOf, type LogPosition, type SegmentHeader } from "./segment.ts"
import {
  factsHeader,
  hashHeader,
  type SealedSegment,
  seal,
  writerHeader
} from "./segment-message.ts"
import { type Piece, type SizeLimits, splitBatch } from "./split-batch.ts"

/** A segment that has been sent. */
export interface Sent {
  readonly segment: SealedSegment
  /** the answer to its last sending */
  answer: Effect.Effect<PublishAck, NatsError>
  acknowledged: boolean
}

/** Whoever changes it holds its lock. */
export interface LogWriter {
  readonly stream: LogStream
  /** tells its messages from those of any other writer */
  readonly name: string
  readonly limits: SizeLimits
  /** how many sealed blocks are kept in memory at least */
  readonly keepBlocks: number
  readonly lock: Semaphore.Semaphore
  /** where the acknowledged segments end, and where those sent do */
  acknowledged: LogPosition
  tip: LogPosition
  /** header of the segment at the tip; null where the log is empty */
  tipHeader: SegmentHeader | null
  blocks: EffectiveBlocks
  /** sent and not yet acknowledged, in order */
  sent: ReadonlyArray<Sent>
  /** why what was sent last is not stored yet, in the server's words; null where it is */
  delay: string | null
  /** why it cannot go on; the log has to be opened anew */
  failure: AppendError | null
}

/** With the name: a second writer of the same events must not pass for the first. */
const messageId = ({ name }: LogWriter, { header }: SealedSegment): string =>
  `${header.hash.slice(0, 32)}.${name}`

/**
 * Sends a segment at once, whether for the first time or again. One sent before its predecessor is
 * acknowledged names that as well: a number alone would let it follow a foreign message that took
 * the predecessor's place.
 */
export const publish = (
  writer: LogWriter,
  segment: SealedSegment,
  predecessor: SealedSegment | undefined
): Effect.Effect<Effect.Effect<PublishAck, NatsError>> => {
  const { stream, name } = writer
  const { header, facts, payload } = segment
  return stream.jetStream.publish({
    subject: stream.subject,
    headers: { [factsHeader]: facts, [hashHeader]: header.hash, [writerHeader]: name },
    data: payload,
    messageId: messageId(writer, segment),
    expectedLastSeq: header.streamSeq - 1,
    expectedLastId: predecessor === undefined ? null : messageId(writer, predecessor)
  })
}

/** A batch that may be appended, and what the log is to be before it. */
export interface Appendable {
  readonly pieces: ReadonlyArray<Piece>
  readonly runs: ReadonlyArray<BlockRun>
  /** the effective blocks before it, already without those its `Rollback` cancels */
  readonly blocks: EffectiveBlocks
  readonly rollbackTo: number | null
}

/** A batch that may not be appended, and why. */
export const refuse = ({ stream: { chain } }: LogWriter, reason: string) =>
  new BatchRefused({
    chain,
    message: `a batch for the log of ${chain} was refused: ${reason}. Its source is at fault`
  })

/** Checks that a batch continues the log and fits into messages. `blocks` is what it continues. */
export const admit = Effect.fnUntraced(function* (
  writer: LogWriter,
  batch: EventBatch,
  blocks: EffectiveBlocks,
  rollbackTo: number | null
) {
  const rollbacks = batch.columns.Rollback.toSeq.count
  if (rollbacks > (beginsWithRollback(batch) ? 1 : 0)) {
    return yield* refuse(writer, "a Rollback stands after other events, it must be the first")
  }
  const runs = blockRuns(batch, writer.tip.seq + 1)
  const reason = blocks.refusal(runs)
  if (reason !== null) return yield* refuse(writer, reason)
  const pieces = splitBatch(batch, writer.limits)
  if (pieces === undefined) {
    const limit = writer.limits.message
    return yield* refuse(writer, `one event alone is larger than a message, ${limit} bytes`)
  }
  return { pieces, runs, blocks, rollbackTo } satisfies Appendable
})

/** How a piece is marked. */
export interface PieceMarks {
  readonly rollbackTo: number | null
  readonly splicing: number | null
}

const newHeader = (writer: LogWriter, { batch, continues }: Piece, marks: PieceMarks) => {
  const { rollbackTo, splicing } = marks
  const { blocks, ids } = batch
  // A Rollback is an event of no block, so it counts only where it is alone.
  const first = batch.block.get(rollbackTo !== null && batch.count > 1 ? 1 : 0)
  const last = batch.block.get(batch.count - 1)
  const { tip, stream } = writer
  return {
    chain: stream.chain,
    firstSeq: tip.seq + 1,
    lastSeq: tip.seq + batch.count,
    firstBlock: blocks.number.get(first),
    firstBlockHash: ids.text(blocks.hash.get(first)),
    firstParentHash: ids.text(blocks.parentHash.get(first)),
    lastBlock: blocks.number.get(last),
    lastBlockHash: ids.text(blocks.hash.get(last)),
    lastParentHash: ids.text(blocks.parentHash.get(last)),
    lastBlockTime: blocks.time.get(last),
    rollbackTo,
    continues,
    splicing,
    previousHash: tip.hash,
    streamSeq: tip.streamSeq + 1
  }
}

/** Sends one piece of what was admitted. Not to be interrupted. */
export const sendPiece = Effect.fnUntraced(function* (
  writer: LogWriter,
  piece: Piece,
  marks: PieceMarks
) {
  const segment = seal(newHeader(writer, piece, marks), piece.payload)
  writer.tip = endOf(segment.header)
  writer.tipHeader = segment.header
  const answer = yield* publish(writer, segment, writer.sent.at(-1)?.segment)
  const sent: Sent = { segment, answer, acknowledged: false }
  writer.sent = [...writer.sent, sent]
  return sent
})

/** Sends an admitted batch; the last segment of it stands for all. Not to be interrupted. */
export const sendBatch = Effect.fnUntraced(function* (writer: LogWriter, admitted: Appendable) {
  const { blocks, pieces, runs } = admitted
  blocks.extend(runs)
  writer.blocks = blocks
  let { rollbackTo } = admitted
  const sent: Array<Sent> = []
  for (const piece of pieces) {
    sent.push(yield* sendPiece(writer, piece, { rollbackTo, splicing: null }))
    rollbackTo = null
  }
  return sent
})
