/**
 * A lane's DuckDB file: the tables of its projections, and the commits that filled them. Rows and
 * log position are written in one transaction, so a kill at any moment leaves the file at a commit.
 */
import { Data, Effect, type Scope } from "effect"
import type { Connection, Database, DuckDbError, Row } from "../../src/platform/duckdb.ts"
import { openDuckDb } from "../../src/platform/duckdb-local.ts"
import { openDuckDbThread } from "../../src/platform/duckdb-thread.ts"
import { LOG_START, type LogPosition } from "../log/segment.ts"
import { keyRanges } from "./key-ranges.ts"
import { MERGED_PREFIX, type Merged, readMerged } from "./merged.ts"
import { openReaders, type Readers } from "./readers.ts"
import {
  daysText,
  KEEP_ALL,
  type KeptFrom,
  keptFrom,
  NOTHING_LEFT,
  RETENTION_SETTINGS,
  type Retention,
  ROW_CLASSES,
  type RowClass,
  retentionOf,
  retentionText
} from "./retention.ts"
import type { RowBuffer } from "./row-buffer.ts"
import type { SlotTable } from "./slot-table.ts"
import {
  allRows,
  createStatements,
  currentRows,
  cutoffStatements,
  digestQuery,
  isKeyed,
  rowsName,
  type TableDef,
  tailName,
  viewStatement,
  writtenTables
} from "./table.ts"

/** A commit: the log position that it reached, and its newest block (time in Unix seconds). */
export interface Commit extends LogPosition {
  readonly block: number
  readonly blockTime: number
}

export const NO_COMMIT: Commit = { ...LOG_START, block: 0, blockTime: 0 }

export interface TableDigest {
  readonly name: string
  readonly rows: string
  readonly digest: string
}

export interface Store {
  readonly database: Database
  /** the writer's connection */
  readonly writer: Connection
  /** merges tables beside the writer's transactions */
  readonly merger: Connection
  readonly readers: Readers
  readonly tables: ReadonlyArray<TableDef>
  /** how long rows are kept that leave */
  readonly retention: Retention
  /** from when on readers see them, as of the newest commit */
  keptFrom: KeptFrom
  /** up to which positions indices are merged */
  readonly merged: Merged
}

const CREATE_COMMITS = `CREATE TABLE IF NOT EXISTS lane_commits (
  seq BIGINT, stream_seq BIGINT, hash VARCHAR, block BIGINT, block_time BIGINT)`
const CREATE_ROLLBACKS = `CREATE TABLE IF NOT EXISTS lane_rollbacks (
  seq BIGINT, to_seq BIGINT, from_block BIGINT, to_block BIGINT, since_time BIGINT,
  commit_seq BIGINT)`
const CREATE_META = "CREATE TABLE IF NOT EXISTS lane_meta (name VARCHAR, value VARCHAR)"

/**
 * When DuckDB makes a checkpoint. Most of a backfill's cost is writing everything twice, once to
 * the WAL and once at a checkpoint, so checkpoints are rare. There is none while the file is
 * copied: between two checkpoints DuckDB overwrites nothing that the file's header leads to.
 */
export const CHECKPOINT_OFTEN = "SET checkpoint_threshold = '256MB'"
export const CHECKPOINT_NEVER = "SET checkpoint_threshold = '1TB'"

/** Prefix of the values in `lane_meta` that hold the number of sorted runs of a table's base. */
export const RUNS_PREFIX = "runs of "

/** Names the lane's value that says up to which time rows of a class were removed, Unix seconds. */
export const removedName = (rows: RowClass): string => `${rows} rows removed before`

export interface StoreOptions {
  /** number of DuckDB's threads */
  readonly threads: number
  /** megabytes that DuckDB's buffers may take */
  readonly databaseMb?: number | undefined
  /** code of the thread on which DuckDB is to run; without it DuckDB runs on the calling thread */
  readonly database?: URL | undefined
  /** whether the file is only read; then its tables must exist */
  readonly readOnly?: boolean
  /** how long rows are kept that leave; as the file was opened last by default, else all */
  readonly retention?: Retention
  /** what the tables are made of (`signatureOf`); those that another made are refused */
  readonly signature?: string
}

/** The tables were made by other projections, other versions of them, or with other settings. */
export class OutdatedTables extends Data.TaggedError("OutdatedTables")<{
  readonly found: string
  readonly wanted: string
}> {}

const SIGNATURE = "signature"

/** Refuses tables that another signature made; notes the signature of new ones. */
const signed = (writer: Connection, wanted: string, readOnly: boolean) =>
  Effect.gen(function* () {
    const signature = yield* readMeta(writer, SIGNATURE)
    if (signature !== null && signature !== wanted)
      return yield* new OutdatedTables({ found: signature, wanted })
    if (signature === null && !readOnly) yield* writeMeta(writer, SIGNATURE, wanted)
  })

/** Refuses tables that lack rows which are to be kept. */
const complete = ({ writer, keptFrom, retention }: Store) =>
  Effect.forEach(ROW_CLASSES, rows =>
    Effect.gen(function* () {
      const removed = yield* removedBefore(writer, rows)
      if (removed <= keptFrom[rows]) return
      const kept = `rows from ${new Date(removed * 1000).toISOString().slice(0, 10)} on`
      const wanted = `${RETENTION_SETTINGS[rows]}=${daysText(retention[rows])}`
      return yield* new OutdatedTables({ found: kept, wanted })
    })
  )

/** Names the lane's value that says how long rows are kept. */
const RETENTION = "days kept"

/** Opens the file and creates missing tables. The scope closes it. */
export const openStore = (
  path: string,
  tables: ReadonlyArray<TableDef>,
  options: StoreOptions
): Effect.Effect<Store, DuckDbError | OutdatedTables, Scope.Scope> =>
  Effect.gen(function* () {
    const { threads, database: entry, readOnly = false, signature, databaseMb: memoryMb } = options
    const opening = { threads, readOnly, memoryMb }
    const database = yield* entry === undefined
      ? openDuckDb(path, opening)
      : openDuckDbThread(entry, path, opening)
    const writer = yield* database.connect
    const merger = yield* database.connect
    const readers = yield* openReaders(database)
    const opened = Effect.gen(function* () {
      const noted = yield* readMeta(writer, RETENTION)
      const stored = noted === null ? KEEP_ALL : retentionOf(noted)
      const retention = readOnly ? stored : (options.retention ?? stored)
      const kept = keptFrom(retention, (yield* lastCommit(writer)).blockTime)
      const parts = { database, writer, merger, readers, merged: yield* readMerged(writer) }
      return { ...parts, tables, retention, keptFrom: kept } satisfies Store
    })
    if (readOnly) {
      if (signature !== undefined) yield* signed(writer, signature, readOnly)
      return yield* opened
    }
    yield* writer.run(CHECKPOINT_OFTEN)
    yield* writer.run("BEGIN TRANSACTION")
    yield* writer.run(CREATE_COMMITS)
    yield* writer.run(CREATE_ROLLBACKS)
    yield* writer.run(CREATE_META)
    if (signature !== undefined) yield* signed(writer, signature, readOnly)
    // one statement for all: each by itself would cost a round trip to DuckDB's thread
    if (tables.length > 0) yield* writer.run(tables.flatMap(createStatements).join(";\n"))
    const store = yield* opened
    yield* writeMeta(writer, RETENTION, retentionText(store.retention))
    const views = tables.flatMap(def => cutoffStatements(def, store.keptFrom, NOTHING_LEFT))
    if (views.length > 0) yield* writer.run(views.join(";\n"))
    yield* complete(store)
    yield* writer.run("COMMIT")
    return store
  })

/** Returns a row of `lane_commits` as a commit; `NO_COMMIT` where there is no row. */
export const commitOf = (row: Row | undefined): Commit =>
  row === undefined
    ? NO_COMMIT
    : {
        seq: Number(row["seq"]),
        streamSeq: Number(row["stream_seq"]),
        hash: String(row["hash"]),
        block: Number(row["block"]),
        blockTime: Number(row["block_time"])
      }

/** Returns the newest commit, or the newest one at or before `atOrBefore`. */
export const lastCommit = (connection: Connection, atOrBefore?: number) =>
  connection
    .rows(
      `SELECT * FROM lane_commits ${atOrBefore === undefined ? "" : `WHERE seq <= ${atOrBefore}`}
       ORDER BY seq DESC LIMIT 1`
    )
    .pipe(Effect.map(rows => commitOf(rows[0])))

/** Returns a named value of the lane (schema signature, compaction floor); null where none is. */
export const readMeta = (connection: Connection, name: string) =>
  connection
    .rows(`SELECT value FROM lane_meta WHERE name = '${name}'`)
    .pipe(Effect.map(rows => (rows[0] === undefined ? null : String(rows[0]["value"]))))

/** Returns the time before which rows were removed for good, in Unix seconds; 0 for none. */
export const removedBefore = (connection: Connection, rows: RowClass) =>
  Effect.map(readMeta(connection, removedName(rows)), value => Number(value ?? 0))

export const writeMeta = (connection: Connection, name: string, value: string) =>
  connection
    .run(`DELETE FROM lane_meta WHERE name = '${name}'`)
    .pipe(
      Effect.andThen(
        connection.run(`INSERT INTO lane_meta VALUES ('${name}', '${value.replaceAll("'", "''")}')`)
      )
    )

/** Appends the rows of a buffer within the open transaction, and empties the buffer. */
export const flushRows = (
  store: Store,
  rows: RowBuffer<never>
): Effect.Effect<void, DuckDbError> =>
  rows.count === 0
    ? Effect.void
    : store.writer
        .append(tailName(rows.def), rows.physical())
        .pipe(Effect.tap(() => Effect.sync(() => rows.clear())))

/**
 * Appends the commit's row and commits the open transaction. A commit of another day
 * moves the time from which on readers see rows that leave.
 */
export const commit = (store: Store, at: Commit): Effect.Effect<void, DuckDbError> => {
  const kept = keptFrom(store.retention, at.blockTime)
  const views = store.tables.flatMap(def => cutoffStatements(def, kept, store.keptFrom))
  const row = `INSERT INTO lane_commits VALUES
    (${at.seq}, ${at.streamSeq}, '${at.hash}', ${at.block}, ${at.blockTime})`
  return Effect.tap(store.writer.run([...views, row, "COMMIT"].join(";\n")), () =>
    Effect.sync(() => {
      store.keptFrom = kept
    })
  )
}

/** Returns the slots of a state table that have versions after `seq`. */
const touchedSlots = (store: Store, def: TableDef, seq: number) =>
  store.writer
    .rows(`SELECT DISTINCT ${def.key[0]} AS slot FROM ${tailName(def)} WHERE seq > ${seq}`)
    .pipe(Effect.map(rows => rows.map(row => Number(row["slot"]))))

/**
 * Returns SQL of a version's age among those of its slot: by bucket where it has one, then by seq.
 */
const ageOf = ([, bucket]: ReadonlyArray<string>): string =>
  bucket === undefined ? "seq" : `(${bucket}::HUGEINT * 1099511627776 + seq)`

/**
 * Returns SQL of the present row of each slot of a state table, of its newest bucket where it has
 * buckets, whether readers see it or not: before a rollback they see fewer rows that leave. It
 * joins by the greatest age of a slot, which takes a fifth of the time of ranking all versions.
 *
 * @param slots a WHERE clause that limits the slots; empty for all
 */
const currentOfSlots = ({ key, ...def }: TableDef, slots: string): string => {
  const both = writtenTables({ key, ...def })
    .map(name => `SELECT *, ${ageOf(key)} AS age FROM ${name} ${slots}`)
    .join(" UNION ALL ")
  const [slot] = key
  return `WITH versions AS (${both}),
    newest AS (SELECT ${slot}, max(age) AS age FROM versions GROUP BY ${slot})
    SELECT versions.* FROM versions JOIN newest USING (${slot}, age) ORDER BY ${slot}`
}

/** Loads the present rows of all slots into a slot table. */
export const loadSlots = (
  store: Store,
  slots: SlotTable<never>
): Effect.Effect<void, DuckDbError> =>
  store.writer.rows(currentOfSlots(slots.def, "")).pipe(
    Effect.map(rows => {
      for (const row of rows) slots.load(row)
    })
  )

/**
 * Reads some slots again. Slots without a stored row are emptied, those behind the last cut off.
 */
const reloadSlots = (store: Store, table: SlotTable<never>, touched: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    if (touched.length === 0) return
    const key = table.def.key[0] as string
    const rows = yield* store.writer.rows(
      currentOfSlots(table.def, `WHERE ${key} IN (${touched.join(",")})`)
    )
    for (const slot of touched) table.clear(slot)
    for (const row of rows) table.load(row)
    const highest = yield* store.writer.rows(
      `SELECT max(top) AS top FROM (${writtenTables(table.def)
        .map(name => `SELECT max(${key}) AS top FROM ${name}`)
        .join(" UNION ALL ")})`
    )
    const top = highest[0]?.["top"]
    table.truncate(top === null || top === undefined ? 0 : Number(top) + 1)
  })

/**
 * Takes all tables back to the commit `to` within the open transaction: deletes later rows and
 * versions, reads touched slots again, and drops uncommitted changes.
 */
export const rollbackTables = (
  store: Store,
  states: ReadonlyArray<SlotTable<never>>,
  to: Commit
): Effect.Effect<void, DuckDbError> =>
  Effect.gen(function* () {
    for (const table of states) {
      const uncommitted = table.discard()
      const stored = yield* touchedSlots(store, table.def, to.seq)
      const touched = [...new Set([...uncommitted, ...stored])]
      if (stored.length > 0) {
        yield* store.writer.run(`DELETE FROM ${tailName(table.def)} WHERE seq > ${to.seq}`)
      }
      yield* reloadSlots(store, table, touched)
    }
    for (const def of store.tables) {
      if (def.shape !== "append") continue
      yield* store.writer.run(`DELETE FROM ${rowsName(def)} WHERE seq > ${to.seq}`)
    }
    yield* store.writer.run(`DELETE FROM lane_commits WHERE seq > ${to.seq}`)
  })

/** Empties every table within the open transaction: the state before the first event. */
export const clearTables = (
  store: Store,
  states: ReadonlyArray<SlotTable<never>>
): Effect.Effect<void, DuckDbError> =>
  Effect.gen(function* () {
    for (const table of states) {
      table.discard()
      table.truncate(0)
    }
    for (const name of [...store.tables.flatMap(writtenTables), "lane_commits"]) {
      yield* store.writer.run(`DELETE FROM ${name}`)
    }
    for (const def of store.tables) {
      if (def.select !== undefined) yield* store.writer.run(viewStatement(def, 0))
    }
    const names = ["compacted_seq", ...ROW_CLASSES.map(removedName)].map(name => `'${name}'`)
    yield* store.writer.run(
      `DELETE FROM lane_meta WHERE name IN (${names.join(", ")})
       OR name LIKE '${RUNS_PREFIX}%' OR name LIKE '${MERGED_PREFIX}%'`
    )
    store.merged.clear()
  })

/** Returns the pieces in which a digest reads a table: versions are ranked, which takes memory. */
const digestRanges = (connection: Connection, def: TableDef, pieceRows?: number) =>
  isKeyed(def)
    ? connection
        .rows(`SELECT count(*) AS n FROM ${allRows(def)}`)
        .pipe(
          Effect.flatMap(rows =>
            keyRanges(
              connection,
              { source: allRows(def), key: def.key[0] as string },
              Number(rows[0]?.["n"] ?? 0),
              pieceRows
            )
          )
        )
    : Effect.succeed(["TRUE"])

/** Returns the digests of all tables, in order of declaration. */
export const digests = (
  connection: Connection,
  tables: ReadonlyArray<TableDef>,
  withSeq = true,
  pieceRows?: number
): Effect.Effect<ReadonlyArray<TableDigest>, DuckDbError> =>
  Effect.forEach(tables, def =>
    Effect.gen(function* () {
      let [rows, digest] = [0n, 0n]
      for (const range of yield* digestRanges(connection, def, pieceRows)) {
        const [part] = yield* connection.rows(digestQuery(def, withSeq, range))
        rows += BigInt(String(part?.["rows"]))
        digest += BigInt(String(part?.["digest"]))
      }
      return { name: def.name, rows: String(rows), digest: String(digest) }
    })
  )

/** Returns the rows of a table's present state, for tests and tools. */
export const rowsOf = (connection: Connection, def: TableDef) =>
  connection.rows(`SELECT * FROM ${currentRows(def)}`)
