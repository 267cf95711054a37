/**
 * Coverage, what the log says of itself: events by kind, quarantined logs by reason, gaps, times of
 * blocks, blocks that are less than proven, pinned tokens.
 */

import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { openGaps } from "../../streams/open-gaps.ts"
import { BlockMinutes } from "./block-minutes.ts"
import { type Coverage, coverageOutput, type SaidGaps } from "./output.ts"
import { counters, marks } from "./queries.ts"
import { gapMarks, joinMarks, pinMarks } from "./said-marks.ts"
import {
  eventCountsTable,
  gapsTable,
  joinsTable,
  logStartTable,
  minuteBlocksTable,
  pinsTable,
  quarantineTable
} from "./tables.ts"
import { wordRows, wordsTable } from "./word-rows.ts"

/** Ids of kinds lie below. */
const KIND_SLOTS = Math.max(...Object.values(KIND)) + 1

/** Logs that could not be decoded, by reason. */
const quarantineRows = (context: FoldContext) => {
  const rows = context.state(quarantineTable)
  const slots = new Map<string, number>()
  return {
    take(batch: EventBatch, row: number): void {
      const reason = batch.syms[batch.columns.LogQuarantined.reason.get(row)] as string
      const slot = slots.get(reason) ?? rows.count
      if (slot === rows.count) {
        slots.set(reason, slot)
        rows.grow(slot + 1)
        rows.columns.slot[slot] = slot
        rows.columns.reason[slot] = reason
      }
      rows.columns.logs[slot] = (rows.columns.logs[slot] as number) + 1
      rows.touch(slot)
    },
    all: () =>
      Array.from({ length: rows.count }, (_, slot) => ({
        reason: rows.columns.reason[slot] ?? "",
        count: rows.columns.logs[slot] as number
      })),
    reloaded(): void {
      slots.clear()
      for (let slot = 0; slot < rows.count; slot++) slots.set(rows.columns.reason[slot] ?? "", slot)
    }
  }
}

/** Returns what is said of the log: one object until the list of gaps is another one. */
const saidMarks = (gaps: Coverage["gaps"], minutes: BlockMinutes): Coverage["said"] => {
  let known: { readonly gaps: ReturnType<typeof gaps>; readonly said: SaidGaps } | null = null
  return () => {
    const list = gaps()
    const { start, first } = minutes
    if (known === null || known.gaps !== list || known.said.start !== start) {
      known = { gaps: list, said: { start, first, open: openGaps(list) } }
    }
    return known.said
  }
}

const create = (context: FoldContext): Fold<Coverage> => {
  const counts = context.state(eventCountsTable)
  const quarantine = quarantineRows(context)
  const gaps = gapMarks(context)
  const minutes = new BlockMinutes(context)
  const pins = pinMarks(context)
  const joins = joinMarks(context)
  const words = wordRows(context)
  const growCounts = (): void => {
    counts.grow(KIND_SLOTS)
    for (let kind = 0; kind < KIND_SLOTS; kind++) counts.columns.kind[kind] = kind
  }
  const take = (batch: EventBatch, i: number, kind: number, row: number): void => {
    if (kind === KIND.BlockSealed) words.sealed(batch, i, row)
    else if (kind === KIND.BlocksProven) words.proven(batch, row)
    else if (kind === KIND.LogQuarantined) quarantine.take(batch, row)
    else if (kind === KIND.GapFound || kind === KIND.GapFilled) gaps.take(batch, i)
    else if (kind === KIND.EventsJoined) joins.take(batch, i)
    else if (kind === KIND.TransfersFilled) pins.take(batch, i)
    else if (kind === KIND.TokenPinned || kind === KIND.TokenUnpinned) pins.take(batch, i)
  }
  const apply = ({ batch, from, to }: Slice): void => {
    growCounts()
    const { events } = counts.columns
    let last = -1
    for (let i = from; i < to; i++) {
      const block = batch.block.values[i] as number
      if (block !== last) minutes.take(batch, block)
      last = block
      const kind = batch.kind.values[i] as number
      events[kind] = (events[kind] as number) + 1
      counts.touch(kind)
      take(batch, i, kind, batch.row.values[i] as number)
    }
  }
  return {
    out: {
      events: () => counts.columns.events.subarray(0, counts.count),
      quarantined: quarantine.all,
      gaps: gaps.all,
      said: saidMarks(gaps.all, minutes),
      pins: pins.all,
      joins: joins.all,
      words: words.all
    },
    apply,
    reloaded: () => {
      words.reloaded()
      quarantine.reloaded()
      gaps.reloaded()
      growCounts()
    }
  }
}

export const coverage = projection<Coverage>({
  name: coverageOutput.name,
  version: 9,
  tables: [
    eventCountsTable,
    quarantineTable,
    gapsTable,
    minuteBlocksTable,
    logStartTable,
    pinsTable,
    joinsTable,
    wordsTable
  ],
  uses: [],
  create,
  queries: [counters, marks]
})
