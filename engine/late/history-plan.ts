/**
 * Plans the parts in which history is put into the log. All events after a part must be written
 * again, so the size of a part grows with them: however long the history, each event is written
 * about three times at most.
 */
import type { BlockRange, Gap } from "../../streams/source.ts"

/** Blocks of the smallest part. */
export const MIN_PART = 5_000

/** The blocks of a part that are staged: the first, and the newest. */
export interface Begun {
  readonly first: number
  readonly last: number
}

/** How history is cut into parts. */
export interface Cut {
  readonly order: "oldest" | "newest"
  /** newest block of the log */
  readonly head: number
  /** blocks of a part: at least `minPart` where as many are left, and at most `most` */
  readonly minPart: number
  readonly most: number
}

/**
 * Returns the next part of open history; null where none is open.
 *
 * @param begun the staged blocks, null for none; the part continues them where they fit
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

/** Whether the staged blocks belong to the part. */
export const continues = (part: BlockRange, begun: Begun | null): boolean =>
  begun !== null && begun.first === part.fromBlock && begun.last <= part.toBlock
