/** What the log says of where it begins, and of blocks that it lacks and has not since got. */
import { openGaps } from "../../streams/open-gaps.ts"
import type { BlockRange, Gap } from "../../streams/source.ts"

/** What the log says of the time that it covers. */
export interface SaidMarks {
  /** second before which everything is older than the log; 0 where it begins with the chain */
  readonly start: number
  /** the first block; 0 where there is none */
  readonly first: number
  /** blocks that it lacks; the same list until something else is said */
  readonly open: ReadonlyArray<Gap>
}

/** Blocks of chains are numbered from 0, or from 1 where the first is no block. */
const FIRST_OF_CHAIN = 1

/** Returns the second before which all is older than a log with these columns of `log_start`. */
export const startOf = (block: ArrayLike<number>, ts: ArrayLike<number>): number =>
  (block[0] ?? 0) <= FIRST_OF_CHAIN ? 0 : (ts[0] as number)

/** Returns the missing blocks after a log's first: all time before it is unknown anyhow. */
export const missingSince = <R extends BlockRange>(
  first: number,
  open: ReadonlyArray<R>
): ReadonlyArray<R> => open.filter(({ toBlock }) => toBlock > first)

/** The columns of `gaps` that tell which blocks are missing. */
export type GapColumn = "open" | "from_block" | "to_block"

/** Returns the blocks that the first `count` rows of `gaps` leave missing, without the reasons. */
export const openIn = (
  count: number,
  column: (name: GapColumn) => ArrayLike<number>
): ReadonlyArray<Gap> => {
  const [open, from, to] = [column("open"), column("from_block"), column("to_block")]
  return openGaps(
    Array.from({ length: count }, (_, slot) => ({
      open: open[slot] === 1,
      fromBlock: from[slot] as number,
      toBlock: to[slot] as number,
      reason: null,
      at: 0
    }))
  )
}
