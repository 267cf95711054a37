/**
 * What the log covers: the blocks of each minute, where it begins, and what it says that it lacks.
 * So a bucket without prints can be told from one that was not read.
 */
import type { FoldContext, Slice } from "../../engine/projection.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { type SaidMarks, saidBy } from "./log-marks.ts"
import { logMarksTable, MARK, minuteBlocksTable } from "./tables.ts"

export class BlockClock {
  private readonly minutes: SlotTable<(typeof minuteBlocksTable)["columns"]>
  private readonly marks: SlotTable<(typeof logMarksTable)["columns"]>
  private readonly reached: (time: number) => void
  private known: SaidMarks | null = null

  /** `reached` is called with the time of each block. */
  constructor(context: FoldContext, reached: (time: number) => void) {
    this.reached = reached
    this.minutes = context.state(minuteBlocksTable)
    this.marks = context.state(logMarksTable)
  }

  apply({ batch, from, to }: Slice): void {
    const { GapFound, GapFilled } = batch.columns
    const hasMarks = GapFound.fromBlock.count + GapFilled.fromBlock.count > 0
    let last = -1
    for (let i = from; i < to; i++) {
      const block = batch.block.values[i] as number
      if (block !== last) this.block(batch, block)
      last = block
      if (hasMarks) this.mark(batch, i, block)
    }
  }

  said(): SaidMarks {
    const { count, columns } = this.marks
    this.known ??= saidBy(count, name => columns[name])
    return this.known
  }

  reloaded(): void {
    this.known = null
  }

  private block(batch: EventBatch, place: number): void {
    const number = batch.blocks.number.values[place] as number
    const ts = batch.blocks.time.values[place] as number
    this.reached(ts)
    if (this.marks.count === 0) this.say(MARK.start, number, number, ts)
    const { minutes } = this
    const isFirst = minutes.count === 0
    if (isFirst) minutes.grow(1)
    const minute = ts - (ts % 60)
    if (isFirst || minutes.columns.t[0] !== minute) {
      minutes.emit(0)
      const { columns } = minutes
      columns.t[0] = minute
      columns.first_block[0] = number
      columns.first_ts[0] = ts
    }
    minutes.columns.last_block[0] = number
    minutes.columns.last_ts[0] = ts
    minutes.touch(0)
  }

  private mark(batch: EventBatch, event: number, place: number): void {
    const kind = batch.kind.values[event]
    if (kind !== KIND.GapFound && kind !== KIND.GapFilled) return
    const isFound = kind === KIND.GapFound
    const row = batch.row.values[event] as number
    const columns = isFound ? batch.columns.GapFound : batch.columns.GapFilled
    this.say(
      isFound ? MARK.found : MARK.filled,
      columns.fromBlock.get(row),
      columns.toBlock.get(row),
      batch.blocks.time.values[place] as number
    )
  }

  private say(kind: number, fromBlock: number, toBlock: number, ts: number): void {
    const slot = this.marks.count
    this.marks.grow(slot + 1)
    const { columns } = this.marks
    columns.slot[slot] = slot
    columns.kind[slot] = kind
    columns.from_block[slot] = fromBlock
    columns.to_block[slot] = toBlock
    columns.ts[slot] = ts
    this.marks.touch(slot)
    this.known = null
  }
}
