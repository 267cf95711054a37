/** What the log says of itself, for the lane's status, its source, and who tells what it proves. */
import { openGaps } from "../../engine/late/gap-ledger.ts"
import { leastOf, toldRuns } from "../../engine/late/word-runs.ts"
import { type FoldsContext, memoryQuery } from "../../engine/query.ts"
import { KIND } from "../../streams/batch/batch.ts"
import type { Gap } from "../../streams/source.ts"
import { coverageOutput, type SaidGap, type SaidWords } from "./output.ts"

/** What lists of what was said leave open: it is looked up more often than it changes. */
const known = new WeakMap<ReadonlyArray<SaidGap>, ReadonlyArray<Gap>>()

/** Gaps that stand open, by their first block. */
export const gapsOf = (context: FoldsContext): ReadonlyArray<Gap> => {
  const said = context.output(coverageOutput).gaps()
  const open = known.get(said) ?? openGaps(said)
  known.set(said, open)
  return open
}

/** Runs of blocks that are more or less than proven, as they are told. */
export const wordsOf = (context: FoldsContext): ReadonlyArray<SaidWords> =>
  toldRuns(context.output(coverageOutput).words())

/** What the log says of gaps and pinned tokens, for the source that fills what is missing. */
export const marks = memoryQuery("marks", context => {
  const { gaps, pins, joins, words } = context.output(coverageOutput)
  return { value: { gaps: gaps(), pins: pins(), joins: joins(), words: words() } }
})

/** Events, swaps, quarantined logs by reason, open gaps, blocks that are somebody's word. */
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
