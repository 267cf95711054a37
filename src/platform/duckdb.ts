/**
 * DuckDB as effects, for all other folders. An `Engine` runs DuckDB on this thread
 * (`duckdb-local.ts`) or on its own thread (`duckdb-thread.ts`).
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
 * DuckDB's thread has ended or cannot be reached. The file may be good, so this is a defect and not
 * a `DuckDbError`: a caller that gets a `DuckDbError` may discard the file.
 */
export class EngineFault extends Error {
  override readonly name = "EngineFault"
}

/** Physical column types of appended tables. `u128` is 16 big-endian bytes read as a number. */
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

/** Bytes of a value of each physical type; 0 for text. */
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

/** Returns the SQL name of a physical type. */
export const sqlType = (type: PhysicalType): string => sqlTypes[type]

/** Rows of a chunk, the unit of appending. */
export const CHUNK_ROWS = 2048

/**
 * A column of a chunk: little-endian memory, or texts. `valid` has a bit for each row, set where
 * the value is not null; `valid` is null where no value is null.
 */
export type AppendColumn =
  | { readonly type: PhysicalType; readonly bytes: Uint8Array; readonly valid: Uint8Array | null }
  | { readonly type: "text"; readonly texts: ReadonlyArray<string | null> }

export interface AppendRows {
  readonly types: ReadonlyArray<PhysicalType>
  readonly count: number
  /** Returns the rows `from..from+size`, at most a chunk. The next call may overwrite them. */
  readonly columns: (from: number, size: number) => ReadonlyArray<AppendColumn>
}

export type Row = { readonly [column: string]: unknown }

export interface Connection {
  readonly run: (sql: string) => Effect.Effect<void, DuckDbError>
  readonly rows: (sql: string) => Effect.Effect<ReadonlyArray<Row>, DuckDbError>
  /** returns the rows by columns, which is faster for thousands of rows */
  readonly columns: (sql: string) => Effect.Effect<ResultColumns, DuckDbError>
  /** appends rows in the open transaction */
  readonly append: (table: string, rows: AppendRows) => Effect.Effect<void, DuckDbError>
}

/** A connection as promises. Once closed, it rejects every request. */
export interface EngineConnection {
  readonly run: (sql: string) => Promise<void>
  readonly rows: (sql: string) => Promise<RowChunks>
  /**
   * Appends what `rows` holds now. The promise may resolve before the rows are in the table; where
   * the append then fails, the connection's next request fails.
   */
  readonly append: (table: string, rows: AppendRows) => Promise<void>
  /** Closes the connection after its running work; work that takes long is interrupted. */
  readonly close: () => Promise<void>
}

/** An open file. */
export interface Engine {
  readonly connect: () => Promise<EngineConnection>
}

export interface OpenOptions {
  readonly threads: number
  /** megabytes that its buffers may take; 512 by default */
  readonly memoryMb?: number | undefined
  /** opens an existing file and writes nothing, not even what an earlier process left in the WAL */
  readonly readOnly?: boolean
}

export interface Database {
  /** opens a further connection of the same instance; the scope's end closes the connection */
  readonly connect: Effect.Effect<Connection, DuckDbError, Scope.Scope>
  /** dies when DuckDB's own thread has ended; never completes without such a thread */
  readonly ended: Effect.Effect<never>
  /** milliseconds for which DuckDB's own thread has not answered a ping; 0 where it answers */
  readonly silentMs: () => number
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : `${cause}`)

/** Runs a promise as an effect. Failures name what was `doing`; an `EngineFault` is a defect. */
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

/** Returns the database of an open file; an engine on its own thread gives `ended`, `silentMs`. */
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
