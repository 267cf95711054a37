/** Rows of what the log says of gaps, pinned tokens and joined events. */
import type { FoldContext } from "../../engine/projection.ts"
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import type { ColumnDefs } from "../../engine/store/table.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { UNPINNED } from "../../streams/pinned-transfers.ts"
import { gapsTable, joinsTable, pinsTable } from "./tables.ts"

/** Rows of the log's statements of some kinds. */
const statements = <C extends ColumnDefs, A>(
  rows: SlotTable<C>,
  rowOf: (batch: EventBatch, i: number, row: number) => Parameters<SlotTable<C>["add"]>[0],
  say: (columns: ColumnArrays<C>, row: number) => A
) => ({
  take: (batch: EventBatch, i: number): void => {
    rows.add(rowOf(batch, i, batch.row.get(i)))
  },
  all: (): ReadonlyArray<A> =>
    Array.from({ length: rows.count }, (_, row) => say(rows.columns, row))
})

/** Returns the number of the block of an event. */
const blockOf = (batch: EventBatch, i: number): number =>
  batch.blocks.number.get(batch.block.get(i))

const symOf = (batch: EventBatch, ref: number): string => batch.syms[ref] as string

/** Takes each `GapFound` and `GapFilled`. */
export const gapMarks = (context: FoldContext) =>
  statements(
    context.state(gapsTable),
    (batch, i, row) => {
      const { GapFound, GapFilled } = batch.columns
      const isFound = batch.kind.get(i) === KIND.GapFound
      const { fromBlock, toBlock } = isFound ? GapFound : GapFilled
      return {
        open: isFound ? 1 : 0,
        from_block: fromBlock.get(row),
        to_block: toBlock.get(row),
        reason: isFound ? symOf(batch, GapFound.reason.get(row)) : null,
        at_block: blockOf(batch, i)
      }
    },
    (c, row) => ({
      open: c.open[row] === 1,
      fromBlock: c.from_block[row] as number,
      toBlock: c.to_block[row] as number,
      reason: c.reason[row] ?? null,
      at: c.at_block[row] as number
    })
  )

/** Takes each `TokenPinned`, `TokenUnpinned` and `TransfersFilled`. */
export const pinMarks = (context: FoldContext) =>
  statements(
    context.state(pinsTable),
    (batch, i, row) => {
      const kind = batch.kind.get(i)
      const { TokenPinned, TokenUnpinned, TransfersFilled } = batch.columns
      const isFilled = kind === KIND.TransfersFilled
      const isUnpinned = kind === KIND.TokenUnpinned
      const { token } = isFilled ? TransfersFilled : isUnpinned ? TokenUnpinned : TokenPinned
      const block = blockOf(batch, i)
      const reach = isFilled ? symOf(batch, TransfersFilled.reach.get(row)) : null
      return {
        token: batch.ids.text(token.get(row)) as string,
        from_block: isFilled ? TransfersFilled.fromBlock.get(row) : block,
        to_block: isFilled ? TransfersFilled.toBlock.get(row) : block,
        reach: isUnpinned ? UNPINNED : reach,
        at_block: block,
        grade: isFilled ? TransfersFilled.grade.get(row) : null
      }
    },
    (c, row) => ({
      token: c.token[row] ?? "",
      fromBlock: c.from_block[row] as number,
      toBlock: c.to_block[row] as number,
      reach: c.reach[row] ?? null,
      at: c.at_block[row] as number,
      grade: c.grade[row] ?? null
    })
  )

/** Takes each `EventsJoined`. */
export const joinMarks = (context: FoldContext) =>
  statements(
    context.state(joinsTable),
    (batch, i, row) => ({
      last_seq: batch.columns.EventsJoined.lastSeq.get(row),
      at_block: blockOf(batch, i)
    }),
    (c, row) => ({ lastSeq: c.last_seq[row] as number, at: c.at_block[row] as number })
  )
