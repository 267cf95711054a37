/**
 * Splits a batch that is too large for one message. It is cut between blocks as long as that
 * helps; a single block may fill a whole message. Only a block that does not fit even then is cut
 * between its logs: its parts but the last say `continues`, so a log that ends within a block is
 * known as such, and the next writer cancels the torn block with a `Rollback` before it goes on.
 * What one log of the chain tells stays together, for an event may be about the one before it.
 */
import type { EventBatch } from "../../streams/batch/batch.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { encodeSegment } from "../../streams/codec/segment-codec.ts"
import { batchOf, eventAt } from "../../streams/event-objects.ts"

export interface Piece {
  readonly batch: EventBatch
  readonly payload: Uint8Array
  /** its last block goes on in the next piece */
  readonly continues: boolean
}

export interface SizeLimits {
  /** of a segment with several blocks, in bytes */
  readonly several: number
  /** of any segment: what fits into a message, in bytes */
  readonly message: number
}

const slice = (batch: EventBatch, from: number, to: number): EventBatch =>
  batchOf(Array.from({ length: to - from }, (_, i) => eventAt(batch, from + i)))

/** The place nearest to the middle where a block begins; 0 where the batch has one block only. */
const middleBoundary = (batch: EventBatch): number => {
  const middle = batch.count / 2
  let best = 0
  for (let i = 1; i < batch.count; i++) {
    const before = batch.blocks.number.get(batch.block.get(i - 1))
    if (before === batch.blocks.number.get(batch.block.get(i))) continue
    if (Math.abs(i - middle) < Math.abs(best - middle)) best = i
  }
  return best
}

/** Whether an event is of the same log of the chain as the one before it. */
const goesOn = ({ block, tx, logIndex }: EventBatch, i: number): boolean =>
  tx.get(i) !== NONE &&
  tx.get(i) === tx.get(i - 1) &&
  block.get(i) === block.get(i - 1) &&
  logIndex.get(i) === logIndex.get(i - 1)

/** The place at or behind the middle, else before it, where a log begins; the middle of one log. */
const middleOfLogs = (batch: EventBatch): number => {
  const middle = batch.count >> 1
  for (let i = middle; i < batch.count; i++) if (!goesOn(batch, i)) return i
  for (let i = middle - 1; i > 0; i--) if (!goesOn(batch, i)) return i
  return middle
}

/**
 * The batch in pieces that fit, in order; undefined where a single event does not fit into a
 * message. The common batch is one piece, and encoded once.
 */
export const splitBatch = (
  batch: EventBatch,
  limits: SizeLimits,
  continues = false
): ReadonlyArray<Piece> | undefined => {
  const payload = encodeSegment(batch)
  if (payload.length <= Math.min(limits.several, limits.message)) {
    return [{ batch, payload, continues }]
  }
  const boundary = middleBoundary(batch)
  if (boundary === 0 && payload.length <= limits.message) return [{ batch, payload, continues }]
  if (batch.count === 1) return undefined
  const cut = boundary === 0 ? middleOfLogs(batch) : boundary
  const head = splitBatch(slice(batch, 0, cut), limits, boundary === 0)
  const tail = splitBatch(slice(batch, cut, batch.count), limits, continues)
  return head === undefined || tail === undefined ? undefined : [...head, ...tail]
}
