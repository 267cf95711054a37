/** Puts a batch into the queue of a log's writer, with what has to come before it. */
import { Effect } from "effect"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { batchOf } from "../../streams/event-objects.ts"
import { beginsWithRollback } from "./block-runs.ts"
import type { EffectiveBlocks } from "./effective-blocks.ts"
import { loadBlocks } from "./load-blocks.ts"
import type { AppendError } from "./log-errors.ts"
import { admit, type LogWriter, refuse, type Sent, sendBatch } from "./log-writer.ts"
import type { SegmentHeader } from "./segment.ts"
import { settleAll } from "./settle-appends.ts"

/** The effective log up to a block: what is left of it after a rollback there. */
export const upToBlock = Effect.fnUntraced(function* (writer: LogWriter, block: number) {
  const { blocks, stream, keepBlocks } = writer
  const seq = blocks.endOf(block)
  if (seq !== undefined) return { seq, blocks: blocks.upTo(seq) }
  // Deeper than what is in memory, so it is read from the stream, which must hold all of it.
  yield* settleAll(writer)
  const older = yield* loadBlocks(stream, writer.acknowledged, keepBlocks, block)
  return { seq: older.endOf(block) ?? 0, blocks: older }
})

/** What is left of a log after a rollback. */
interface Left {
  /** seq of its last event, 0 where there is none */
  readonly seq: number
  readonly blocks: EffectiveBlocks
}

/** Fills in the `toSeq` of a leading `Rollback` that leaves the log as told. */
export const rollBackTo = Effect.fnUntraced(function* (
  writer: LogWriter,
  batch: EventBatch,
  left: Left
) {
  const { toSeq, toBlock, toHash } = batch.columns.Rollback
  const block = toBlock.get(0)
  const [ours, theirs] = [left.blocks.hashOf(block), batch.ids.text(toHash.get(0))]
  if (ours !== null && theirs !== null && ours !== theirs) {
    return yield* refuse(writer, `it rolls back to block ${block} ${theirs}, the log has ${ours}`)
  }
  toSeq.values[0] = left.seq
})

/** Appends a rollback to a block; gives the effective log that it leaves. */
const rollBack = Effect.fnUntraced(function* (writer: LogWriter, batch: EventBatch) {
  const left = yield* upToBlock(writer, batch.columns.Rollback.toBlock.get(0))
  yield* rollBackTo(writer, batch, left)
  return left
})

/** Whether the log ends within a block whose rest was never written, and the batch leaves it so. */
const leavesTorn = (tip: SegmentHeader, batch: EventBatch): boolean => {
  if (!tip.continues) return false
  return !beginsWithRollback(batch) || batch.columns.Rollback.toBlock.get(0) >= tip.lastBlock
}

/** Cancels the torn block at the end of the log. */
const cancelTorn = ({ lastBlock, lastBlockHash, lastParentHash, lastBlockTime }: SegmentHeader) =>
  batchOf([
    {
      kind: "Rollback",
      block: {
        number: lastBlock,
        time: lastBlockTime,
        hash: lastBlockHash,
        parentHash: lastParentHash
      },
      tx: null,
      logIndex: 0,
      toSeq: 0,
      toBlock: lastBlock - 1,
      toHash: null,
      fromBlock: lastBlock,
      reason: "torn-block"
    }
  ])

const enqueueOne = Effect.fnUntraced(function* (writer: LogWriter, batch: EventBatch) {
  const left = beginsWithRollback(batch) ? yield* rollBack(writer, batch) : null
  const blocks: EffectiveBlocks = left?.blocks ?? writer.blocks
  const admitted = yield* admit(writer, batch, blocks, left?.seq ?? null)
  return yield* Effect.uninterruptible(sendBatch(writer, admitted))
})

/**
 * Checks a batch and sends it; gives what was sent, empty for a batch without events. Batches go
 * into the log in the order of these calls.
 */
export const enqueue = (
  writer: LogWriter,
  batch: EventBatch
): Effect.Effect<ReadonlyArray<Sent>, AppendError> =>
  writer.lock.withPermit(
    Effect.gen(function* () {
      if (writer.failure !== null) return yield* Effect.fail(writer.failure)
      if (batch.count === 0) return []
      const { tipHeader } = writer
      if (tipHeader !== null && leavesTorn(tipHeader, batch)) {
        yield* enqueueOne(writer, cancelTorn(tipHeader))
      }
      return yield* enqueueOne(writer, batch)
    })
  )
