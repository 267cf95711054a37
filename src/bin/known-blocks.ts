/**
 * Appends what the log does not hold yet. Files that were replayed before add nothing; blocks
 * before the log's end with logs it does not know are refused, because the log is in order.
 */
import { Effect, Stream } from "effect"
import { beginsWithRollback } from "../../engine/log/block-runs.ts"
import { effectiveRanges } from "../../engine/log/effective.ts"
import { LOG_START, type Segment } from "../../engine/log/segment.ts"
import type { LogReader } from "../../engine/log/tape-log.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { batchOf, eventsOf } from "../../streams/event-objects.ts"
import { SourceError } from "../../streams/source.ts"

/** What the log holds: its last block, and the logs of its effective events. */
export interface KnownLogs {
  readonly lastBlock: number
  readonly logs: ReadonlySet<string>
}

const identity = (batch: EventBatch, event: number): string =>
  `${batch.blocks.number.get(batch.block.get(event))}:${batch.logIndex.get(event)}`

const facts = ({ header, batch }: Segment) => ({
  firstSeq: header.firstSeq,
  lastSeq: header.lastSeq,
  rollbackTo: beginsWithRollback(batch) ? batch.columns.Rollback.toSeq.get(0) : null
})

/** Reads the whole log; nothing for an empty one. */
export const knownLogs = (log: LogReader) =>
  Effect.gen(function* () {
    const read = log.read(LOG_START, { follow: false })
    const ranges = effectiveRanges(yield* Stream.runCollect(Stream.map(read, facts)))
    const logs = new Set<string>()
    let lastBlock = -1
    yield* Stream.runForEach(read, ({ header, batch }) =>
      Effect.sync(() => {
        for (const range of ranges) {
          const from = Math.max(0, range.from - header.firstSeq)
          const to = Math.min(batch.count, range.to - header.firstSeq + 1)
          for (let event = from; event < to; event++) {
            const block = batch.blocks.number.get(batch.block.get(event))
            lastBlock = Math.max(lastBlock, block)
            if (batch.tx.get(event) !== NONE) logs.add(identity(batch, event))
          }
        }
      })
    )
    return { lastBlock, logs } satisfies KnownLogs
  })

const late = (batch: EventBatch, known: KnownLogs): string | null => {
  for (let event = 0; event < batch.count; event++) {
    const block = batch.blocks.number.get(batch.block.get(event))
    if (block > known.lastBlock || batch.tx.get(event) === NONE) continue
    if (!known.logs.has(identity(batch, event))) return identity(batch, event)
  }
  return null
}

/** The part of a batch that lies after the log's end; null where nothing does. */
export const newPart = (batch: EventBatch, known: KnownLogs) =>
  Effect.gen(function* () {
    const first = batch.blocks.number.get(0)
    if (first > known.lastBlock) return batch
    const unknown = late(batch, known)
    if (unknown !== null) {
      return yield* new SourceError({
        fatal: true,
        message:
          `log ${unknown} (block:index) lies before the end of the log (block ${known.lastBlock}) ` +
          "and is not in it: the log is in order, so replay these files together into a new --data folder"
      })
    }
    const rest = eventsOf(batch).filter(event => event.block.number > known.lastBlock)
    return rest.length === 0 ? null : batchOf(rest)
  })
