/** Adds facts, such as those of gaps, to a batch: they stand before the seal of the last block. */
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { BlockRef, Event } from "../../streams/event.ts"
import { batchOf, eventsOf } from "../../streams/event-objects.ts"
import type { BlockRange, Gap } from "../../streams/source.ts"

/** Returns the number of a batch's last block. */
export const lastBlockOf = (batch: EventBatch): number =>
  batch.blocks.number.get(batch.block.get(batch.count - 1))

/** Returns the batch with facts added to its last block. */
export const withFacts = (
  batch: EventBatch,
  make: (block: BlockRef) => ReadonlyArray<Event>
): EventBatch => {
  const events = eventsOf(batch)
  const last = events[events.length - 1] as Event
  const facts = make(last.block)
  return batchOf(
    last.kind === "BlockSealed" ? [...events.slice(0, -1), ...facts, last] : [...events, ...facts]
  )
}

/** Returns the batch with a `GapFound` in its last block. */
export const withGapFound = (batch: EventBatch, gap: Gap): EventBatch =>
  withFacts(batch, block => [
    {
      kind: "GapFound",
      block,
      tx: null,
      logIndex: 0,
      fromBlock: gap.fromBlock,
      toBlock: gap.toBlock,
      reason: gap.reason
    }
  ])

/** Returns the batch with a `GapFilled` in its last block. */
export const withGapFilled = (batch: EventBatch, range: BlockRange): EventBatch =>
  withFacts(batch, block => [
    {
      kind: "GapFilled",
      block,
      tx: null,
      logIndex: 0,
      fromBlock: range.fromBlock,
      toBlock: range.toBlock
    }
  ])
