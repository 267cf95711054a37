/**
 * A lane's DuckDB file: tables of its projections and the commits that filled them. Rows and log
 * position go in one transaction, so a kill at any moment leaves the file at some commit.
 */
import { Effect, type Scope } from "effect"
import type { Connection, Database, DuckDbError, Row } from "../../src/platform/duckdb.ts"
import { openDuckDb } from "../../src/platform/duckdb-local.ts"
import { openDuckDbThread } from "../../src/platform/duckdb-thread.ts"
import { LOG_START, type LogPosition } from "../log/segment.ts"
import { keyRanges } from "./key-ranges.ts"
import type { RowBuffer } from "./row-buffer.ts"
import type { SlotTable } from "./slot-table.ts"
import {
  allRows,
  createStatements,
  currentRows,
  digestQuery,
  physicalTables,
  type TableDef,
  tailName,
  viewStatement,
  writtenTables
} from "./table.ts"

/** A commit: the log position it reached and the newest block in it. */
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
  readonly tables: ReadonlyArray<TableDef>
}

const CREATE_COMMITS = `CREATE TABLE IF NOT EXISTS lane_commits (
  seq BIGINT, stream_seq BIGINT, hash VARCHAR, block BIGINT, block_time BIGINT)`
const CREATE_ROLLBACKS = `CREATE TABLE IF NOT EXISTS lane_rollbacks (
  seq BIGINT, to_seq BIGINT, from_block BIGINT, to_block BIGINT)`
const CREATE_META = "CREATE TABLE IF NOT EXISTS lane_meta (name VARCHAR, value VARCHAR)"

/**
 * Most of a backfill's cost is writing everything twice: once to the WAL, once at a checkpoint. So
 * that comes rarely, and not at all while the file is copied: between two of them DuckDB overwrites
 * nothing that the file's header leads to.
 */
export const CHECKPOINT_OFTEN = "SET checkpoint_threshold = '256MB'"
export const CHECKPOINT_NEVER = "SET checkpoint_threshold = '1TB'"

/** Names of the lane's values that tell of how many sorted runs a table's base is. */
export const RUNS_PREFIX = "runs of "

export interface StoreOptions {
  /** DuckDB's */
  readonly threads: number
  /** starts the thread on which DuckDB runs; without it it runs on this one */
  readonly database?: URL | undefined
  /** the file is only read, and must have its tables */
  readonly readOnly?: boolean
}

/** Opens the file and creates missing tables. */
export const openStore = (
  path: string,
  tables: ReadonlyArray<TableDef>,
  options: StoreOptions
): Effect.Effect<Store, DuckDbError, Scope.Scope> =>
  Effect.gen(function* () {
    const { threads, database: entry, readOnly = false } = options
    const database = yield* entry === undefined
      ? openDuckDb(path, { threads, readOnly })
      : openDuckDbThread(entry, path, { threads, readOnly })
    const writer = yield* database.connect
    const merger = yield* database.connect
    if (readOnly) return { database, writer, merger, tables }
    yield* writer.run(CHECKPOINT_OFTEN)
    yield* writer.run("BEGIN TRANSACTION")
    yield* writer.run(CREATE_COMMITS)
    yield* writer.run(CREATE_ROLLBACKS)
    yield* writer.run(CREATE_META)
    // at once: each by itself is a round trip, and takes as long again
    if (tables.length > 0) yield* writer.run(tables.flatMap(createStatements).join(";\n"))
    yield* writer.run("COMMIT")
    return { database, writer, merger, tables }
  })

/** A row of `lane_commits`. */
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

/** The newest commit, or the newest at or before `seq`. */
export const lastCommit = (connection: Connection, atOrBefore?: number) =>
  connection
    .rows(
      `SELECT * FROM lane_commits ${atOrBefore === undefined ? "" : `WHERE seq <= ${atOrBefore}`}
       ORDER BY seq DESC LIMIT 1`
    )
    .pipe(Effect.map(rows => commitOf(rows[0])))

/** A named value of the lane (schema signature, compaction floor). */
export const readMeta = (connection: Connection, name: string) =>
  connection
    .rows(`SELECT value FROM lane_meta WHERE name = '${name}'`)
    .pipe(Effect.map(rows => (rows[0] === undefined ? null : String(rows[0]["value"]))))

export const writeMeta = (connection: Connection, name: string, value: string) =>
  connection
    .run(`DELETE FROM lane_meta WHERE name = '${name}'`)
    .pipe(
      Effect.andThen(
        connection.run(`INSERT INTO lane_meta VALUES ('${name}', '${value.replaceAll("'", "''")}')`)
      )
    )

/** Appends the rows of a buffer and empties it; inside the open transaction. */
export const flushRows = (
  store: Store,
  rows: RowBuffer<never>
): Effect.Effect<void, DuckDbError> =>
  rows.count === 0
    ? Effect.void
    : store.writer
        .append(tailName(rows.def), rows.physical())
        .pipe(Effect.tap(() => Effect.sync(() => rows.clear())))

/** Appends the commit's row and makes everything since `begin` durable. */
export const commit = (store: Store, at: Commit): Effect.Effect<void, DuckDbError> =>
  store.writer.run(
    `INSERT INTO lane_commits VALUES
       (${at.seq}, ${at.streamSeq}, '${at.hash}', ${at.block}, ${at.blockTime});
       COMMIT`
  )

/** Slots of a state table with versions after `seq`. */
const touchedSlots = (store: Store, def: TableDef, seq: number) =>
  store.writer
    .rows(`SELECT DISTINCT ${def.key[0]} AS slot FROM ${tailName(def)} WHERE seq > ${seq}`)
    .pipe(Effect.map(rows => rows.map(row => Number(row["slot"]))))

/** A version's place among those of its slot: the bucket first, if it has buckets. */
const ageOf = ([, bucket]: ReadonlyArray<string>): string =>
  bucket === undefined ? "seq" : `(${bucket}::HUGEINT * 1099511627776 + seq)`

/**
 * Current rows of a state table for its slots: the newest bucket of each, if it has buckets. Found
 * by the greatest age of each slot, which takes a fifth of the time of ranking all versions.
 */
const currentOfSlots = ({ key, ...def }: TableDef, slots: string): string => {
  const both = physicalTables({ key, ...def })
    .map(name => `SELECT *, ${ageOf(key)} AS age FROM ${name} ${slots}`)
    .join(" UNION ALL ")
  const [slot] = key
  return `WITH versions AS (${both}),
    newest AS (SELECT ${slot}, max(age) AS age FROM versions GROUP BY ${slot})
    SELECT versions.* FROM versions JOIN newest USING (${slot}, age) ORDER BY ${slot}`
}

/** Fills a slot table with the stored state: all slots. */
export const loadSlots = (
  store: Store,
  slots: SlotTable<never>
): Effect.Effect<void, DuckDbError> =>
  store.writer.rows(currentOfSlots(slots.def, "")).pipe(
    Effect.map(rows => {
      for (const row of rows) slots.load(row)
    })
  )

/** Re-reads some slots; those without a row are emptied, trailing ones cut off. */
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
      `SELECT max(top) AS top FROM (${physicalTables(table.def)
        .map(name => `SELECT max(${key}) AS top FROM ${name}`)
        .join(" UNION ALL ")})`
    )
    const top = highest[0]?.["top"]
    table.truncate(top === null || top === undefined ? 0 : Number(top) + 1)
  })

/**
 * Takes all tables back to the commit `to`: later rows and versions go, touched slots are read
 * again, marks of uncommitted changes are dropped. Inside the open transaction.
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
      yield* store.writer.run(`DELETE FROM ${def.name} WHERE seq > ${to.seq}`)
    }
    yield* store.writer.run(`DELETE FROM lane_commits WHERE seq > ${to.seq}`)
  })

/** Empties every table: the state before the first event. Inside the open transaction. */
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
      if (def.shape === "index") yield* store.writer.run(viewStatement(def, 0))
    }
    yield* store.writer.run(
      `DELETE FROM lane_meta WHERE name = 'compacted_seq' OR name LIKE '${RUNS_PREFIX}%'`
    )
  })

/** Versions are compared a piece at a time; other rows are only read. */
const digestRanges = (connection: Connection, def: TableDef, pieceRows?: number) =>
  def.shape === "state"
    ? connection
        .rows(`SELECT count(*) AS n FROM ${allRows(def)}`)
        .pipe(
          Effect.flatMap(rows =>
            keyRanges(
              connection,
              allRows(def),
              def.key[0] as string,
              Number(rows[0]?.["n"] ?? 0),
              pieceRows
            )
          )
        )
    : Effect.succeed(["TRUE"])

/** Digests of all tables, in order of declaration. */
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

/** Rows of a table's present state, for tests and tools. */
export const rowsOf = (connection: Connection, def: TableDef) =>
  connection.rows(`SELECT * FROM ${currentRows(def)}`)
