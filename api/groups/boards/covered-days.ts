/** Whether the log covers all of a day: of another one nobody can say how much there was. */
import { Effect } from "effect"
import type { FoldsContext, QueryContext, ReadError } from "../../../engine/query.ts"
import { isCovered, readCoverage } from "../../../projections/coverage/covered-time.ts"
import type { SaidMarks } from "../../../projections/coverage/log-marks.ts"
import { coverageOutput } from "../../../projections/coverage/output.ts"
import { DAY } from "../../../projections/markets/hours.ts"

/** What was found of the last day asked about, by what the log said then. */
const known = new WeakMap<SaidMarks, { readonly day: number; readonly covers: boolean }>()

/** What memory tells of a day that is over. */
interface DayAsked {
  readonly day: number
  readonly said: SaidMarks
  /** null where the times of missing blocks are to be read */
  readonly covers: boolean | null
}

/** For the start of a day. */
export const coversDay = (context: FoldsContext, day: number): DayAsked => {
  const said = context.output(coverageOutput).said()
  if (day < said.start) return { day, said, covers: false }
  if (said.open.length === 0) return { day, said, covers: true }
  const found = known.get(said)
  return { day, said, covers: found?.day === day ? found.covers : null }
}

/** Whether the log covers a day, with the times of missing blocks read. */
export const readCoversDay = (
  context: QueryContext,
  { day, said }: DayAsked
): Effect.Effect<boolean, ReadError> =>
  Effect.map(readCoverage(context, day), coverage => {
    const covers = isCovered(coverage, { from: day, to: day + DAY })
    // between known blocks: no later one tells more of their times
    if (said.open.every(({ toBlock }) => toBlock < context.block)) known.set(said, { day, covers })
    return covers
  })
