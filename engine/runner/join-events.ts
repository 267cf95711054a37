/** What a segment joins to the log from its side log. */

import { Effect } from "effect"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import type { SeqRange } from "../log/effective.ts"
import type { ReadError } from "../log/log-errors.ts"
import type { ReadJoined } from "../log/read-joined.ts"
import type { Segment } from "../log/segment.ts"
import type { SideRange } from "../log/side-log.ts"

/** For logs that join nothing. */
export const noSideLog: ReadJoined = () => Effect.die("this log joins events and has no side log")

/** The places in a segment's batch of a range of seqs, the second exclusive. */
export const placesOf = (
  { header, batch }: Segment,
  range: SeqRange
): readonly [number, number] => [
  Math.max(0, range.from - header.firstSeq),
  Math.min(batch.count, range.to - header.firstSeq + 1)
]

/** What the events at places `from` to `to` (exclusive) of a batch join. */
export const joinedIn = (
  { columns, ids, kind, row }: EventBatch,
  from: number,
  to: number
): ReadonlyArray<SideRange> => {
  const { firstSeq, lastSeq, hash } = columns.EventsJoined
  if (hash.count === 0) return []
  const ranges: Array<SideRange> = []
  for (let i = from; i < to; i++) {
    if (kind.get(i) !== KIND.EventsJoined) continue
    const at = row.get(i)
    ranges.push({
      firstSeq: firstSeq.get(at),
      lastSeq: lastSeq.get(at),
      hash: Buffer.from(ids.bytes(hash.get(at))).toString("hex")
    })
  }
  return ranges
}

/** The batches that they join, in order. */
export const readJoinedIn = (
  read: ReadJoined,
  batch: EventBatch,
  from: number,
  to: number
): Effect.Effect<ReadonlyArray<EventBatch>, ReadError> => {
  const ranges = joinedIn(batch, from, to)
  if (ranges.length === 0) return Effect.succeed([])
  return Effect.map(Effect.forEach(ranges, read), parts => parts.flat())
}
