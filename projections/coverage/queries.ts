/** Queries about what the log says of itself: for the lane's status, its source, and warnings. */

import { leastOf, toldRuns } from "../../engine/late/word-runs.ts"
import { type FoldsContext, memoryQuery } from "../../engine/query.ts"
import { KIND } from "../../streams/batch/batch.ts"
import type { Gap } from "../../streams/source.ts"
import { coverageOutput, type SaidWords } from "./output.ts"

/** Returns the gaps that are open, by their first block. */
export const gapsOf = (context: FoldsContext): ReadonlyArray<Gap> =>
  context.output(coverageOutput).said().open

/** Returns the runs of blocks that are less than proven, shortened as in `/status`. */
export const wordsOf = (context: FoldsContext): ReadonlyArray<SaidWords> =>
  toldRuns(context.output(coverageOutput).words())

/** Returns all statements of the log that the source needs to continue filling what is missing. */
export const marks = memoryQuery("marks", context => {
  const { gaps, pins, joins, words } = context.output(coverageOutput)
  return { value: { gaps: gaps(), pins: pins(), joins: joins(), words: words() } }
})

/** Returns numbers of events and swaps, quarantined logs by reason, open gaps, doubtful blocks. */
export const counters = memoryQuery("counters", context => {
  const { events, quarantined, words } = context.output(coverageOutput)
  const byKind = Array.from(events())
  return {
    value: {
      assurance: leastOf(words()),
      words: wordsOf(context),
      events: byKind.reduce((sum, count) => sum + count, 0),
      swaps: byKind[KIND.SwapExecuted] ?? 0,
      quarantined: quarantined(),
      gaps: gapsOf(context)
    }
  }
})
