/**
 * DuckDB behind Effect: only it and readers of its results import its bindings. One instance per
 * file and process thread: two threads that open one path get two instances on it without an error,
 * so exactly one lane worker opens a lane's file.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBType,
  INTEGER,
  UHUGEINT,
  UINTEGER,
  USMALLINT,
  UTINYINT,
  VARCHAR
} from "@duckdb/node-api"
import duckdb from "@duckdb/node-bindings"
import { Effect, Schema, type Scope } from "effect"
import { columnsOfResult, type ResultColumns } from "./result-columns.ts"
import { rowsOfResult } from "./result-rows.ts"

export type { ResultColumns }

/** A statement, an append or the file itself failed. */
export class DuckDbError extends Schema.TaggedError<DuckDbError>()("DuckDbError", {
  message: Schema.String
}) {}

const failed = (doing: string) => (cause: unknown) =>
  new DuckDbError({ message: `${doing}: ${cause instanceof Error ? cause.message : cause}` })

/**
 * Results and statements are freed by finalizers of small objects, so the collector does not know
 * how much memory waits for it. A minor collection (1 ms) now and then gives it back.
 */
setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as (options: { readonly type: "minor" }) => void
const STATEMENTS_BETWEEN_COLLECTIONS = 256
let statements = 0

const counted = <A>(result: Promise<A>): Promise<A> => {
  if (++statements % STATEMENTS_BETWEEN_COLLECTIONS === 0) collect({ type: "minor" })
  return result
}

/** Physical column types of appended tables. `u128` is 16 bytes, read as a big-endian number. */
export type PhysicalType = "bool" | "u8" | "u16" | "u32" | "i32" | "i64" | "f64" | "u128" | "text"

const types: { readonly [T in PhysicalType]: DuckDBType } = {
  bool: BOOLEAN,
  u8: UTINYINT,
  u16: USMALLINT,
  u32: UINTEGER,
  i32: INTEGER,
  i64: BIGINT,
  f64: DOUBLE,
  u128: UHUGEINT,
  text: VARCHAR
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
export const sqlType = (type: PhysicalType): string => types[type].toString()

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

const fillColumn = (chunk: DuckDBDataChunk, index: number, column: AppendColumn): void => {
  if ("texts" in column) {
    chunk.setColumnValues(index, [...column.texts])
    return
  }
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, index)
  const { bytes, valid } = column
  const { buffer, byteOffset, byteLength } = bytes
  duckdb.copy_data_to_vector(vector, 0, buffer as ArrayBuffer, byteOffset, byteLength)
  if (valid === null) return
  duckdb.vector_ensure_validity_writable(vector)
  duckdb.copy_data_to_vector_validity(vector, 0, valid.buffer as ArrayBuffer, 0, valid.length)
}

/**
 * A table's appender and the chunk it is fed with. Both hold memory outside the JavaScript heap
 * that only a garbage collection gives back, so they are kept and used again.
 */
interface TableAppender {
  readonly appender: DuckDBAppender
  readonly chunk: DuckDBDataChunk
}

const openAppender = async (
  connection: DuckDBConnection,
  table: string,
  { types: columns }: AppendRows
): Promise<TableAppender> => ({
  appender: await connection.createAppender(table),
  chunk: DuckDBDataChunk.create(columns.map(type => types[type]))
})

const feed = ({ appender, chunk }: TableAppender, rows: AppendRows): void => {
  for (let from = 0; from < rows.count; from += CHUNK_ROWS) {
    const size = Math.min(CHUNK_ROWS, rows.count - from)
    chunk.reset()
    chunk.rowCount = size
    rows.columns(from, size).forEach((column, index) => {
      fillColumn(chunk, index, column)
    })
    appender.appendDataChunk(chunk)
  }
  appender.flushSync()
}

const appendRows = async (
  connection: DuckDBConnection,
  appenders: Map<string, TableAppender>,
  table: string,
  rows: AppendRows
): Promise<void> => {
  const own = appenders.get(table) ?? (await openAppender(connection, table, rows))
  // one that fails is not used again
  appenders.delete(table)
  feed(own, rows)
  appenders.set(table, own)
}

/**
 * The work under way on one connection. DuckDB runs a statement on a thread of its own, where an
 * interruption does not reach it, and does not survive a connection that closes under it.
 */
class Pending {
  private readonly running = new Set<Promise<unknown>>()
  private closed = false

  /** Starts the work, unless the connection has been closed. */
  start<A>(work: () => Promise<A>): Promise<A> {
    if (this.closed) return Promise.reject(new Error("the connection is closed"))
    const promise = work()
    this.running.add(promise)
    const done = () => this.running.delete(promise)
    promise.then(done, done)
    return promise
  }

  /** Lets nothing more start, and answers when nothing runs any more. */
  async close(): Promise<void> {
    this.closed = true
    await Promise.allSettled(this.running)
  }
}

const connectionOf = (connection: DuckDBConnection, pending: Pending): Connection => {
  const appenders = new Map<string, TableAppender>()
  return {
    run: sql =>
      Effect.tryPromise({
        try: () => pending.start(() => counted(connection.run(sql))),
        catch: failed(sql.slice(0, 200))
      }).pipe(Effect.asVoid),
    rows: sql =>
      Effect.tryPromise({
        try: () =>
          pending.start(() => counted(connection.run(sql).then(result => rowsOfResult(result)))),
        catch: failed(sql.slice(0, 200))
      }),
    columns: sql =>
      Effect.tryPromise({
        try: () =>
          pending.start(() => counted(connection.run(sql).then(result => columnsOfResult(result)))),
        catch: failed(sql.slice(0, 200))
      }),
    append: (table, rows) =>
      Effect.tryPromise({
        try: () => pending.start(() => appendRows(connection, appenders, table, rows)),
        catch: failed(`append ${rows.count} rows to ${table}`)
      })
  }
}

const openConnection = (instance: DuckDBInstance) =>
  Effect.acquireRelease(
    Effect.tryPromise({ try: () => instance.connect(), catch: failed("connect") }).pipe(
      Effect.map(connection => ({ connection, pending: new Pending() }))
    ),
    ({ connection, pending }) =>
      Effect.promise(() => pending.close()).pipe(
        Effect.andThen(Effect.sync(() => connection.closeSync()))
      )
  ).pipe(Effect.map(({ connection, pending }) => connectionOf(connection, pending)))

export interface Database {
  /** a further connection of the same instance; closed with its scope */
  readonly connect: Effect.Effect<Connection, DuckDbError, Scope.Scope>
}

/**
 * DuckDB 1.5.6 looks for the first rows of an order in those row groups whose statistics promise
 * them, counting rows that were deleted: the newest row may be missed, or none be found.
 */
const MISLED_OPTIMIZERS = "row_group_pruner"

/** Opens a file (or `:memory:`), creating it where absent; closed with the scope. */
export const openDuckDb = (path: string, options: { readonly threads: number }) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () =>
        DuckDBInstance.create(path, {
          threads: String(options.threads),
          memory_limit: "512MB",
          disabled_optimizers: MISLED_OPTIMIZERS,
          autoinstall_known_extensions: "false",
          autoload_known_extensions: "false"
        }),
      catch: failed(`open ${path}`)
    }),
    instance => Effect.sync(() => instance.closeSync())
  ).pipe(
    Effect.map(
      (instance): Database => ({
        connect: openConnection(instance)
      })
    )
  )
