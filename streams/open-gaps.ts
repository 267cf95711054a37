/**
 * Ranges of blocks that a log may lack. A `GapFound` opens a gap and a `GapFilled` closes it, in
 * whatever order the two stand: blocks that came late stand before the event that missed them.
 */
import type { BlockRange, Gap } from "./source.ts"

/** A `GapFound` or `GapFilled` of the effective log. */
export interface GapMark extends BlockRange {
  readonly open: boolean
  /** null for a `GapFilled` */
  readonly reason: string | null
  /** the block of the event */
  readonly at: number
}

/** Returns ranges of blocks without the blocks of `taken`. */
export const without = <R extends BlockRange>(
  ranges: ReadonlyArray<R>,
  taken: ReadonlyArray<BlockRange>
): ReadonlyArray<R> =>
  taken.reduce<ReadonlyArray<R>>(
    (left, { fromBlock, toBlock }) =>
      left.flatMap(range => {
        if (toBlock < range.fromBlock || fromBlock > range.toBlock) return [range]
        const parts: Array<R> = []
        if (fromBlock > range.fromBlock) parts.push({ ...range, toBlock: fromBlock - 1 })
        if (toBlock < range.toBlock) parts.push({ ...range, fromBlock: toBlock + 1 })
        return parts
      }),
    ranges
  )

/** Returns the gaps that marks leave open, by their first block. */
export const openGaps = (marks: ReadonlyArray<GapMark>): ReadonlyArray<Gap> => {
  const gaps: ReadonlyArray<Gap> = marks.flatMap(({ open, fromBlock, toBlock, reason }) =>
    open ? [{ fromBlock, toBlock, reason: reason ?? "" }] : []
  )
  const left: Array<Gap> = []
  const filled = marks.filter(({ open }) => !open)
  // blocks that several marks declare missing are part of one gap only
  for (const gap of gaps) left.push(...without(without([gap], filled), left))
  return left.sort((a, b) => a.fromBlock - b.fromBlock)
}
