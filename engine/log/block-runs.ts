/** The blocks of a batch as runs of events, in log order. */
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { NONE } from "../../streams/batch/id-table.ts"

/** The events of one block that stand together. */
export interface BlockRun {
  readonly number: number
  readonly hash: string | null
  /** Unix seconds */
  readonly time: number
  /** seq of the last of them */
  readonly lastSeq: number
  /** a `BlockSealed` is among them: the block is complete */
  readonly sealed: boolean
  /** whether any of them is a fact of the block itself: logged by a transaction, or its seal */
  readonly facts: boolean
}

/** Whether the first event of a batch is a `Rollback`; no other may be. */
export const beginsWithRollback = (batch: EventBatch): boolean =>
  batch.count > 0 && batch.kind.get(0) === KIND.Rollback

/**
 * The runs of a batch whose first event has the seq `firstSeq`. A leading `Rollback` belongs to no
 * block. Events after `upToSeq` are left out.
 */
export const blockRuns = (
  batch: EventBatch,
  firstSeq: number,
  upToSeq = Number.POSITIVE_INFINITY
): ReadonlyArray<BlockRun> => {
  const runs: Array<BlockRun> = []
  const { kind, block, tx, blocks } = batch
  const start = beginsWithRollback(batch) ? 1 : 0
  const end = Math.min(batch.count, upToSeq - firstSeq + 1)
  for (let i = start; i < end; ) {
    const place = block.get(i)
    const number = blocks.number.get(place)
    let sealed = false
    let facts = false
    for (; i < end && blocks.number.get(block.get(i)) === number; i++) {
      const isSeal = kind.get(i) === KIND.BlockSealed
      sealed ||= isSeal
      facts ||= isSeal || tx.get(i) !== NONE
    }
    const hash = batch.ids.text(blocks.hash.get(place))
    const time = blocks.time.get(place)
    runs.push({ number, hash, time, lastSeq: firstSeq + i - 1, sealed, facts })
  }
  return runs
}
