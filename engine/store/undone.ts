/** What rollbacks took back of rows that are replaced, to one who stood before them. */
import { Effect } from "effect"
import type { DuckDbError, Row } from "../../src/platform/duckdb.ts"

/** Some of what a rollback took back. */
export interface Undone {
  /** Unix seconds of the block from which on rows were taken back */
  readonly since: number
  /** the commit after which they stand as they do */
  readonly seq: number
}

/**
 * What one who had all up to `from` may have lost to rollbacks whose commits came later: the newest
 * commit first, each from an earlier time than those before it. A row that he has by a position
 * after the fork may stand unchanged since a commit before it: of that there is no newer row, and
 * he has to be told. Rollbacks of what came after `from` count too: one of them may take back what
 * was told again after another.
 */
export const undoneAfter = (
  rows: (sql: string) => Effect.Effect<ReadonlyArray<Row>, DuckDbError>,
  from: number
): Effect.Effect<ReadonlyArray<Undone>, DuckDbError> =>
  rows(
    `SELECT since_time, commit_seq FROM lane_rollbacks
     WHERE commit_seq > ${from} ORDER BY commit_seq DESC`
  ).pipe(
    Effect.map(rollbacks => {
      const list: Array<Undone> = []
      for (const row of rollbacks) {
        const since = Number(row["since_time"])
        if (since < (list.at(-1)?.since ?? Number.POSITIVE_INFINITY)) {
          list.push({ since, seq: Number(row["commit_seq"]) })
        }
      }
      return list
    })
  )
