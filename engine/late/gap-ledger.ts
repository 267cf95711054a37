/**
 * The gaps of a log: blocks that it may lack. A `GapFound` opens a gap and a `GapFilled` closes it,
 * in whatever order the two stand: blocks that came late stand before the event that missed them.
 */

import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { type GapMark, openGaps } from "../../streams/open-gaps.ts"
import type { BlockRange, Gap } from "../../streams/source.ts"
import { beginsWithRollback } from "../log/block-runs.ts"

const isWithin = (a: BlockRange, b: BlockRange): boolean =>
  a.fromBlock >= b.fromBlock && a.toBlock <= b.toBlock

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

  /** Returns the marks that stand in a range of blocks and are about blocks outside of it. */
  saidIn(range: BlockRange): ReadonlyArray<GapMark> {
    return this.marks.filter(
      mark => isWithin({ fromBlock: mark.at, toBlock: mark.at }, range) && !isWithin(mark, range)
    )
  }

  /** Closes the gap of a range whose blocks were placed. Marks in them about other blocks stay. */
  replaced(range: BlockRange): void {
    const { fromBlock, toBlock } = range
    const kept = this.saidIn(range).map(mark => ({ ...mark, at: toBlock }))
    const others = this.marks.filter(({ at }) => at < fromBlock || at > toBlock)
    this.marks = [...others, ...kept, { open: false, ...range, reason: null, at: toBlock }]
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
