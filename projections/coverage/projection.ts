/**
 * What the log says of itself: events by kind, quarantined logs by reason, gaps, blocks that are
 * somebody's word, pinned tokens.
 */
import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import { table } from "../../engine/store/table.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { UNPINNED } from "../../streams/pinned-tokens.ts"
import { counters, marks } from "./queries.ts"
import { wordRows, wordsTable } from "./word-rows.ts"

const eventCountsTable = table({
  name: "event_counts",
  shape: "state",
  key: ["kind"],
  columns: { kind: { type: "u32" }, events: { type: "i64" } }
})

const quarantineTable = table({
  name: "quarantine",
  shape: "state",
  key: ["slot"],
  columns: { slot: { type: "u32" }, reason: { type: "text" }, logs: { type: "i64" } }
})

const gapsTable = table({
  name: "gaps",
  shape: "append",
  key: [],
  columns: {
    /** 1 found, 0 filled */
    open: { type: "u8" },
    from_block: { type: "i64" },
    to_block: { type: "i64" },
    reason: { type: "text", nullable: true },
    /** the block in which it was said */
    at_block: { type: "i64" }
  }
})

const pinsTable = table({
  name: "pins",
  shape: "append",
  key: [],
  columns: {
    token: { type: "text" },
    from_block: { type: "i64" },
    to_block: { type: "i64" },
    /**
     * what lies before the blocks; null where it is said that the token is pinned, `unpinned` that
     * it is not any more
     */
    reach: { type: "text", nullable: true },
    /** the block in which it was said */
    at_block: { type: "i64" }
  }
})

/** What the log joined of its side log, in the order in which it says so. */
const joinsTable = table({
  name: "joins",
  shape: "append",
  key: [],
  columns: {
    /** seq of the last event, in the side log */
    last_seq: { type: "i64" },
    /** the block in which it was said */
    at_block: { type: "i64" }
  }
})

/** Ids of kinds lie below. */
const KIND_SLOTS = Math.max(...Object.values(KIND)) + 1

/** Writes down what an event says of a pinned token, if it does. */
const pinRows = (context: FoldContext) => {
  const pins = context.rows(pinsTable)
  return (batch: EventBatch, i: number, kind: number, seq: number): void => {
    const row = batch.row.values[i] as number
    const { TokenPinned, TokenUnpinned, TransfersFilled } = batch.columns
    const isFilled = kind === KIND.TransfersFilled
    const isUnpinned = kind === KIND.TokenUnpinned
    if (!isFilled && !isUnpinned && kind !== KIND.TokenPinned) return
    const { token } = isFilled ? TransfersFilled : isUnpinned ? TokenUnpinned : TokenPinned
    const block = batch.blocks.number.get(batch.block.get(i))
    const at = pins.next(seq)
    pins.columns.token[at] = batch.ids.text(token.get(row)) as string
    pins.columns.from_block[at] = isFilled ? TransfersFilled.fromBlock.get(row) : block
    pins.columns.to_block[at] = isFilled ? TransfersFilled.toBlock.get(row) : block
    const reach = isFilled ? (batch.syms[TransfersFilled.reach.get(row)] as string) : null
    pins.columns.reach[at] = isUnpinned ? UNPINNED : reach
    pins.columns.at_block[at] = block
  }
}

const joinRows = (context: FoldContext) => {
  const joins = context.rows(joinsTable)
  return (batch: EventBatch, i: number, seq: number): void => {
    const at = joins.next(seq)
    joins.columns.last_seq[at] = batch.columns.EventsJoined.lastSeq.get(batch.row.get(i))
    joins.columns.at_block[at] = batch.blocks.number.get(batch.block.get(i))
  }
}

const create = (context: FoldContext): Fold<null> => {
  const counts = context.state(eventCountsTable)
  const quarantine = context.state(quarantineTable)
  const gaps = context.rows(gapsTable)
  const pin = pinRows(context)
  const join = joinRows(context)
  const words = wordRows(context)
  const slots = new Map<string, number>()
  const quarantined = (batch: EventBatch, row: number): void => {
    const reason = batch.syms[batch.columns.LogQuarantined.reason.get(row)] as string
    const slot = slots.get(reason) ?? quarantine.count
    if (slot === quarantine.count) {
      slots.set(reason, slot)
      quarantine.grow(slot + 1)
      quarantine.columns.slot[slot] = slot
      quarantine.columns.reason[slot] = reason
    }
    quarantine.columns.logs[slot] = (quarantine.columns.logs[slot] as number) + 1
    quarantine.touch(slot)
  }
  const gap = (batch: EventBatch, i: number, kind: number, seq: number): void => {
    const row = batch.row.values[i] as number
    const found = kind === KIND.GapFound
    const source = found ? batch.columns.GapFound : batch.columns.GapFilled
    const at = gaps.next(seq)
    gaps.columns.open[at] = found ? 1 : 0
    gaps.columns.from_block[at] = source.fromBlock.get(row)
    gaps.columns.to_block[at] = source.toBlock.get(row)
    gaps.columns.at_block[at] = batch.blocks.number.get(batch.block.get(i))
    gaps.columns.reason[at] = found
      ? (batch.syms[batch.columns.GapFound.reason.get(row)] as string)
      : null
  }
  const growCounts = (): void => {
    counts.grow(KIND_SLOTS)
    for (let kind = 0; kind < KIND_SLOTS; kind++) counts.columns.kind[kind] = kind
  }
  const apply = ({ batch, from, to, seq }: Slice): void => {
    growCounts()
    const { events } = counts.columns
    for (let i = from; i < to; i++) {
      const kind = batch.kind.values[i] as number
      events[kind] = (events[kind] as number) + 1
      counts.touch(kind)
      const row = batch.row.values[i] as number
      if (kind === KIND.BlockSealed) words.sealed(batch, i, row)
      else if (kind === KIND.BlocksProven) words.proven(batch, row)
      else if (kind === KIND.LogQuarantined) quarantined(batch, row)
      else if (kind === KIND.GapFound || kind === KIND.GapFilled) {
        gap(batch, i, kind, seq + i - from)
      } else if (kind === KIND.EventsJoined) join(batch, i, seq + i - from)
      else pin(batch, i, kind, seq + i - from)
    }
  }
  return {
    out: null,
    apply,
    reloaded: () => {
      words.reloaded()
      slots.clear()
      for (let slot = 0; slot < quarantine.count; slot++) {
        slots.set(quarantine.columns.reason[slot] ?? "", slot)
      }
      growCounts()
    }
  }
}

export const coverage = projection<null>({
  name: "coverage",
  version: 7,
  tables: [eventCountsTable, quarantineTable, gapsTable, pinsTable, joinsTable, wordsTable],
  create,
  queries: [counters, marks]
})
