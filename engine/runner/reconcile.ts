/**
 * At start the tables' position is compared with the log. The log is the truth: where it is
 * shorter (a lost tail, a new log) or tells another story at that place, the tables go back to
 * the newest commit that the log still confirms, or to nothing.
 */
import { Effect } from "effect"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import { type Commit, clearTables, NO_COMMIT, rollbackTables } from "../store/store.ts"
import type { LaneCore } from "./lane-core.ts"
import type { LaneLog } from "./lane-log.ts"

const commits = <E>(core: LaneCore<E>) =>
  core.store.writer.rows("SELECT * FROM lane_commits ORDER BY seq DESC").pipe(
    Effect.map(rows =>
      rows.map(
        (row): Commit => ({
          seq: Number(row["seq"]),
          streamSeq: Number(row["stream_seq"]),
          hash: String(row["hash"]),
          block: Number(row["block"]),
          blockTime: Number(row["block_time"])
        })
      )
    )
  )

const confirmed = <E>(core: LaneCore<E>, log: LaneLog<E>) =>
  Effect.gen(function* () {
    for (const commit of yield* commits(core)) {
      if ((yield* log.hashAt(commit.streamSeq)) === commit.hash) return commit
    }
    return NO_COMMIT
  })

/** Answers what was done as a sentence, null where tables and log agree. */
export const reconcile = <E>(
  core: LaneCore<E>,
  log: LaneLog<E>
): Effect.Effect<string | null, DuckDbError | E> =>
  Effect.gen(function* () {
    const was = core.committed
    if (was.seq === 0) return null
    const found = yield* confirmed(core, log)
    if (found.seq === was.seq) return null
    yield* core.store.writer.run("BEGIN TRANSACTION")
    if (found.seq === 0) yield* clearTables(core.store, core.folds.states)
    else yield* rollbackTables(core.store, core.folds.states, found)
    yield* core.store.writer.run("COMMIT")
    core.folds.reloaded()
    core.committed = found
    const end = yield* log.end
    return end.seq < was.seq
      ? `the log ends at ${end.seq}, before the tables' ${was.seq}: its tail was lost; tables taken
         back to ${found.seq}, the source appends the rest again`.replace(/\s+/g, " ")
      : `the log differs from the tables after ${found.seq}: tables taken back there and folded again`
  })
