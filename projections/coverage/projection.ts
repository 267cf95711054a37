/**
 * Coverage, what the log says of itself: events by kind, quarantined logs by reason, gaps, times of
 * blocks, blocks that are less than proven, pinned tokens.
 */

import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { openGaps } from "../../streams/open-gaps.ts"
import { blockMinutes } from "./block-minutes.ts"
import type { SaidMarks } from "./log-marks.ts"
import { type Coverage, coverageOutput } from "./output.ts"
import { quarantineRows } from "./quarantine-rows.ts"
import { committedSeq, counters, marks } from "./queries.ts"
import { gapMarks, joinMarks, pinMarks } from "./said-marks.ts"
import {
  eventCountsTable,
  gapsTable,
  joinsTable,
  logStartTable,
  minuteBlocksTable,
  pinsTable,
  quarantinedLogsTable,
  quarantineMinutesTable,
  quarantineTable
} from "./tables.ts"
import { wordRows, wordsTable } from "./word-rows.ts"

/** Ids of kinds lie below. */
const KIND_SLOTS = Math.max(...Object.values(KIND)) + 1

const create = (context: FoldContext): Fold<Coverage> => {
  const counts = context.state(eventCountsTable)
  const gaps = gapMarks(context)
  const pins = pinMarks(context)
  const joins = joinMarks(context)
  const quarantine = quarantineRows(context)
  const minutes = blockMinutes(context)
  const words = wordRows(context)
  /** null where something else was said since it was made */
  let said: SaidMarks | null = null
  const take = (batch: EventBatch, i: number, kind: number): void => {
    if (kind === KIND.BlockSealed) minutes.graded(words.sealed(batch, i))
    else if (kind === KIND.BlocksProven) minutes.graded(words.proven(batch, i))
    else if (kind === KIND.LogQuarantined) quarantine.take(batch, i)
    else if (kind === KIND.EventsJoined) joins.take(batch, i)
    else if (kind === KIND.TransfersFilled) pins.take(batch, i)
    else if (kind === KIND.TokenPinned || kind === KIND.TokenUnpinned) pins.take(batch, i)
    else if (kind === KIND.GapFound || kind === KIND.GapFilled) {
      gaps.take(batch, i)
      said = null
    }
  }
  const apply = ({ batch, from, to }: Slice): void => {
    counts.grow(KIND_SLOTS)
    const { events } = counts.columns
    let last = -1
    for (let i = from; i < to; i++) {
      const block = batch.block.values[i] as number
      if (block !== last) minutes.take(batch, block)
      last = block
      const kind = batch.kind.values[i] as number
      events[kind] = (events[kind] as number) + 1
      counts.touch(kind)
      take(batch, i, kind)
    }
  }
  return {
    out: {
      events: () => counts.columns.events.subarray(0, counts.count),
      quarantined: quarantine.byReason,
      quarantinedLogs: quarantine.newest,
      gaps: gaps.all,
      pins: pins.all,
      joins: joins.all,
      said: () => {
        const begin = minutes.begin()
        if (said?.first !== begin.first) said = { ...begin, open: openGaps(gaps.all()) }
        return said
      },
      words: words.all,
      fits: minutes.fits
    },
    apply,
    reloaded: () => {
      words.reloaded()
      said = null
      counts.grow(KIND_SLOTS)
    }
  }
}

export const coverage = projection<Coverage>({
  name: coverageOutput.name,
  version: 13,
  tables: [
    eventCountsTable,
    quarantineTable,
    quarantineMinutesTable,
    quarantinedLogsTable,
    gapsTable,
    minuteBlocksTable,
    logStartTable,
    pinsTable,
    joinsTable,
    wordsTable
  ],
  uses: [],
  create,
  queries: [committedSeq, counters, marks]
})
