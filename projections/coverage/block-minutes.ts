/**
 * Which blocks of the log stand in each minute, and where the log begins. They tell the time of a
 * block, and of a missing one between which times it lies.
 */
import type { FoldContext } from "../../engine/projection.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { startOf } from "./log-marks.ts"
import { logStartTable, minuteBlocksTable } from "./tables.ts"

export class BlockMinutes {
  private readonly minutes: SlotTable<(typeof minuteBlocksTable)["columns"]>
  private readonly begun: SlotTable<(typeof logStartTable)["columns"]>

  constructor(context: FoldContext) {
    this.minutes = context.state(minuteBlocksTable)
    this.begun = context.state(logStartTable)
  }

  /** The second before which all is older than the log; 0 where it begins with the chain. */
  get start(): number {
    const { block, ts } = this.begun.columns
    return this.begun.count === 0 ? 0 : startOf(block, ts)
  }

  /** The first block of the log; 0 where there is none. */
  get first(): number {
    return this.begun.count === 0 ? 0 : (this.begun.columns.block[0] as number)
  }

  /** Takes the block at a place of a batch. */
  take(batch: EventBatch, place: number): void {
    const number = batch.blocks.number.values[place] as number
    const ts = batch.blocks.time.values[place] as number
    if (this.begun.count === 0) this.begin(number, ts)
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

  private begin(number: number, ts: number): void {
    this.begun.grow(1)
    this.begun.columns.block[0] = number
    this.begun.columns.ts[0] = ts
    this.begun.touch(0)
  }
}
