/**
 * In what parts history is put into the log. What follows a part has to be written again, so parts
 * grow with that: however long the history, each event is written about three times at most.
 */
import type { BlockRange, Gap } from "../../streams/source.ts"

/** Blocks of the smallest part. */
export const MIN_PART = 5_000

/** The blocks of a part that was begun: its first, and the newest that is there. */
export interface Begun {
  readonly first: number
  readonly last: number
}

export const blocksIn = (ranges: ReadonlyArray<BlockRange>): number =>
  ranges.reduce((sum, { fromBlock, toBlock }) => sum + toBlock - fromBlock + 1, 0)

/** How history is cut into parts. */
export interface Cut {
  readonly order: "oldest" | "newest"
  /** newest block of the log */
  readonly head: number
  /** blocks of the smallest part, where no more are left, and of the largest */
  readonly minPart: number
  readonly most: number
}

/**
 * The next part of open history; null where none is open. `begun` is what is staged: the part goes
 * on with it where it fits, and is null of what does not.
 */
export const nextPart = (
  open: ReadonlyArray<Gap>,
  { order, head, minPart, most }: Cut,
  begun: Begun | null
): BlockRange | null => {
  const gap = order === "newest" ? open[open.length - 1] : open[0]
  if (gap === undefined) return null
  const size = Math.min(most, Math.max(minPart, head - gap.toBlock))
  const fits = begun !== null && begun.first >= gap.fromBlock && begun.last <= gap.toBlock
  if (order === "newest") {
    const from = Math.max(gap.fromBlock, gap.toBlock - size + 1)
    const kept = fits && begun.first >= from
    return { fromBlock: kept ? begun.first : from, toBlock: gap.toBlock }
  }
  const to = Math.min(gap.toBlock, gap.fromBlock + size - 1)
  const kept = fits && begun.first === gap.fromBlock
  return { fromBlock: gap.fromBlock, toBlock: kept ? Math.max(begun.last, to) : to }
}

/** Whether what is staged belongs to the part. */
export const continues = (part: BlockRange, begun: Begun | null): boolean =>
  begun !== null && begun.first === part.fromBlock && begun.last <= part.toBlock
