/**
 * At start the tables' position is compared with the log. The log is the truth: where it is
 * shorter (a lost tail, a new log) or tells another story at that place, the tables go back to
 * the newest commit that the log still confirms, or to nothing. Positions mean other events then,
 * so the log gets another id.
 */

import { Effect } from "effect"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import type { ReadError } from "../log/log-errors.ts"
import type { LogPosition } from "../log/segment.ts"
import { type Commit, clearTables, commitOf, NO_COMMIT, rollbackTables } from "../store/store.ts"
import type { LaneCore } from "./lane-core.ts"
import type { LaneLog } from "./lane-log.ts"

/** Commits that the log is long enough to hold, oldest first. */
const commitsWithin = (core: LaneCore, end: LogPosition) =>
  core.store.writer
    .rows(`SELECT * FROM lane_commits WHERE stream_seq <= ${end.streamSeq} ORDER BY seq`)
    .pipe(Effect.map(rows => rows.map(commitOf)))

/** The newest commit that the log confirms: as each hash vouches for all before it, by halving. */
const confirmed = (core: LaneCore, log: LaneLog, end: LogPosition) =>
  Effect.gen(function* () {
    const commits = yield* commitsWithin(core, end)
    let low = 0
    let high = commits.length
    while (low < high) {
      const middle = (low + high) >> 1
      const { streamSeq, hash } = commits[middle] as Commit
      if ((yield* log.hashAt(streamSeq)) === hash) low = middle + 1
      else high = middle
    }
    return commits[low - 1] ?? NO_COMMIT
  })

/** Whether the log tells the tables' story up to where they stand. */
export const isConfirmed = (
  { committed }: LaneCore,
  log: LaneLog
): Effect.Effect<boolean, ReadError> =>
  committed.seq === 0
    ? Effect.succeed(true)
    : Effect.map(log.hashAt(committed.streamSeq), hash => hash === committed.hash)

/** Answers what was done as a sentence, null where tables and log agree. */
export const reconcile = (
  core: LaneCore,
  log: LaneLog
): Effect.Effect<string | null, DuckDbError | ReadError> =>
  Effect.gen(function* () {
    const was = core.committed
    if (yield* isConfirmed(core, log)) return null
    const end = yield* log.end
    const common = yield* confirmed(core, log, end)
    // before anything is written: who dies here finds the same again
    if (log.identity !== undefined) yield* log.identity.renew
    const { writer } = core.store
    yield* writer.run("BEGIN TRANSACTION")
    if (common.seq === 0) yield* clearTables(core.store, core.folds.states)
    else yield* rollbackTables(core.store, core.folds.states, common)
    yield* writer.run(`DELETE FROM lane_rollbacks WHERE seq > ${common.seq}`)
    yield* writer.run("COMMIT")
    core.folds.reloaded()
    core.wentBackTo(common)
    return end.seq < was.seq
      ? `the log ends at ${end.seq}, before the tables' ${was.seq}: it was cut, or its tail was lost;
         tables taken back to ${common.seq} and folded again from there; what is missing comes from
         the chain's source, or from files that are replayed again`.replace(/\s+/g, " ")
      : `the log differs from the tables after ${common.seq}: tables taken back there and folded again`
  })
