/**
 * Which blocks of the log stand in each minute, where the log begins, and whether blocks were proven
 * by their receipts' root. Minutes tell the time of a block, and of a missing one between which
 * times it lies.
 */
import type { FoldContext } from "../../engine/projection.ts"
import { ROOT_GRADE } from "../../src/domain/assurance.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { startOf } from "./log-marks.ts"
import { logStartTable, minuteBlocksTable } from "./tables.ts"

export const blockMinutes = (context: FoldContext) => {
  const minutes = context.state(minuteBlocksTable)
  const begun = context.state(logStartTable)
  return {
    /** Takes the block at a place of a batch. */
    take({ blocks }: EventBatch, place: number): void {
      const block = blocks.number.values[place] as number
      const ts = blocks.time.values[place] as number
      const t = ts - (ts % 60)
      if (begun.count === 0) begun.add({ block, ts, receipts_fit: 0 })
      if (minutes.count === 0) minutes.add({ t, first_block: block, first_ts: ts })
      const { columns: c } = minutes
      if (c.t[0] !== t) {
        minutes.emit(0)
        c.t[0] = t
        c.first_block[0] = block
        c.first_ts[0] = ts
      }
      c.last_block[0] = block
      c.last_ts[0] = ts
      minutes.touch(0)
    },
    /** Takes the grade of a block: its receipts gave its root, as the chain's will from now on. */
    graded(grade: string): void {
      if (grade !== ROOT_GRADE || begun.columns.receipts_fit[0] === 1) return
      begun.columns.receipts_fit[0] = 1
      begun.touch(0)
    },
    receiptsFit: (): boolean => begun.count > 0 && begun.columns.receipts_fit[0] === 1,
    /** Returns where the log begins: 0 for its first block where there is none. */
    begin: () => {
      const { block, ts } = begun.columns
      return begun.count === 0
        ? { start: 0, first: 0 }
        : { start: startOf(block, ts), first: block[0] as number }
    }
  }
}
