/**
 * Which blocks the log does not hold for certain. A `GapFound` opens blocks and a `GapFilled`
 * closes them, in whatever order they stand: blocks that came late stand before the event that
 * missed them.
 */

import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import type { BlockRange, Gap } from "../../streams/source.ts"
import { beginsWithRollback } from "../log/block-runs.ts"

/** A `GapFound` or `GapFilled` of the effective log. */
export interface GapMark extends BlockRange {
  readonly open: boolean
  /** null where it is closed */
  readonly reason: string | null
  /** the block it stands in */
  readonly at: number
}

/** What is left of ranges once others are taken out of them. */
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

/** The gaps that marks leave open, by their first block. */
export const openGaps = (marks: ReadonlyArray<GapMark>): ReadonlyArray<Gap> => {
  const found: ReadonlyArray<Gap> = marks.flatMap(({ open, fromBlock, toBlock, reason }) =>
    open ? [{ fromBlock, toBlock, reason: reason ?? "" }] : []
  )
  const left: Array<Gap> = []
  const filled = marks.filter(({ open }) => !open)
  // what several marks miss is one gap
  for (const gap of found) left.push(...without(without([gap], filled), left))
  return left.sort((a, b) => a.fromBlock - b.fromBlock)
}

const isWithin = (a: BlockRange, b: BlockRange): boolean =>
  a.fromBlock >= b.fromBlock && a.toBlock <= b.toBlock

export class GapLedger {
  private marks: Array<GapMark>
  /** newest block of the log, null while there is none */
  head: number | null = null

  constructor(marks: ReadonlyArray<GapMark> = []) {
    this.marks = [...marks]
  }

  /** A ledger of its own with what this one knows. */
  copy(): GapLedger {
    const other = new GapLedger(this.marks)
    other.head = this.head
    return other
  }

  /** Takes a batch that goes to the end of the log. */
  observe(batch: EventBatch): void {
    if (batch.count === 0) return
    if (beginsWithRollback(batch)) {
      const toBlock = batch.columns.Rollback.toBlock.get(0)
      this.marks = this.marks.filter(({ at }) => at <= toBlock)
    }
    this.head = batch.blocks.number.get(batch.block.get(batch.count - 1))
    const { GapFound, GapFilled } = batch.columns
    if (GapFound.fromBlock.count + GapFilled.fromBlock.count === 0) return
    for (let i = 0; i < batch.count; i++) {
      const kind = batch.kind.get(i)
      if (kind !== KIND.GapFound && kind !== KIND.GapFilled) continue
      const open = kind === KIND.GapFound
      const row = batch.row.get(i)
      const columns = open ? GapFound : GapFilled
      this.marks.push({
        open,
        fromBlock: columns.fromBlock.get(row),
        toBlock: columns.toBlock.get(row),
        reason: open ? (batch.syms[GapFound.reason.get(row)] ?? "") : null,
        at: batch.blocks.number.get(batch.block.get(i))
      })
    }
  }

  /** What is said in a range of blocks about blocks outside of it. */
  saidIn(range: BlockRange): ReadonlyArray<GapMark> {
    return this.marks.filter(
      mark => isWithin({ fromBlock: mark.at, toBlock: mark.at }, range) && !isWithin(mark, range)
    )
  }

  /** Blocks were put in their place, with what was said in them about others. */
  replaced(range: BlockRange): void {
    const { fromBlock, toBlock } = range
    const kept = this.saidIn(range).map(mark => ({ ...mark, at: toBlock }))
    const others = this.marks.filter(({ at }) => at < fromBlock || at > toBlock)
    this.marks = [...others, ...kept, { open: false, ...range, reason: null, at: toBlock }]
  }

  /** What is open. */
  get open(): ReadonlyArray<Gap> {
    return openGaps(this.marks)
  }

  /** What was ever declared open for a reason, filled since or not, by its first block. */
  declared(reason: string): ReadonlyArray<BlockRange> {
    return openGaps(this.marks.filter(mark => mark.open && mark.reason === reason))
  }
}
