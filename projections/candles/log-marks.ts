/** What the log says of where it begins, and of blocks that it lacks and has not since got. */
import { MARK } from "./tables.ts"

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
const openGaps = (
  found: ReadonlyArray<Blocks>,
  filled: ReadonlyArray<Blocks>
): ReadonlyArray<Blocks> =>
  found.flatMap(gap =>
    filled.reduce<ReadonlyArray<Blocks>>(
      (left, one) => left.flatMap(range => minus(range, one)),
      [gap]
    )
  )

/** What the log says of the time that it covers. */
export interface SaidMarks {
  /** second before which everything is older than the log; 0 where it begins with the chain */
  readonly start: number
  /** blocks that it lacks; the same list until something else is said */
  readonly open: ReadonlyArray<Blocks>
}

/** Blocks of chains are numbered from 0, or from 1 where the first is no block. */
const FIRST_OF_CHAIN = 1

/** The columns of `log_marks` that say something. */
export type MarkColumn = "kind" | "from_block" | "to_block" | "ts"

/** What the first `count` marks of a log say together; they come in its order. */
export const saidBy = (
  count: number,
  column: (name: MarkColumn) => ArrayLike<number>
): SaidMarks => {
  const [kind, ts] = [column("kind"), column("ts")]
  const [from, to] = [column("from_block"), column("to_block")]
  const saying = (wanted: number) =>
    Array.from({ length: count }, (_, slot) => slot)
      .filter(slot => kind[slot] === wanted)
      .map(slot => ({ fromBlock: from[slot] as number, toBlock: to[slot] as number, at: ts[slot] }))
  const [first] = saying(MARK.start)
  return {
    start: first === undefined || first.fromBlock <= FIRST_OF_CHAIN ? 0 : (first.at as number),
    open: openGaps(saying(MARK.found), saying(MARK.filled))
  }
}
