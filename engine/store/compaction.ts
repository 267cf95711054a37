/**
 * Folds what can no longer be rolled back from a table's tail into its sorted base: the newest
 * version of each key for `state`, all rows for `index`. Runs on a connection of its own beside the
 * writer's commits, a transaction a table, when the tail has outgrown a share of the base, so that
 * the work per row stays even. The two never touch the same rows: commits append behind the floor.
 * A rollback, which deletes, must not run at the same time, nor a second merge. One that fails
 * leaves the table as it was.
 */
import { Effect } from "effect"
import { DuckDbError } from "../../src/platform/duckdb.ts"
import { keyRanges, PIECE_ROWS } from "./key-ranges.ts"
import { type Commit, commitOf, type Store, writeMeta } from "./store.ts"
import { type TableDef, tailName, viewStatement } from "./table.ts"

const rowCount = (store: Store, name: string) =>
  store.merger
    .rows(`SELECT count(*) AS n FROM ${name}`)
    .pipe(Effect.map(rows => Number(rows[0]?.["n"] ?? 0)))

/** A table whose tail is to be merged, and how many rows that makes. */
interface Due {
  readonly def: TableDef
  readonly rows: number
}

/** Writes base and tail, as far as the floor, to a new base in the order of the key. */
const merge = (store: Store, { def, rows }: Due, floor: number, pieceRows: number) =>
  Effect.gen(function* () {
    const { merger } = store
    const tail = tailName(def)
    const key = def.key.join(", ")
    const merged = `(SELECT * FROM ${def.name} UNION ALL SELECT * FROM ${tail} WHERE seq <= ${floor})`
    const newest =
      def.shape === "state"
        ? `QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1`
        : ""
    const ranges = yield* keyRanges(merger, merged, def.key[0] as string, rows, pieceRows)
    yield* merger.run(`CREATE TABLE ${def.name}_next AS SELECT * FROM ${def.name} WHERE FALSE`)
    let written = 0
    for (const range of ranges) {
      const some = yield* merger.rows(`SELECT 1 FROM ${merged} WHERE ${range} LIMIT 1`)
      // DuckDB 1.5.6 loses the rows of the next insert after a sorted one of none
      if (some.length === 0) continue
      const [inserted] = yield* merger.rows(
        `INSERT INTO ${def.name}_next
         SELECT * FROM ${merged} WHERE ${range} ${newest} ORDER BY ${key}`
      )
      written += Number(inserted?.["Count"])
    }
    const found = yield* rowCount(store, `${def.name}_next`)
    if (found !== written) {
      const message = `merging ${def.name}: ${written} rows written, ${found} found`
      return yield* new DuckDbError({ message })
    }
    yield* merger.run(`DROP TABLE ${def.name}`)
    yield* merger.run(`ALTER TABLE ${def.name}_next RENAME TO ${def.name}`)
    if (def.shape === "index") return yield* merger.run(viewStatement(def, floor))
    // not made anew: the writer appends to it
    yield* merger.run(`DELETE FROM ${tail} WHERE seq <= ${floor}`)
  })

const transaction = <A, E>(store: Store, work: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    yield* store.merger.run("BEGIN TRANSACTION")
    yield* work
    yield* store.merger.run("COMMIT")
  }).pipe(Effect.tapError(() => Effect.ignore(store.merger.run("ROLLBACK"))))

export interface CompactOptions {
  /** rows that a tail has at least when it is merged */
  readonly minTailRows: number
  /** share of the base that a tail has at least when it is merged */
  readonly share?: number
  /** rows of a piece */
  readonly pieceRows?: number
}

/**
 * Compacts the tables that need it up to the commit `floor`, below which no rollback reaches.
 * Answers their names.
 */
export const compact = (
  store: Store,
  floor: Commit,
  { minTailRows, share = 0.5, pieceRows = PIECE_ROWS }: CompactOptions
): Effect.Effect<ReadonlyArray<string>, DuckDbError> =>
  Effect.gen(function* () {
    const due: Array<Due> = []
    for (const def of store.tables) {
      if (def.shape === "append") continue
      const tail = yield* rowCount(store, `${tailName(def)} WHERE seq <= ${floor.seq}`)
      const base = yield* rowCount(store, def.name)
      if (tail >= Math.max(minTailRows, base * share)) due.push({ def, rows: tail + base })
    }
    if (due.length === 0) return []
    // first of all nobody may go back behind the floor any more
    yield* transaction(
      store,
      Effect.andThen(
        store.merger.run(`DELETE FROM lane_commits WHERE seq < ${floor.seq}`),
        writeMeta(store.merger, "compacted_seq", String(floor.seq))
      )
    )
    for (const one of due) {
      yield* transaction(store, merge(store, one, floor.seq, pieceRows))
    }
    return due.map(({ def }) => def.name)
  })

/** The newest commit whose block lies `finalityDepth` blocks below the newest; null before that. */
export const compactionFloor = (
  store: Store,
  finalityDepth: number
): Effect.Effect<Commit | null, DuckDbError> =>
  store.merger
    .rows(
      `SELECT * FROM lane_commits
       WHERE block <= (SELECT max(block) FROM lane_commits) - ${finalityDepth}
       ORDER BY seq DESC LIMIT 1`
    )
    .pipe(Effect.map(([row]) => (row === undefined ? null : commitOf(row))))
