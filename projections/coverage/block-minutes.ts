/**
 * Which blocks of the log stand in each minute, where the log begins, and what its blocks have
 * shown of how the chain hashes. Minutes tell the time of a block, and of a missing one between
 * which times it lies.
 */
import type { FoldContext } from "../../engine/projection.ts"
import { isProof, ROOT_GRADE } from "../../src/domain/assurance.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { HashesFit } from "../../streams/source.ts"
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
      if (begun.count === 0) begun.add({ block, ts, headers_fit: 0, receipts_fit: 0 })
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
    /** Takes the grade of a block: what gave its hashes will give those of later blocks. */
    graded(grade: string): void {
      if (!isProof(grade)) return
      const { headers_fit: headers, receipts_fit: receipts } = begun.columns
      const hasRoot = grade === ROOT_GRADE
      if (headers[0] === 1 && (!hasRoot || receipts[0] === 1)) return
      headers[0] = 1
      if (hasRoot) receipts[0] = 1
      begun.touch(0)
    },
    fits: (): HashesFit => ({
      headers: begun.count > 0 && begun.columns.headers_fit[0] === 1,
      receipts: begun.count > 0 && begun.columns.receipts_fit[0] === 1
    }),
    /** Returns where the log begins: 0 for its first block where there is none. */
    begin: () => {
      const { block, ts } = begun.columns
      return begun.count === 0
        ? { start: 0, first: 0 }
        : { start: startOf(block, ts), first: block[0] as number }
    }
  }
}
