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
import type { Event } from "../../streams/event.ts"
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

/** The first of its logs that lies before the log's end and is not in it; null where none does. */
const late = (batch: EventBatch, known: KnownLogs): string | null => {
  if (batch.blocks.number.get(0) > known.lastBlock) return null
  for (let event = 0; event < batch.count; event++) {
    const block = batch.blocks.number.get(batch.block.get(event))
    if (block > known.lastBlock || batch.tx.get(event) === NONE) continue
    if (!known.logs.has(identity(batch, event))) return identity(batch, event)
  }
  return null
}

/** What a source tells of pools and tokens besides the logs: it does so once. */
const isFact = ({ kind, tx }: Event): boolean => tx === null && kind !== "BlockSealed"

/**
 * The parts of batches that lie after the log's end. What is news in the blocks before it, as a
 * token that was not pinned when these were replayed, is told in the first block after it.
 */
export const newParts = <E>(batches: Stream.Stream<EventBatch, E>, known: KnownLogs) => {
  let news: ReadonlyArray<Event> = []
  const newPart = (batch: EventBatch): EventBatch | null => {
    if (news.length === 0 && batch.blocks.number.get(0) > known.lastBlock) return batch
    const events = eventsOf(batch)
    const isNew = ({ block }: Event): boolean => block.number > known.lastBlock
    const rest = events.filter(isNew)
    news = [...news, ...events.filter(event => !isNew(event) && isFact(event))]
    const [first] = rest
    if (first === undefined) return null
    const told = news.map((event): Event => ({ ...event, block: first.block }))
    news = []
    return batchOf([...told, ...rest])
  }
  return batches.pipe(
    Stream.mapEffect(batch => {
      const unknown = late(batch, known)
      if (unknown === null) return Effect.succeed(newPart(batch))
      const message =
        `log ${unknown} (block:index) lies before the end of the log (block ${known.lastBlock}) ` +
        "and is not in it: the log is in order, so replay these files together into a new --data folder"
      return Effect.fail(new SourceError({ fatal: true, message }))
    }),
    Stream.filter(batch => batch !== null)
  )
}
