/** Rows of what the log says of gaps, pinned tokens, joined events, and logs without a meaning. */
import type { FoldContext } from "../../engine/projection.ts"
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import type { ColumnDefs } from "../../engine/store/table.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { UNPINNED } from "../../streams/pinned-tokens.ts"
import { gapsTable, joinsTable, pinsTable, quarantineTable } from "./tables.ts"

/** Returns what the rows of a table say, in their order. */
const saidIn = <C extends ColumnDefs, A>(
  { count, columns }: SlotTable<C>,
  say: (columns: ColumnArrays<C>, row: number) => A
): ReadonlyArray<A> => Array.from({ length: count }, (_, row) => say(columns, row))

/** Returns the number of the block of an event. */
const blockOf = (batch: EventBatch, i: number): number =>
  batch.blocks.number.get(batch.block.get(i))

const symOf = (batch: EventBatch, ref: number): string => batch.syms[ref] as string

/** Rows of gaps that were found and filled. */
export const gapMarks = (context: FoldContext) => {
  const rows = context.state(gapsTable)
  return {
    /** takes a `GapFound` or `GapFilled` */
    take(batch: EventBatch, i: number): void {
      const row = batch.row.get(i)
      const { GapFound, GapFilled } = batch.columns
      const isFound = batch.kind.get(i) === KIND.GapFound
      const { fromBlock, toBlock } = isFound ? GapFound : GapFilled
      rows.add({
        open: isFound ? 1 : 0,
        from_block: fromBlock.get(row),
        to_block: toBlock.get(row),
        reason: isFound ? symOf(batch, GapFound.reason.get(row)) : null,
        at_block: blockOf(batch, i)
      })
    },
    all: () =>
      saidIn(rows, (c, row) => ({
        open: c.open[row] === 1,
        fromBlock: c.from_block[row] as number,
        toBlock: c.to_block[row] as number,
        reason: c.reason[row] ?? null,
        at: c.at_block[row] as number
      }))
  }
}

/** Rows of pins, of pins taken back, and of blocks whose transfers the log holds. */
export const pinMarks = (context: FoldContext) => {
  const rows = context.state(pinsTable)
  return {
    /** takes a `TokenPinned`, `TokenUnpinned` or `TransfersFilled` */
    take(batch: EventBatch, i: number): void {
      const row = batch.row.get(i)
      const kind = batch.kind.get(i)
      const { TokenPinned, TokenUnpinned, TransfersFilled } = batch.columns
      const isFilled = kind === KIND.TransfersFilled
      const isUnpinned = kind === KIND.TokenUnpinned
      const { token } = isFilled ? TransfersFilled : isUnpinned ? TokenUnpinned : TokenPinned
      const block = blockOf(batch, i)
      const reach = isFilled ? symOf(batch, TransfersFilled.reach.get(row)) : null
      rows.add({
        token: batch.ids.text(token.get(row)) as string,
        from_block: isFilled ? TransfersFilled.fromBlock.get(row) : block,
        to_block: isFilled ? TransfersFilled.toBlock.get(row) : block,
        reach: isUnpinned ? UNPINNED : reach,
        at_block: block,
        grade: isFilled ? TransfersFilled.grade.get(row) : null
      })
    },
    all: () =>
      saidIn(rows, (c, row) => ({
        token: c.token[row] ?? "",
        fromBlock: c.from_block[row] as number,
        toBlock: c.to_block[row] as number,
        reach: c.reach[row] ?? null,
        at: c.at_block[row] as number,
        grade: c.grade[row] ?? null
      }))
  }
}

/** Rows of events that the log joined from its side log. */
export const joinMarks = (context: FoldContext) => {
  const rows = context.state(joinsTable)
  return {
    /** takes an `EventsJoined` */
    take(batch: EventBatch, i: number): void {
      const last_seq = batch.columns.EventsJoined.lastSeq.get(batch.row.get(i))
      rows.add({ last_seq, at_block: blockOf(batch, i) })
    },
    all: () =>
      saidIn(rows, (c, row) => ({
        lastSeq: c.last_seq[row] as number,
        at: c.at_block[row] as number
      }))
  }
}

/** Rows of reasons why logs could not be decoded. */
export const quarantineMarks = (context: FoldContext) => {
  const rows = context.state(quarantineTable)
  return {
    /** takes a `LogQuarantined` */
    take(batch: EventBatch, i: number): void {
      const reason = symOf(batch, batch.columns.LogQuarantined.reason.get(batch.row.get(i)))
      const known = rows.columns.reason.indexOf(reason)
      const slot = known >= 0 && known < rows.count ? known : rows.add({ reason })
      rows.columns.logs[slot] = (rows.columns.logs[slot] as number) + 1
      rows.touch(slot)
    },
    all: () =>
      saidIn(rows, (c, row) => ({
        reason: c.reason[row] ?? "",
        count: c.logs[row] as number
      }))
  }
}
