/** Blocks that the log says it lacks, and does not say that it has since got. */

export interface Blocks {
  readonly fromBlock: number
  readonly toBlock: number
}

/** A range without the blocks of another. */
const minus = (range: Blocks, { fromBlock, toBlock }: Blocks): ReadonlyArray<Blocks> =>
  toBlock < range.fromBlock || fromBlock > range.toBlock
    ? [range]
    : [
        { fromBlock: range.fromBlock, toBlock: fromBlock - 1 },
        { fromBlock: toBlock + 1, toBlock: range.toBlock }
      ].filter(part => part.fromBlock <= part.toBlock)

/** What stays open of gaps that were found; two of them may overlap. */
export const openGaps = (
  found: ReadonlyArray<Blocks>,
  filled: ReadonlyArray<Blocks>
): ReadonlyArray<Blocks> =>
  found.flatMap(gap =>
    filled.reduce<ReadonlyArray<Blocks>>(
      (left, one) => left.flatMap(range => minus(range, one)),
      [gap]
    )
  )
