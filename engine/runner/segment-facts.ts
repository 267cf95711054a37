/** What a lane's core needs to know of a segment before it folds it, and of the commits before. */
import { Effect } from "effect"
import { beginsWithRollback } from "../log/block-runs.ts"
import type { RollbackFacts, SeqRange } from "../log/effective.ts"
import type { Segment } from "../log/segment.ts"
import { type Commit, lastCommit, NO_COMMIT, readMeta, type Store } from "../store/store.ts"

/** The commit of tables that hold everything up to a segment's end. */
export const commitAfter = (segment: Segment): Commit => ({
  seq: segment.header.lastSeq,
  streamSeq: segment.header.streamSeq,
  hash: segment.header.hash,
  block: segment.header.lastBlock,
  blockTime: segment.header.lastBlockTime
})

/** All of its events. */
export const whole = (segment: Segment): SeqRange => ({
  from: segment.header.firstSeq,
  to: segment.header.lastSeq
})

/** Segments come one after the other; anything else is a defect of whoever reads the log. */
export const mustFollow = (at: number, { header: { firstSeq } }: Segment): void => {
  if (firstSeq === at + 1) return
  throw new Error(`segment at ${firstSeq} does not follow event ${at}`)
}

/** The newest commit at or before `seq` whose versions compaction has not merged with later. */
export const boundaryBefore = (store: Store, seq: number) =>
  Effect.gen(function* () {
    const commit = yield* lastCommit(store.writer, seq)
    const compacted = Number((yield* readMeta(store.writer, "compacted_seq")) ?? 0)
    return commit.seq < compacted ? NO_COMMIT : commit
  })

/** What it cancels. */
export const rollbackFacts = ({ header, batch }: Segment): RollbackFacts => ({
  firstSeq: header.firstSeq,
  lastSeq: header.lastSeq,
  rollbackTo: beginsWithRollback(batch) ? batch.columns.Rollback.toSeq.get(0) : null
})
