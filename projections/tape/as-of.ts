/** Pages of a former position: the tape as it was, or an honest refusal. */
import { Effect } from "effect"
import { type ReadError, Refused, type RowsView } from "../../engine/query.ts"
import { newestValue } from "./cursor.ts"

/** The refusal of a state that cannot be had any more, or not yet. */
export const asOfRefusal = (asOf: number, seq: number): Refused["refusal"] =>
  asOf > seq
    ? {
        status: 400,
        code: "INVALID_PARAMS",
        message: `asOf must be at most ${seq}, the newest position, got ${asOf}`
      }
    : {
        status: 410,
        code: "AS_OF_GONE",
        message: `the state of position ${asOf} cannot be told any more; start again without asOf`
      }

/** Positions in which a print is looked for first. */
const FIRST_STRETCH = 65_536

/** A position, and the time of the newest block that it reflects. */
export interface State {
  readonly seq: number
  readonly blockTime: number
}

/**
 * The asked position with its time. Rows of the tape are never changed, so those
 * up to a position are what stood there, unless a rollback has undone some of them.
 */
export const stateAt = (view: RowsView, asOf: number): Effect.Effect<State, ReadError | Refused> =>
  Effect.gen(function* () {
    const { seq, blockTime } = view
    if (asOf === seq) return { seq, blockTime }
    const undone = yield* view.rows(
      `SELECT 1 FROM lane_rollbacks WHERE to_seq < ${asOf} AND seq > ${asOf} LIMIT 1`
    )
    if (asOf > seq || undone.length > 0) {
      return yield* Effect.fail(new Refused(asOfRefusal(asOf, seq)))
    }
    const [commit] = yield* view.rows(
      `SELECT block_time FROM lane_commits WHERE seq <= ${asOf} ORDER BY seq DESC LIMIT 1`
    )
    if (commit !== undefined) return { seq: asOf, blockTime: Number(commit["block_time"]) }
    // compaction forgets old commits; the newest print's block is the best that is known then
    const before = { column: "seq", upper: asOf, and: "" } as const
    return { seq: asOf, blockTime: yield* newestValue(view, "ts", before, FIRST_STRETCH) }
  })
