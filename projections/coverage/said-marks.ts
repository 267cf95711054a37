/** Rows of what the log says of gaps, of pinned tokens, and of joined events. */
import type { FoldContext } from "../../engine/projection.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { UNPINNED } from "../../streams/pinned-tokens.ts"
import type { SaidGap, SaidJoin, SaidPin } from "./output.ts"
import { gapsTable, joinsTable, pinsTable } from "./tables.ts"

/** Adds a row and marks it for the next commit. Returns its slot. */
const addRow = (rows: Pick<SlotTable<never>, "count" | "grow" | "touch">): number => {
  const slot = rows.count
  rows.grow(slot + 1)
  rows.touch(slot)
  return slot
}

const mapRows = <A>(count: number, make: (row: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, row) => make(row))

/** Returns the number of the block of an event. */
const blockOf = (batch: EventBatch, i: number): number =>
  batch.blocks.number.get(batch.block.get(i))

/** Makes the rows of gaps that were found and filled. */
export const gapMarks = (context: FoldContext) => {
  const rows = context.state(gapsTable)
  let list: ReadonlyArray<SaidGap> | null = null
  const all = (): ReadonlyArray<SaidGap> => {
    const c = rows.columns
    return mapRows(rows.count, row => ({
      open: c.open[row] === 1,
      fromBlock: c.from_block[row] as number,
      toBlock: c.to_block[row] as number,
      reason: c.reason[row] ?? null,
      at: c.at_block[row] as number
    }))
  }
  return {
    /** takes a `GapFound` or `GapFilled` */
    take(batch: EventBatch, i: number): void {
      const slot = addRow(rows)
      const c = rows.columns
      const row = batch.row.get(i)
      const { GapFound, GapFilled } = batch.columns
      const isFound = batch.kind.get(i) === KIND.GapFound
      const { fromBlock, toBlock } = isFound ? GapFound : GapFilled
      c.slot[slot] = slot
      c.open[slot] = isFound ? 1 : 0
      c.from_block[slot] = fromBlock.get(row)
      c.to_block[slot] = toBlock.get(row)
      c.reason[slot] = isFound ? (batch.syms[GapFound.reason.get(row)] as string) : null
      c.at_block[slot] = blockOf(batch, i)
      list = null
    },
    /** returns one list until a further event comes */
    all: (): ReadonlyArray<SaidGap> => {
      list ??= all()
      return list
    },
    reloaded: (): void => {
      list = null
    }
  }
}

/** Makes the rows of pins, of pins taken back, and of blocks whose transfers the log holds. */
export const pinMarks = (context: FoldContext) => {
  const rows = context.state(pinsTable)
  return {
    /** takes a `TokenPinned`, `TokenUnpinned` or `TransfersFilled` */
    take(batch: EventBatch, i: number): void {
      const slot = addRow(rows)
      const c = rows.columns
      const row = batch.row.get(i)
      const kind = batch.kind.get(i)
      const { TokenPinned, TokenUnpinned, TransfersFilled } = batch.columns
      const isFilled = kind === KIND.TransfersFilled
      const isUnpinned = kind === KIND.TokenUnpinned
      const { token } = isFilled ? TransfersFilled : isUnpinned ? TokenUnpinned : TokenPinned
      const block = blockOf(batch, i)
      const reach = isFilled ? (batch.syms[TransfersFilled.reach.get(row)] as string) : null
      c.slot[slot] = slot
      c.token[slot] = batch.ids.text(token.get(row)) as string
      c.from_block[slot] = isFilled ? TransfersFilled.fromBlock.get(row) : block
      c.to_block[slot] = isFilled ? TransfersFilled.toBlock.get(row) : block
      c.reach[slot] = isUnpinned ? UNPINNED : reach
      c.at_block[slot] = block
    },
    all: (): ReadonlyArray<SaidPin> => {
      const c = rows.columns
      return mapRows(rows.count, row => ({
        token: c.token[row] ?? "",
        fromBlock: c.from_block[row] as number,
        toBlock: c.to_block[row] as number,
        reach: c.reach[row] ?? null,
        at: c.at_block[row] as number
      }))
    }
  }
}

/** Makes the rows of events that the log joined from its side log. */
export const joinMarks = (context: FoldContext) => {
  const rows = context.state(joinsTable)
  return {
    /** takes an `EventsJoined` */
    take(batch: EventBatch, i: number): void {
      const slot = addRow(rows)
      const c = rows.columns
      c.slot[slot] = slot
      c.last_seq[slot] = batch.columns.EventsJoined.lastSeq.get(batch.row.get(i))
      c.at_block[slot] = blockOf(batch, i)
    },
    all: (): ReadonlyArray<SaidJoin> => {
      const c = rows.columns
      return mapRows(rows.count, row => ({
        lastSeq: c.last_seq[row] as number,
        at: c.at_block[row] as number
      }))
    }
  }
}
