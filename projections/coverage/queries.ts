/** Queries about what the log says of itself: for the lane's status, its source, and warnings. */

import { Effect } from "effect"
import { leastOf, toldRuns } from "../../engine/late/word-runs.ts"
import { type FoldsView, memoryQuery, rowsQuery } from "../../engine/query.ts"
import { KIND } from "../../streams/batch/batch.ts"
import type { Gap } from "../../streams/source.ts"
import { coverageOutput, type SaidWords } from "./output.ts"

/** Returns the gaps that are open, by their first block. */
export const gapsOf = (view: FoldsView): ReadonlyArray<Gap> =>
  view.output(coverageOutput).said().open

/** Returns the runs of blocks that are less than proven, shortened as in `/status`. */
export const wordsOf = (view: FoldsView): ReadonlyArray<SaidWords> =>
  toldRuns(view.output(coverageOutput).words())

/** Returns all statements of the log that the source needs to continue filling what is missing. */
export const marks = memoryQuery("marks", view => {
  const { gaps, pins, joins, words, fits } = view.output(coverageOutput)
  return {
    value: {
      ...{ gaps: gaps(), pins: pins(), joins: joins(), words: words() },
      fits: fits()
    }
  }
})

/** Returns the position that the file of the tables holds, which what is folded may be ahead of. */
export const committedSeq = rowsQuery("committedSeq", ({ seq }) => Effect.succeed({ seq }))

/** Returns how many events and swaps there are, what is missing or in doubt, and as of when. */
export const counters = memoryQuery("counters", view => {
  const { events, quarantined, quarantinedLogs, words } = view.output(coverageOutput)
  const byKind = Array.from(events())
  return {
    value: {
      counted:
        view.seq === 0
          ? { seq: 0, block: null, blockTime: null }
          : { seq: view.seq, block: view.block, blockTime: view.blockTime },
      assurance: leastOf(words()),
      words: wordsOf(view),
      events: byKind.reduce((sum, count) => sum + count, 0),
      swaps: byKind[KIND.SwapExecuted] ?? 0,
      quarantined: quarantined(),
      quarantinedLogs: quarantinedLogs(),
      gaps: gapsOf(view)
    }
  }
})
