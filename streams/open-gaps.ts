/**
 * Ranges of blocks that a log may lack. A `GapFound` opens a gap and a `GapFilled` closes it, in
 * whatever order the two stand: blocks that came late stand before the event that missed them. Of
 * each block one `GapFilled` closes one `GapFound`, so blocks that were filled with what turns out
 * to be wrong are a gap again.
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

/** Returns how many blocks ranges have that share none. */
export const blocksIn = (ranges: ReadonlyArray<BlockRange>): number =>
  ranges.reduce((sum, { fromBlock, toBlock }) => sum + toBlock - fromBlock + 1, 0)

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
  const left: Array<Gap> = []
  let filled: ReadonlyArray<BlockRange> = marks.filter(({ open }) => !open)
  for (const { open, fromBlock, toBlock, reason } of marks) {
    if (!open) continue
    let missing: ReadonlyArray<Gap> = [{ fromBlock, toBlock, reason: reason ?? "" }]
    const unused: Array<BlockRange> = []
    for (const range of filled) {
      const before = missing
      missing = without(missing, [range])
      unused.push(...without([range], without(before, missing)))
    }
    filled = unused
    // blocks that several marks declare missing are part of one gap only
    left.push(...without(missing, left))
  }
  return left.sort((a, b) => a.fromBlock - b.fromBlock)
}

/**
 * Returns the ranges that `GapFilled` events have to name, so that marks leave no block of a range
 * open: a block that was found missing twice stands in two of them.
 */
export const fillsOf = (
  marks: ReadonlyArray<GapMark>,
  range: BlockRange
): ReadonlyArray<BlockRange> => {
  const fills: Array<GapMark> = []
  for (;;) {
    const open = openGaps([...marks, ...fills])
    const inside = without([range], without([range], open))
    if (inside.length === 0) return fills.map(({ fromBlock, toBlock }) => ({ fromBlock, toBlock }))
    fills.push(...inside.map(gap => ({ ...gap, open: false, reason: null, at: range.toBlock })))
  }
}
