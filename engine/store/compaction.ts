/**
 * Folds what can no longer be rolled back from a table's tail into its base, a few sorted runs: the
 * newest version of each key for `state`, all rows for `index`. Runs on a connection of its own
 * beside the writer's commits, a transaction a table, when the tail has outgrown a share of the
 * base. The two never touch the same rows: commits append behind the floor. A rollback, which
 * deletes, must not run at the same time, nor a second merge. One that fails leaves the table as it
 * was.
 */
import { Effect } from "effect"
import { type Connection, DuckDbError } from "../../src/platform/duckdb.ts"
import { keyRanges, PIECE_ROWS } from "./key-ranges.ts"
import { type Commit, commitOf, RUNS_PREFIX, readMeta, type Store, writeMeta } from "./store.ts"
import { type TableDef, tailName, viewStatement } from "./table.ts"

/**
 * Sorted runs that a base may be of. Each was a good part of what the base was then, so there are
 * few of large tables too; a reader of one key looks at a row group of each.
 */
const MOST_RUNS = 16

/**
 * Whether a table's base may be of several runs: where most rows are the last of their key, writing
 * them all again whenever the tail has grown is work for nothing.
 */
const addsRuns = ({ shape, key }: TableDef): boolean => shape === "index" || key.length > 1

const rowCount = (merger: Connection, name: string) =>
  merger
    .rows(`SELECT count(*) AS n FROM ${name}`)
    .pipe(Effect.map(rows => Number(rows[0]?.["n"] ?? 0)))

/** A table whose tail is to be merged; the rows of both. */
interface Due {
  readonly def: TableDef
  readonly tail: number
  readonly base: number
}

/** Rows on their way to a base. */
interface Source {
  readonly def: TableDef
  /** a table expression */
  readonly from: string
  readonly rows: number
  /** the table they go to */
  readonly to: string
}

/** Writes rows to `target` in the order of the key, a piece at a time: all of them, or it fails. */
const writeSorted = ({ merger }: Store, { def, from, rows, to }: Source, pieceRows: number) =>
  Effect.gen(function* () {
    const key = def.key.join(", ")
    const newest =
      def.shape === "state"
        ? `QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1`
        : ""
    const before = yield* rowCount(merger, to)
    let written = 0
    for (const range of yield* keyRanges(merger, from, def.key[0] as string, rows, pieceRows)) {
      const some = yield* merger.rows(`SELECT 1 FROM ${from} WHERE ${range} LIMIT 1`)
      // DuckDB 1.5.6 loses the rows of the next insert after a sorted one of none
      if (some.length === 0) continue
      const [inserted] = yield* merger.rows(
        `INSERT INTO ${to} SELECT * FROM ${from} WHERE ${range} ${newest} ORDER BY ${key}`
      )
      written += Number(inserted?.["Count"])
    }
    const found = (yield* rowCount(merger, to)) - before
    if (found === written) return
    const message = `merging ${def.name}: ${written} rows written, ${found} found`
    return yield* new DuckDbError({ message })
  })

/** Puts the tail, as far as the floor, behind the base: one more sorted run. */
const addRun = (store: Store, { def, tail }: Due, floor: number, pieceRows: number) => {
  const from = `(SELECT * FROM ${tailName(def)} WHERE seq <= ${floor})`
  return writeSorted(store, { def, from, rows: tail, to: def.name }, pieceRows)
}

/** Writes base and tail, as far as the floor, to a new base in the order of the key. */
const rewrite = (store: Store, { def, tail, base }: Due, floor: number, pieceRows: number) =>
  Effect.gen(function* () {
    const { merger } = store
    const { name } = def
    const from = `(SELECT * FROM ${name}
      UNION ALL SELECT * FROM ${tailName(def)} WHERE seq <= ${floor})`
    const to = `${name}_next`
    yield* merger.run(`CREATE TABLE ${to} AS SELECT * FROM ${name} WHERE FALSE`)
    yield* writeSorted(store, { def, from, rows: tail + base, to }, pieceRows)
    yield* merger.run(`DROP TABLE ${name}`)
    yield* merger.run(`ALTER TABLE ${name}_next RENAME TO ${name}`)
  })

const runsName = ({ name }: TableDef): string => `${RUNS_PREFIX}${name}`

/** Moves the tail, as far as the floor, into the base. */
const merge = (store: Store, due: Due, floor: number, pieceRows: number) =>
  Effect.gen(function* () {
    const { merger } = store
    const { def } = due
    const runs = Number((yield* readMeta(merger, runsName(def))) ?? 0)
    const isRun = addsRuns(def) && runs < MOST_RUNS
    yield* (isRun ? addRun : rewrite)(store, due, floor, pieceRows)
    if (addsRuns(def)) yield* writeMeta(merger, runsName(def), String(isRun ? runs + 1 : 1))
    if (def.shape === "index") return yield* merger.run(viewStatement(def, floor))
    // not made anew: the writer appends to it
    yield* merger.run(`DELETE FROM ${tailName(def)} WHERE seq <= ${floor}`)
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
      const tail = yield* rowCount(store.merger, `${tailName(def)} WHERE seq <= ${floor.seq}`)
      const base = yield* rowCount(store.merger, def.name)
      if (tail >= Math.max(minTailRows, base * share)) due.push({ def, tail, base })
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
