/**
 * Which events of a log count. A `Rollback` cancels everything after its `toSeq`; it is itself no
 * event of the chain. Replaying the effective events alone gives what replaying all of them gives.
 */

/** What must be known of a segment. */
export interface RollbackFacts {
  readonly firstSeq: number
  readonly lastSeq: number
  /** `toSeq` of its first event, where that is a `Rollback` */
  readonly rollbackTo: number | null
}

/** A run of seqs, both ends included. */
export interface SeqRange {
  readonly from: number
  readonly to: number
}

const cutAfter = (ranges: Array<SeqRange>, seq: number): void => {
  let last = ranges.at(-1)
  while (last !== undefined && last.to > seq) {
    ranges.pop()
    if (last.from <= seq) ranges.push({ from: last.from, to: seq })
    last = ranges.at(-1)
  }
}

const add = (ranges: Array<SeqRange>, from: number, to: number): void => {
  if (from > to) return
  const last = ranges.at(-1)
  if (last !== undefined && last.to === from - 1) {
    ranges.pop()
    ranges.push({ from: last.from, to })
  } else ranges.push({ from, to })
}

/**
 * The effective seqs of segments given in log order from its beginning, as ranges in ascending
 * order that do not touch.
 */
export const effectiveRanges = (segments: Iterable<RollbackFacts>): ReadonlyArray<SeqRange> => {
  const ranges: Array<SeqRange> = []
  for (const { firstSeq, lastSeq, rollbackTo } of segments) {
    if (rollbackTo !== null) cutAfter(ranges, rollbackTo)
    add(ranges, rollbackTo === null ? firstSeq : firstSeq + 1, lastSeq)
  }
  return ranges
}

/** Whether a seq lies in one of the ranges. */
export const isEffective = (ranges: ReadonlyArray<SeqRange>, seq: number): boolean => {
  let low = 0
  let high = ranges.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const { from, to } = ranges[middle] as SeqRange
    if (seq < from) high = middle - 1
    else if (seq > to) low = middle + 1
    else return true
  }
  return false
}
