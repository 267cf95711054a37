/**
 * Folds what can no longer be rolled back from a table's tail into its sorted base: the newest
 * version of each key for `state`, all rows for `index`. Runs between commits, a transaction a
 * table, when the tail has outgrown half of the base, so that the work per row stays even.
 */
import { Effect } from "effect"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import { keyRanges, PIECE_ROWS } from "./key-ranges.ts"
import { type Commit, type Store, writeMeta } from "./store.ts"
import { type TableDef, tailName, viewStatement } from "./table.ts"

const rowCount = (store: Store, name: string) =>
  store.writer
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
    const { writer } = store
    const tail = tailName(def)
    const key = def.key.join(", ")
    const merged = `(SELECT * FROM ${def.name} UNION ALL SELECT * FROM ${tail} WHERE seq <= ${floor})`
    const newest =
      def.shape === "state"
        ? `QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1`
        : ""
    const ranges = yield* keyRanges(writer, merged, def.key[0] as string, rows, pieceRows)
    yield* writer.run(`CREATE TABLE ${def.name}_next AS SELECT * FROM ${def.name} WHERE FALSE`)
    for (const range of ranges) {
      yield* writer.run(
        `INSERT INTO ${def.name}_next
         SELECT * FROM ${merged} WHERE ${range} ${newest} ORDER BY ${key}`
      )
    }
    yield* writer.run(`DROP TABLE ${def.name}`)
    yield* writer.run(`ALTER TABLE ${def.name}_next RENAME TO ${def.name}`)
    if (def.shape === "index") return yield* writer.run(viewStatement(def, floor))
    yield* writer.run(`CREATE TABLE ${tail}_next AS SELECT * FROM ${tail} WHERE seq > ${floor}`)
    yield* writer.run(`DROP TABLE ${tail}`)
    yield* writer.run(`ALTER TABLE ${tail}_next RENAME TO ${tail}`)
  })

const transaction = <A, E>(store: Store, work: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    yield* store.writer.run("BEGIN TRANSACTION")
    yield* work
    yield* store.writer.run("COMMIT")
  })

export interface CompactOptions {
  /** rows that a tail has at least when it is merged */
  readonly minTailRows: number
  /** tables merged at most; all that need it, where it is left out */
  readonly most?: number
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
  { minTailRows, most = Number.POSITIVE_INFINITY, pieceRows = PIECE_ROWS }: CompactOptions
): Effect.Effect<ReadonlyArray<string>, DuckDbError> =>
  Effect.gen(function* () {
    const due: Array<Due> = []
    for (const def of store.tables) {
      if (def.shape === "append" || due.length >= most) continue
      const tail = yield* rowCount(store, `${tailName(def)} WHERE seq <= ${floor.seq}`)
      const base = yield* rowCount(store, def.name)
      if (tail >= Math.max(minTailRows, base / 2)) due.push({ def, rows: tail + base })
    }
    if (due.length === 0) return []
    // first of all nobody may go back behind the floor any more
    yield* transaction(
      store,
      Effect.andThen(
        store.writer.run(`DELETE FROM lane_commits WHERE seq < ${floor.seq}`),
        writeMeta(store.writer, "compacted_seq", String(floor.seq))
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
