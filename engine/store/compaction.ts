/**
 * Merges rows that can no longer be rolled back from a table's tail into its base, which is a few
 * sorted runs: of a `state` table the newest version of each key, of others all rows. A table is
 * merged when its tail has outgrown a share of its base. Before that rows leave that are kept no
 * longer, and what they are rolled up to becomes rows.
 *
 * A merge runs on a connection of its own beside the writer's commits, in one transaction per
 * table. Commits append behind the floor, so merge and commits never touch the rows of each other.
 * A rollback, which deletes, must not run meanwhile, nor a second merge. A merge that fails leaves
 * the table as it was.
 */
import { Effect } from "effect"
import { type Connection, DuckDbError } from "../../src/platform/duckdb.ts"
import { keyRanges, PIECE_ROWS } from "./key-ranges.ts"
import { mergedName } from "./merged.ts"
import { type KeptFrom, keptFrom, ROW_CLASSES, type RowClass } from "./retention.ts"
import {
  type Commit,
  commitOf,
  RUNS_PREFIX,
  readMeta,
  removedBefore,
  removedName,
  type Store,
  writeMeta
} from "./store.ts"
import {
  declaredColumns,
  insertStatement,
  keptRows,
  partsName,
  rolledUp,
  rowsName,
  type TableDef,
  tailName,
  viewStatement
} from "./table.ts"

/**
 * Sorted runs of a base at most. Each run was a good part of the base of its time, so large tables
 * have few as well. A reader of one key looks at a row group of each run.
 */
const MAX_BASE_RUNS = 16

/**
 * Whether a table's base may have several runs. Where most rows are the last of their key, to write
 * all of them again whenever the tail has grown would be wasted work.
 */
const addsRuns = ({ shape, key }: TableDef): boolean => shape === "index" || key.length > 1

const rowCount = (merger: Connection, name: string) =>
  merger
    .rows(`SELECT count(*) AS n FROM ${name}`)
    .pipe(Effect.map(rows => Number(rows[0]?.["n"] ?? 0)))

/** A table to be merged, with the numbers of rows of its tail and its base. */
interface Due {
  readonly def: TableDef
  readonly tail: number
  readonly base: number
  /** condition on rows that stay */
  readonly keep: string
  /** whether so many rows leave that the base is written anew */
  readonly isStale: boolean
}

/** Rows to be written to a base. */
interface Source {
  readonly def: TableDef
  /** a table expression */
  readonly from: string
  readonly rows: number
  /** the table they go to */
  readonly to: string
}

/** Writes rows to a table in the order of the key, piece by piece. Fails if any row is missing. */
const writeSorted = ({ merger }: Store, { def, from, rows, to }: Source, pieceRows: number) =>
  Effect.gen(function* () {
    const key = def.key.join(", ")
    const newest =
      def.shape === "state"
        ? `QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1`
        : ""
    const before = yield* rowCount(merger, to)
    let written = 0
    const cut = { source: from, key: def.key[0] as string, within: def.key[1] }
    for (const range of yield* keyRanges(merger, cut, rows, pieceRows)) {
      const some = yield* merger.rows(`SELECT 1 FROM ${from} WHERE ${range} LIMIT 1`)
      // after a sorted insert of no rows DuckDB 1.5.6 loses the rows of the next insert
      if (some.length === 0) continue
      const [inserted] = yield* merger.rows(
        insertStatement(def, to, `SELECT * FROM ${from} WHERE ${range} ${newest} ORDER BY ${key}`)
      )
      written += Number(inserted?.["Count"])
    }
    const added = (yield* rowCount(merger, to)) - before
    if (added === written) return
    const message = `merging ${def.name}: ${written} rows written, ${added} found`
    return yield* new DuckDbError({ message })
  })

/**
 * Appends the tail up to the floor to the base, as one more sorted run. Rows that are to be removed
 * are dropped.
 */
const addRun = (store: Store, { def, tail, keep }: Due, floor: number, pieceRows: number) => {
  const from = `(SELECT * FROM ${tailName(def)} WHERE seq <= ${floor} AND ${keep})`
  return writeSorted(store, { def, from, rows: tail, to: rowsName(def) }, pieceRows)
}

/**
 * Writes base and tail, up to the floor, to a new base in the order of the key. Rows that are to
 * be removed are dropped.
 */
const rewrite = (store: Store, { def, tail, base, keep }: Due, floor: number, pieceRows: number) =>
  Effect.gen(function* () {
    const { merger } = store
    const name = rowsName(def)
    const from = `(SELECT * FROM ${name} WHERE ${keep}
      UNION ALL SELECT * FROM ${tailName(def)} WHERE seq <= ${floor} AND ${keep})`
    const to = `${name}_next`
    yield* merger.run(`CREATE TABLE ${to} (${declaredColumns(def)})`)
    yield* writeSorted(store, { def, from, rows: tail + base, to }, pieceRows)
    yield* merger.run(`DROP TABLE ${name}`)
    yield* merger.run(`ALTER TABLE ${name}_next RENAME TO ${name}`)
  })

const runsName = ({ name }: TableDef): string => `${RUNS_PREFIX}${name}`

/** Moves the tail up to the floor into the base. */
const merge = (store: Store, due: Due, floor: number, pieceRows: number) =>
  Effect.gen(function* () {
    const { merger } = store
    const { def } = due
    const runs = Number((yield* readMeta(merger, runsName(def))) ?? 0)
    const isRun = addsRuns(def) && runs < MAX_BASE_RUNS && !due.isStale
    yield* (isRun ? addRun : rewrite)(store, due, floor, pieceRows)
    if (addsRuns(def)) yield* writeMeta(merger, runsName(def), String(isRun ? runs + 1 : 1))
    if (def.shape === "index") {
      yield* writeMeta(merger, mergedName(def), String(floor))
      return yield* merger.run(viewStatement(def, floor))
    }
    // the writer appends to the tail, so it is emptied and not replaced
    yield* merger.run(`DELETE FROM ${tailName(def)} WHERE seq <= ${floor}`)
  })

const transaction = <A, E>(store: Store, work: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    yield* store.merger.run("BEGIN TRANSACTION")
    yield* work
    yield* store.merger.run("COMMIT")
  }).pipe(Effect.tapError(() => Effect.ignore(store.merger.run("ROLLBACK"))))

const ALL = "TRUE"
/** Share of a base's rows that are removed at least when it is written anew for their sake. */
const STALE_SHARE = 0.5

const staleRows = (store: Store, def: TableDef, keep: string) =>
  rowCount(store.merger, `${rowsName(def)} WHERE NOT (${keep})`)

/** To roll a row up takes so many times the memory that it takes to sort it. */
const ROLLED_UP_COST = 4

/** Seconds that are rolled up at once: 28 days, of which no slot has more rows than a piece. */
const STRETCH = 28 * 86_400

/** Makes rows of a `rollup` of what is to be removed of the table that it rolls up. */
const rollUp = ({ merger }: Store, def: TableDef, removal: Removal, pieceRows: number) =>
  Effect.gen(function* () {
    const { before, floor } = removal
    const by = def.rollsUp?.leaves?.by
    const all = `(SELECT * FROM ${partsName(def)} WHERE ${by} < ${before} AND seq <= ${floor})`
    const [oldest] = yield* merger.rows(`SELECT min(${by}) AS t FROM ${all}`)
    const first = Number(oldest?.["t"] ?? before)
    for (let since = first - (first % STRETCH); since < before; since += STRETCH) {
      const until = Math.min(since + STRETCH, before)
      const old = `${by} >= ${since} AND ${by} < ${until} AND seq <= ${floor}`
      const from = `(SELECT * FROM ${partsName(def)} WHERE ${old})`
      const rows = yield* rowCount(merger, from)
      const piece = Math.ceil(pieceRows / ROLLED_UP_COST)
      for (const range of yield* keyRanges(
        merger,
        { source: from, key: def.key[0] as string },
        rows,
        piece
      )) {
        const sql = rolledUp(def, `${range} AND ${old}`, floor)
        yield* merger.run(insertStatement(def, tailName(def), sql))
      }
    }
    yield* merger.run(viewStatement(def, before))
  })

/** What leaves for good. */
interface Removal {
  readonly rows: RowClass
  /** Unix seconds */
  readonly before: number
  /** a position that no rollback reaches behind */
  readonly floor: number
}

/**
 * Lets rows go. Those of append tables stand in the order of the log, so they are whole row groups
 * at the front, which DuckDB gives back at its next checkpoint; those of others are left out when
 * their base is written anew.
 */
const remove = (store: Store, removal: Removal, pieceRows: number) =>
  Effect.gen(function* () {
    const { rows, before } = removal
    for (const def of store.tables) {
      if (def.rollsUp?.leaves?.after === rows) yield* rollUp(store, def, removal, pieceRows)
      if (def.shape !== "append" || def.leaves?.after !== rows) continue
      yield* store.merger.run(`DELETE FROM ${rowsName(def)} WHERE ${def.leaves.by} < ${before}`)
    }
    yield* writeMeta(store.merger, removedName(rows), String(before))
  })

/** What may leave by the time of the commit `floor`, and has not. */
const removalsAt = (store: Store, floor: Commit, kept: KeptFrom) =>
  Effect.filter(
    ROW_CLASSES.map((rows): Removal => ({ rows, before: kept[rows], floor: floor.seq })),
    ({ rows, before }) => Effect.map(removedBefore(store.merger, rows), done => before > done)
  )

export interface CompactOptions {
  /** a tail with fewer rows is not merged */
  readonly minTailRows: number
  /** a tail that is smaller than this share of the base is not merged */
  readonly share?: number
  /** likewise where it becomes one more run of the base; `share` if it is not given */
  readonly runShare?: number
  /** rows that are sorted at once */
  readonly pieceRows?: number
}

/**
 * Compacts the tables that need it up to the commit `floor`, below which no rollback reaches.
 * Returns the names of those tables.
 */
export const compact = (
  store: Store,
  floor: Commit,
  { minTailRows, share = 0.5, runShare = share, pieceRows = PIECE_ROWS }: CompactOptions
): Effect.Effect<ReadonlyArray<string>, DuckDbError> =>
  Effect.gen(function* () {
    const kept = keptFrom(store.retention, floor.blockTime)
    const due: Array<Due> = []
    for (const def of store.tables) {
      if (def.shape === "append") continue
      const tail = yield* rowCount(store.merger, `${tailName(def)} WHERE seq <= ${floor.seq}`)
      const base = yield* rowCount(store.merger, rowsName(def))
      const keep = keptRows(def, kept) ?? ALL
      const isStale = keep !== ALL && (yield* staleRows(store, def, keep)) > base * STALE_SHARE
      const least = base * (addsRuns(def) ? runShare : share)
      if (isStale || tail >= Math.max(minTailRows, least)) {
        due.push({ def, tail, base, keep, isStale })
      }
    }
    const removals = yield* removalsAt(store, floor, kept)
    if (due.length === 0 && removals.length === 0) return []
    // before any table is merged no rollback may reach behind the floor any more
    yield* transaction(
      store,
      Effect.andThen(
        store.merger.run(`DELETE FROM lane_commits WHERE seq < ${floor.seq}`),
        writeMeta(store.merger, "compacted_seq", String(floor.seq))
      )
    )
    for (const removal of removals) {
      yield* transaction(store, remove(store, removal, pieceRows))
    }
    for (const one of due) {
      yield* transaction(store, merge(store, one, floor.seq, pieceRows))
      if (one.def.shape === "index") store.merged.set(one.def.name, floor.seq)
    }
    return due.map(({ def }) => def.name)
  })

/**
 * Returns the newest commit at least `finalityDepth` blocks below the newest block; null for none.
 */
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
