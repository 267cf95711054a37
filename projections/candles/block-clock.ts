/**
 * What the log covers: the blocks of each minute, where it begins, and what it says that it lacks.
 * So a bucket without prints can be told from one that was not read.
 */
import type { FoldContext, Slice } from "../../engine/projection.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { type Blocks, openGaps } from "./open-gaps.ts"
import { logMarksTable, MARK, minuteBlocksTable } from "./tables.ts"

/** Blocks of chains are numbered from 0, or from 1 where the first is no block. */
const FIRST_OF_CHAIN = 1

export class BlockClock {
  private readonly minutes: SlotTable<(typeof minuteBlocksTable)["columns"]>
  private readonly marks: SlotTable<(typeof logMarksTable)["columns"]>
  /** what so many marks tell; -1: to be told anew */
  private told = { marks: -1, wholeSince: null as number | null }

  constructor(context: FoldContext) {
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

  private block(batch: EventBatch, place: number): void {
    const number = batch.blocks.number.values[place] as number
    const ts = batch.blocks.time.values[place] as number
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
  }

  /** The second the log covers from; null where it lacks something since, or nothing was read. */
  wholeSince(): number | null {
    const { count } = this.marks
    if (this.told.marks !== count) this.told = { marks: count, wholeSince: this.findSince() }
    return this.told.wholeSince
  }

  /** After a start or a rollback: the same number of marks may be others. */
  reloaded(): void {
    this.told.marks = -1
  }

  private findSince(): number | null {
    const { count, columns } = this.marks
    if (count === 0) return null
    const said = (kind: number): ReadonlyArray<Blocks> =>
      Array.from({ length: count }, (_, slot) => slot)
        .filter(slot => columns.kind[slot] === kind)
        .map(slot => ({
          fromBlock: columns.from_block[slot] as number,
          toBlock: columns.to_block[slot] as number
        }))
    if (openGaps(said(MARK.found), said(MARK.filled)).length > 0) return null
    return logStart(columns.from_block[0] as number, columns.ts[0] as number)
  }
}

/** The second from which on nothing is unknown for lack of older blocks; `ts` is the first's. */
export const logStart = (firstBlock: number, ts: number): number =>
  firstBlock <= FIRST_OF_CHAIN ? 0 : ts
