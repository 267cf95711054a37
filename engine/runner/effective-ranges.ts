/** Which events of a stretch of the log still stand, after the rollbacks within it. */
import { Effect, Stream } from "effect"
import { KIND } from "../../streams/batch/batch.ts"
import type { Segment } from "../log/segment.ts"

/** Events `from` to `to`, both included. */
export interface SeqRange {
  readonly from: number
  readonly to: number
}

const cut = (ranges: ReadonlyArray<SeqRange>, toSeq: number): ReadonlyArray<SeqRange> =>
  ranges
    .filter(range => range.from <= toSeq)
    .map(range => ({
      from: range.from,
      to: Math.min(range.to, toSeq)
    }))

/** Takes one segment in: a rollback cuts what stands, its own event is never folded. */
export const addSegment = (
  ranges: ReadonlyArray<SeqRange>,
  segment: Segment
): ReadonlyArray<SeqRange> => {
  const { firstSeq, lastSeq } = segment.header
  const { batch } = segment
  const undone = batch.count > 0 && batch.kind.values[0] === KIND.Rollback
  const before = undone ? cut(ranges, batch.columns.Rollback.toSeq.get(0)) : ranges
  const from = undone ? firstSeq + 1 : firstSeq
  const last = before[before.length - 1]
  if (from > lastSeq) return before
  return last !== undefined && last.to === from - 1
    ? [...before.slice(0, -1), { from: last.from, to: lastSeq }]
    : [...before, { from, to: lastSeq }]
}

/** The effective events after `afterSeq` up to `toSeq` of the segments given. */
export const effectiveRanges = <E>(
  segments: Stream.Stream<Segment, E>,
  afterSeq: number,
  toSeq: number
): Effect.Effect<ReadonlyArray<SeqRange>, E> =>
  segments.pipe(
    Stream.runFold(
      () => [] as ReadonlyArray<SeqRange>,
      (ranges, segment) =>
        segment.header.lastSeq <= afterSeq ? ranges : addSegment(ranges, segment)
    ),
    Effect.map(ranges => cut(ranges, toSeq))
  )
