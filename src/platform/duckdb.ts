/**
 * DuckDB behind Effect: what others know of it. Where it runs, on this thread (`duckdb-local.ts`)
 * or on one of its own (`duckdb-thread.ts`), is an `Engine`.
 */
import { Effect, Schema, type Scope } from "effect"
import { columnsOf, type ResultColumns } from "./result-columns.ts"
import { type RowChunks, rowsOf } from "./row-chunks.ts"

export type { ResultColumns }

/** A statement, an append or the file itself failed. */
export class DuckDbError extends Schema.TaggedError<DuckDbError>()("DuckDbError", {
  message: Schema.String
}) {}

/**
 * What runs DuckDB is gone, or cannot be asked. It tells nothing of the file, so it is a defect and
 * not a `DuckDbError`: who is told of one throws the file away.
 */
export class EngineFault extends Error {
  override readonly name = "EngineFault"
}

/** Physical column types of appended tables. `u128` is 16 bytes, read as a big-endian number. */
export type PhysicalType = "bool" | "u8" | "u16" | "u32" | "i32" | "i64" | "f64" | "u128" | "text"

const sqlTypes: { readonly [T in PhysicalType]: string } = {
  bool: "BOOLEAN",
  u8: "UTINYINT",
  u16: "USMALLINT",
  u32: "UINTEGER",
  i32: "INTEGER",
  i64: "BIGINT",
  f64: "DOUBLE",
  u128: "UHUGEINT",
  text: "VARCHAR"
}

export const physicalWidth: { readonly [T in PhysicalType]: number } = {
  bool: 1,
  u8: 1,
  u16: 2,
  u32: 4,
  i32: 4,
  i64: 8,
  f64: 8,
  u128: 16,
  text: 0
}

/** The SQL name of a physical type. */
export const sqlType = (type: PhysicalType): string => sqlTypes[type]

/** Rows that are appended at once. */
export const CHUNK_ROWS = 2048

/**
 * Rows of a chunk, by column: little-endian memory, or texts. `valid` has a bit for each row, set
 * where it is not null; null where no row is.
 */
export type AppendColumn =
  | { readonly type: PhysicalType; readonly bytes: Uint8Array; readonly valid: Uint8Array | null }
  | { readonly type: "text"; readonly texts: ReadonlyArray<string | null> }

export interface AppendRows {
  readonly types: ReadonlyArray<PhysicalType>
  readonly count: number
  /** The rows `from..from+size`, at most a chunk; used before it is asked again. */
  readonly columns: (from: number, size: number) => ReadonlyArray<AppendColumn>
}

export type Row = { readonly [column: string]: unknown }

export interface Connection {
  readonly run: (sql: string) => Effect.Effect<void, DuckDbError>
  readonly rows: (sql: string) => Effect.Effect<ReadonlyArray<Row>, DuckDbError>
  /** the same by columns, for results of thousands of rows */
  readonly columns: (sql: string) => Effect.Effect<ResultColumns, DuckDbError>
  /** appends rows; part of the open transaction */
  readonly append: (table: string, rows: AppendRows) => Effect.Effect<void, DuckDbError>
}

/** A connection as promises; one that is closed refuses everything. */
export interface EngineConnection {
  readonly run: (sql: string) => Promise<void>
  readonly rows: (sql: string) => Promise<RowChunks>
  /**
   * Appends what `rows` holds now. It may be answered before the rows are there; then what is asked
   * of the connection next fails where they could not be appended.
   */
  readonly append: (table: string, rows: AppendRows) => Promise<void>
  /**
   * Ends when nothing that it was asked runs any more. That may take a moment; what takes longer is
   * interrupted.
   */
  readonly close: () => Promise<void>
}

/** An open file. */
export interface Engine {
  readonly connect: () => Promise<EngineConnection>
}

export interface OpenOptions {
  readonly threads: number
  /** nothing is written, not even what a process before left in the WAL; the file must exist */
  readonly readOnly?: boolean
}

export interface Database {
  /** a further connection of the same instance; closed with its scope */
  readonly connect: Effect.Effect<Connection, DuckDbError, Scope.Scope>
  /** dies when the thread on which DuckDB runs has ended, with the file closed */
  readonly ended: Effect.Effect<never>
  /** milliseconds for which DuckDB's thread has owed an answer to being asked this; 0 where none */
  readonly silentMs: () => number
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : `${cause}`)

/** A promise as an effect whose failure tells what was being done. */
export const attempt = <A>(doing: string, work: () => Promise<A>): Effect.Effect<A, DuckDbError> =>
  Effect.tryPromise({ try: work, catch: cause => cause }).pipe(
    Effect.catch(cause =>
      cause instanceof EngineFault
        ? Effect.die(cause)
        : Effect.fail(new DuckDbError({ message: `${doing}: ${reasonOf(cause)}` }))
    )
  )

const connectionOf = (connection: EngineConnection): Connection => ({
  run: sql => attempt(sql.slice(0, 200), () => connection.run(sql)),
  rows: sql =>
    attempt(sql.slice(0, 200), () => connection.rows(sql)).pipe(Effect.map(found => rowsOf(found))),
  columns: sql =>
    Effect.map(
      attempt(sql.slice(0, 200), () => connection.rows(sql)),
      columnsOf
    ),
  append: (table, rows) =>
    attempt(`append ${rows.count} rows to ${table}`, () => connection.append(table, rows))
})

/** The connections of an open file; `ended` where it is on a thread of its own. */
export const databaseOf = (
  engine: Engine,
  ended: Database["ended"] = Effect.never,
  silentMs: Database["silentMs"] = () => 0
): Database => ({
  ended,
  silentMs,
  connect: Effect.acquireRelease(
    attempt("connect", () => engine.connect()),
    connection => Effect.promise(() => connection.close())
  ).pipe(Effect.map(connectionOf))
})
