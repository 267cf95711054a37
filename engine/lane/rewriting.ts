/**
 * Parts of the log that take back what was folded. Blocks that come late are one rewriting of many
 * segments: readers see it whole or not at all. So it is held until its last segment is there, and
 * folded and committed as one while they wait; what would let them wait too long is not begun.
 */
import { Data, Effect } from "effect"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import { eventAt } from "../../streams/event-objects.ts"
import { beginsWithRollback } from "../log/block-runs.ts"
import { LATE_IMPORT } from "../log/replace-blocks.ts"
import type { Segment } from "../log/segment.ts"
import {
  applyAsOne,
  applySegment,
  commitPending,
  type LaneCore,
  refolded
} from "../runner/lane-core.ts"
import type { Stand } from "./stand.ts"
import type { ToldBefore } from "./told-again.ts"

/**
 * Events that are folded again in place at most, while readers of what no cache has wait. Of a log
 * of 120,000 events, 5,000 took 0.8 to 1.1 s of processor time on two overloaded cores, 20,000 took
 * 0.65 to 1.0 s: fewer would not make the wait shorter.
 */
export const IN_PLACE_EVENTS = 20_000

/** The log takes back more than can be folded again while readers wait. */
export class TooDeep extends Data.TaggedError("TooDeep")<{
  /** of the first of the segments that do */
  readonly segment: Segment
}> {}

export interface Rewriting {
  /** the segments of a rewriting that goes on */
  held: Array<Segment>
  /** events to be folded again for those */
  again: number
  /** whether the newest segment folded is of a rewriting that goes on */
  isSplicing: boolean
  /** segments folded since the last commit was told of that took back others */
  undone: Array<Segment>
  /** what readers had been told before late blocks, where those did */
  before: ToldBefore | null
}

/** Of a lane that folds. */
export interface Rewriter {
  /** events that may be folded again at most; what nobody has may take any time */
  readonly most: number
  /** what readers were told of what stands after a position */
  readonly told: (toSeq: number) => Effect.Effect<ToldBefore | null, DuckDbError>
}

/** Whether it takes back to before blocks that came late; else the chain itself went back. */
export const isOfLate = ({ batch }: Segment): boolean => {
  const event = beginsWithRollback(batch) ? eventAt(batch, 0) : null
  return event?.kind === "Rollback" && event.reason === LATE_IMPORT
}

const goesOn = ({ header }: Segment): boolean => header.splicing !== null

const noteUndone = (rewriting: Rewriting, segments: ReadonlyArray<Segment>): void => {
  for (const one of segments) if (beginsWithRollback(one.batch)) rewriting.undone.push(one)
}

/** Holds a segment of a rewriting; answers whether all of it may be folded now. */
const hold = (core: LaneCore, rewriting: Rewriting, segment: Segment) =>
  Effect.gen(function* () {
    if (rewriting.held.length === 0) {
      // readers have what came before meanwhile
      yield* core.writing.ended
      yield* commitPending(core)
      rewriting.again = yield* refolded(core, segment)
    }
    rewriting.held.push(segment)
    rewriting.again += segment.batch.count
    return !goesOn(segment)
  })

/** Folds what takes back others, while the lane is rolling back. */
const rollingBack = <A, F>({ state, open: { core } }: Stand, work: Effect.Effect<A, F>) =>
  Effect.gen(function* () {
    // the commit before may be what brings the lane to the log's end
    yield* core.writing.ended
    state.post({ type: "RollbackBegan" })
    const done = yield* work
    state.post({ type: "RollbackEnded" })
    return done
  })

/** Folds a whole rewriting while readers wait. */
const rewrite = (
  stand: Stand,
  rewriting: Rewriting,
  segments: ReadonlyArray<Segment>,
  { told }: Rewriter
) =>
  Effect.gen(function* () {
    const isLate = segments.every(one => !beginsWithRollback(one.batch) || isOfLate(one))
    const toSeq = Math.min(
      ...segments.flatMap(({ header: { rollbackTo } }) => (rollbackTo === null ? [] : [rollbackTo]))
    )
    // after another rollback readers are told to undo both: what they have is not known any more
    rewriting.before = isLate && rewriting.undone.length === 0 ? yield* told(toSeq) : null
    yield* rollingBack(stand, applyAsOne(stand.open.core, segments))
    noteUndone(rewriting, segments)
  })

/**
 * Takes the next segment, and folds it or what is complete with it. Gives why it cannot, where more
 * would have to be folded again than may be.
 */
export const takeSegment = (
  stand: Stand,
  rewriting: Rewriting,
  segment: Segment,
  rewriter: Rewriter
) =>
  Effect.gen(function* () {
    const { most } = rewriter
    const { core } = stand.open
    const isPlain = rewriting.held.length === 0 && !beginsWithRollback(segment.batch)
    if (isPlain || most === Number.POSITIVE_INFINITY) {
      const applied = applySegment(core, segment)
      yield* beginsWithRollback(segment.batch) ? rollingBack(stand, applied) : applied
      rewriting.isSplicing = goesOn(segment)
      noteUndone(rewriting, [segment])
      return null
    }
    const isWhole = yield* hold(core, rewriting, segment)
    if (rewriting.again > most) return new TooDeep({ segment: rewriting.held[0] ?? segment })
    if (!isWhole) return null
    const segments = rewriting.held
    rewriting.held = []
    yield* rewrite(stand, rewriting, segments, rewriter)
    return null
  })
