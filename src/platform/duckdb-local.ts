/**
 * Runs DuckDB on this thread. Only this file and `result-chunks.ts` import DuckDB's bindings. Two
 * threads that open one path get two instances without an error, so exactly one thread may open a
 * lane's file.
 */
import { setImmediate } from "node:timers/promises"
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
import { Effect } from "effect"
import {
  type AppendColumn,
  type AppendRows,
  attempt,
  CHUNK_ROWS,
  databaseOf,
  type Engine,
  type EngineConnection,
  type OpenOptions,
  type PhysicalType
} from "./duckdb.ts"
import { chunksOfResult } from "./result-chunks.ts"

/**
 * Finalizers of small objects free results and statements, so the garbage collector does not see
 * how much memory waits for it. A minor collection (1 ms) every 256 statements frees that memory.
 */
setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as (options: { readonly type: "minor" }) => void
const STATEMENTS_BETWEEN_COLLECTIONS = 256
let statements = 0

const counted = <A>(result: Promise<A>): Promise<A> => {
  if (++statements % STATEMENTS_BETWEEN_COLLECTIONS === 0) collect({ type: "minor" })
  return result
}

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
  duckdb.copy_data_to_vector_validity(
    vector,
    0,
    valid.buffer as ArrayBuffer,
    valid.byteOffset,
    valid.length
  )
}

/**
 * A table's appender and the chunk that feeds it. Both hold memory outside the JavaScript heap that
 * only a garbage collection frees, so both are kept and reused.
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

/**
 * Rows per write. A write is a statement that takes half a millisecond to plan, and readers wait
 * for its end. Writes are larger (`unread`) where nobody has read for `UNREAD_AFTER_MS`.
 */
const WRITE_ROWS = { read: CHUNK_ROWS, unread: 4 * CHUNK_ROWS }
const UNREAD_AFTER_MS = 200

/** Time of the last read on any connection of a file, in `performance.now()` milliseconds. */
interface Reads {
  lastMs: number
}

/** Appends rows chunk by chunk; between two writes this thread handles other work. */
const feed = async (
  { appender, chunk }: TableAppender,
  rows: AppendRows,
  reads: Reads
): Promise<void> => {
  for (let from = 0, unwritten = 0; from < rows.count; from += CHUNK_ROWS) {
    const isRead = performance.now() - reads.lastMs < UNREAD_AFTER_MS
    if (unwritten >= (isRead ? WRITE_ROWS.read : WRITE_ROWS.unread)) {
      unwritten = 0
      appender.flushSync()
      await setImmediate()
    }
    const size = Math.min(CHUNK_ROWS, rows.count - from)
    chunk.reset()
    chunk.rowCount = size
    rows.columns(from, size).forEach((column, index) => {
      fillColumn(chunk, index, column)
    })
    appender.appendDataChunk(chunk)
    unwritten += size
  }
  appender.flushSync()
}

/**
 * Drops the rows that an appender holds. Otherwise the garbage collector, when it frees the
 * appender, would append those rows even after a rollback. The library has no method for this.
 */
const forget = ({ appender }: TableAppender): void => {
  duckdb.appender_clear((appender as unknown as { readonly appender: duckdb.Appender }).appender)
}

const appendRows = async (
  connection: DuckDBConnection,
  appenders: Map<string, TableAppender>,
  table: string,
  rows: AppendRows,
  reads: Reads
): Promise<void> => {
  const own = appenders.get(table) ?? (await openAppender(connection, table, rows))
  // An appender that fails is not reused.
  appenders.delete(table)
  try {
    await feed(own, rows, reads)
  } catch (error) {
    forget(own)
    throw error
  }
  appenders.set(table, own)
}

/** Milliseconds that work may go on when its connection closes, before it is interrupted. */
const CLOSING_GRACE_MS = 1000
/** The interrupt is repeated, because DuckDB ignores it while no statement runs. */
const INTERRUPT_EVERY_MS = 20

/**
 * Waits until `work` has settled. Calls `interrupt` repeatedly once `CLOSING_GRACE_MS` have passed
 * since this call or since `since()`, the start of the running part, whichever is earlier.
 */
export const endOf = async (
  work: Promise<unknown>,
  since: () => number,
  interrupt: () => void
): Promise<void> => {
  const asked = performance.now()
  const timer = setInterval(() => {
    if (performance.now() - Math.min(asked, since()) >= CLOSING_GRACE_MS) interrupt()
  }, INTERRUPT_EVERY_MS)
  await work.catch(() => undefined)
  clearInterval(timer)
}

/**
 * Holds the work that runs on one connection. DuckDB runs a statement on its own thread and crashes
 * where the connection closes meanwhile; its bindings crash where this thread ends meanwhile.
 */
class Pending {
  private readonly running = new Set<Promise<unknown>>()
  private since = 0
  private closed = false

  /** Starts the work; rejects where the connection has been closed. */
  start<A>(work: () => Promise<A>): Promise<A> {
    if (this.closed) return Promise.reject(new Error("the connection is closed"))
    if (this.running.size === 0) this.since = performance.now()
    const promise = work()
    this.running.add(promise)
    const done = () => this.running.delete(promise)
    promise.then(done, done)
    return promise
  }

  /** Refuses new work and resolves once all running work has ended. */
  async close(interrupt: () => void): Promise<void> {
    this.closed = true
    await endOf(Promise.allSettled(this.running), () => this.since, interrupt)
  }
}

export interface LocalConnection extends EngineConnection {
  /** interrupts the running statement; does nothing where no statement has begun */
  readonly interrupt: () => void
}

const connectionOf = (connection: DuckDBConnection, reads: Reads): LocalConnection => {
  const appenders = new Map<string, TableAppender>()
  const pending = new Pending()
  const started = <A>(work: () => Promise<A>): Promise<A> => pending.start(work)
  const interrupt = () => connection.interrupt()
  return {
    run: sql => started(() => counted(connection.run(sql).then(() => undefined))),
    rows: sql => {
      reads.lastMs = performance.now()
      return started(() => counted(connection.run(sql).then(chunksOfResult)))
    },
    append: (table, rows) => started(() => appendRows(connection, appenders, table, rows, reads)),
    interrupt,
    close: () => pending.close(interrupt).then(() => connection.closeSync())
  }
}

/**
 * Optimizer of DuckDB 1.5.6 that is disabled. For `ORDER BY ... LIMIT` it skips row groups by
 * statistics that count deleted rows, so a query may miss the newest row or find none.
 */
const MISLED_OPTIMIZERS = "row_group_pruner"

/**
 * Row groups (122,880 rows each) that a transaction keeps before the append compresses them and
 * waits for that. A commit compresses kept groups on another thread.
 */
const BUFFERED_ROW_GROUPS = 8

/** An open file. Close its connections before the file. */
export interface LocalEngine extends Engine {
  readonly connect: () => Promise<LocalConnection>
  readonly close: () => void
}

/**
 * The disk alone limits what DuckDB writes there when memory does not suffice. Else the limit is a
 * share of what was free at the first such write, and stays that when the disk has room again.
 * DuckDB forgets the setting where it is given to open a file.
 */
const SPILL_FREELY = "SET max_temp_directory_size = '1000TB'"

/** Opens a file (or `:memory:`) and creates a missing file. */
export const openEngine = async (path: string, options: OpenOptions): Promise<LocalEngine> => {
  const instance = await DuckDBInstance.create(path, {
    threads: String(options.threads),
    ...(options.readOnly === true && { access_mode: "READ_ONLY" }),
    memory_limit: `${options.memoryMb ?? 512}MB`,
    write_buffer_row_group_count: String(BUFFERED_ROW_GROUPS),
    disabled_optimizers: MISLED_OPTIMIZERS,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false"
  })
  const first = await instance.connect()
  await first.run(SPILL_FREELY)
  first.closeSync()
  const reads = { lastMs: Number.NEGATIVE_INFINITY }
  return {
    connect: () => instance.connect().then(connection => connectionOf(connection, reads)),
    close: () => instance.closeSync()
  }
}

/** Opens a file (or `:memory:`) and creates a missing file. The scope's end closes the file. */
export const openDuckDb = (path: string, options: OpenOptions) =>
  Effect.acquireRelease(
    attempt(`open ${path}`, () => openEngine(path, options)),
    engine => Effect.sync(() => engine.close())
  ).pipe(Effect.map(engine => databaseOf(engine)))
