/** The gaps of a log, blocks that it may lack, by its `GapFound` and `GapFilled` events. */

import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { fillsOf, type GapMark, openGaps, without } from "../../streams/open-gaps.ts"
import type { BlockRange, Gap } from "../../streams/source.ts"
import { beginsWithRollback } from "../log/block-runs.ts"

const FILLED = { open: false, reason: null } as const

const isAt = ({ at }: GapMark, { fromBlock, toBlock }: BlockRange): boolean =>
  at >= fromBlock && at <= toBlock

export class GapLedger {
  private marks: Array<GapMark>
  /** number of the log's newest block; null while it is empty */
  head: number | null = null

  constructor(marks: ReadonlyArray<GapMark> = []) {
    this.marks = [...marks]
  }

  /** Returns an independent copy of the ledger. */
  copy(): GapLedger {
    const other = new GapLedger(this.marks)
    other.head = this.head
    return other
  }

  /** Takes a batch that is appended to the log. */
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

  /** Returns the gaps within a range. */
  openIn(range: BlockRange): ReadonlyArray<BlockRange> {
    return without([range], without([range], this.open))
  }

  /**
   * Returns a function that tells later which fills close what is known of a range now. What is
   * found missing until then is not among it: blocks that are read meanwhile may lack it, too.
   */
  closer(range: BlockRange): () => ReadonlyArray<BlockRange> {
    const known = new Set(this.marks)
    return () => {
      const answered = this.marks.filter(mark => !mark.open || known.has(mark))
      return fillsOf(answered, range)
    }
  }

  /**
   * Returns the marks that the blocks of a range have to bear once they are placed: those that
   * stood in them, and what closes gaps.
   */
  closing(range: BlockRange, fills: ReadonlyArray<BlockRange>): ReadonlyArray<GapMark> {
    const { toBlock: at } = range
    const kept = this.marks.filter(mark => isAt(mark, range)).map(mark => ({ ...mark, at }))
    return [...kept, ...fills.map(fill => ({ ...fill, ...FILLED, at }))]
  }

  /** Notes that the blocks of a range were placed, with these marks in them. */
  replaced(range: BlockRange, marks: ReadonlyArray<GapMark>): void {
    this.marks = [...this.marks.filter(mark => !isAt(mark, range)), ...marks]
  }

  /**
   * Returns how often blocks have to be found missing to be a gap: more than once where a
   * `GapFilled` names them whose `GapFound` a rollback has undone.
   */
  timesToOpen(range: BlockRange): number {
    const mark = { ...range, open: true, reason: null, at: this.head ?? 0 }
    const marks = [...this.marks, mark]
    while (without([range], openGaps(marks)).length > 0) marks.push(mark)
    return marks.length - this.marks.length
  }

  /** The gaps that are open, by their first block. */
  get open(): ReadonlyArray<Gap> {
    return openGaps(this.marks)
  }

  /** Returns all gaps that were ever found for a reason, also those filled since. */
  declared(reason: string): ReadonlyArray<BlockRange> {
    return openGaps(this.marks.filter(mark => mark.open && mark.reason === reason))
  }
}
