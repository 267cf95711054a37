/**
 * Folds what can no longer be rolled back from a table's tail into its sorted base: the newest
 * version of each key for `state`, all rows for `index`. Runs between commits, in a transaction of
 * its own, when the tail has outgrown half of the base, so that the work per row stays even.
 */
import { Effect } from "effect"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import { type Commit, type Store, writeMeta } from "./store.ts"
import { type TableDef, tailName, viewStatement } from "./table.ts"

const rowCount = (store: Store, name: string) =>
  store.writer
    .rows(`SELECT count(*) AS n FROM ${name}`)
    .pipe(Effect.map(rows => Number(rows[0]?.["n"] ?? 0)))

const mergeStatements = (def: TableDef, floor: number): ReadonlyArray<string> => {
  const tail = tailName(def)
  const key = def.key.join(", ")
  const newest =
    def.shape === "state"
      ? `QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1`
      : ""
  const base = [
    `CREATE TABLE ${def.name}_next AS SELECT * FROM (SELECT * FROM ${def.name}
       UNION ALL SELECT * FROM ${tail} WHERE seq <= ${floor}) ${newest} ORDER BY ${key}`,
    `DROP TABLE ${def.name}`,
    `ALTER TABLE ${def.name}_next RENAME TO ${def.name}`
  ]
  if (def.shape === "index") return [...base, viewStatement(def, floor)]
  return [
    ...base,
    `CREATE TABLE ${tail}_next AS SELECT * FROM ${tail} WHERE seq > ${floor}`,
    `DROP TABLE ${tail}`,
    `ALTER TABLE ${tail}_next RENAME TO ${tail}`
  ]
}

/**
 * Compacts the tables that need it up to the commit `floor`, below which no rollback reaches; those
 * of fewer than `minTailRows` rows in the tail never do. Answers their names.
 */
export const compact = (
  store: Store,
  floor: Commit,
  minTailRows: number
): Effect.Effect<ReadonlyArray<string>, DuckDbError> =>
  Effect.gen(function* () {
    const due: Array<TableDef> = []
    for (const def of store.tables) {
      if (def.shape === "append") continue
      const tail = yield* rowCount(store, `${tailName(def)} WHERE seq <= ${floor.seq}`)
      const base = yield* rowCount(store, def.name)
      if (tail >= Math.max(minTailRows, base / 2)) due.push(def)
    }
    if (due.length === 0) return []
    yield* store.writer.run("BEGIN TRANSACTION")
    for (const def of due) {
      for (const statement of mergeStatements(def, floor.seq)) yield* store.writer.run(statement)
    }
    yield* store.writer.run(`DELETE FROM lane_commits WHERE seq < ${floor.seq}`)
    yield* writeMeta(store.writer, "compacted_seq", String(floor.seq))
    yield* store.writer.run("COMMIT")
    return due.map(def => def.name)
  })

/** The newest commit whose block lies `finalityDepth` blocks below the newest; null before that. */
export const compactionFloor = (
  store: Store,
  finalityDepth: number
): Effect.Effect<Commit | null, DuckDbError> =>
  store.writer
    .rows(
      `SELECT * FROM lane_commits
       WHERE block <= (SELECT max(block) FROM lane_commits) - ${finalityDepth}
       ORDER BY seq DESC LIMIT 1`
    )
    .pipe(
      Effect.map(([row]) =>
        row === undefined
          ? null
          : {
              seq: Number(row["seq"]),
              streamSeq: Number(row["stream_seq"]),
              hash: String(row["hash"]),
              block: Number(row["block"]),
              blockTime: Number(row["block_time"])
            }
      )
    )
