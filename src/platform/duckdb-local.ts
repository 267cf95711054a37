/**
 * DuckDB on this thread: only it and `result-chunks.ts` import its bindings. One instance per file
 * and process thread: two threads that open one path get two instances on it without an error, so
 * exactly one thread opens a lane's file.
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

/**
 * Rows written at once: a write is a statement, which takes half a millisecond to plan, and readers
 * wait for it. Where nobody has read for a while there are more of them.
 */
const WRITE_ROWS = { read: CHUNK_ROWS, unread: 4 * CHUNK_ROWS }
const UNREAD_AFTER_MS = 200

/** When somebody last read, on any connection of a file. */
interface Reads {
  lastMs: number
}

/** Appends the rows chunk by chunk; between two writes this thread starts what others ask. */
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
 * Drops the rows that an appender holds: the collector, which frees it at any later time, would
 * have them appended then, whatever was rolled back since. The library has no method for it.
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
  // one that fails is not used again
  appenders.delete(table)
  try {
    await feed(own, rows, reads)
  } catch (error) {
    forget(own)
    throw error
  }
  appenders.set(table, own)
}

/** How long what runs on a connection that is closed may go on before it is interrupted. */
const CLOSING_GRACE_MS = 1000
/** Again and again, because DuckDB forgets an interruption of what has not begun. */
const INTERRUPT_EVERY_MS = 20

/** Waits for the end of work; `since` tells when what runs of it began. */
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
 * The work under way on one connection. DuckDB runs a statement on a thread of its own, and does
 * not survive a connection that closes under it, nor its bindings a thread that ends under it.
 */
class Pending {
  private readonly running = new Set<Promise<unknown>>()
  private since = 0
  private closed = false

  /** Starts the work, unless the connection has been closed. */
  start<A>(work: () => Promise<A>): Promise<A> {
    if (this.closed) return Promise.reject(new Error("the connection is closed"))
    if (this.running.size === 0) this.since = performance.now()
    const promise = work()
    this.running.add(promise)
    const done = () => this.running.delete(promise)
    promise.then(done, done)
    return promise
  }

  /** Lets nothing more start, and answers when nothing runs any more. */
  async close(interrupt: () => void): Promise<void> {
    this.closed = true
    await endOf(Promise.allSettled(this.running), () => this.since, interrupt)
  }
}

export interface LocalConnection extends EngineConnection {
  /** interrupts what runs; in vain where that has not begun */
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
 * DuckDB 1.5.6 looks for the first rows of an order in those row groups whose statistics promise
 * them, counting rows that were deleted: the newest row may be missed, or none be found.
 */
const MISLED_OPTIMIZERS = "row_group_pruner"

/**
 * Row groups of a table (122,880 rows) that a transaction keeps before it compresses them, which
 * whoever appends would wait for; a commit compresses them on a thread of its own.
 */
const BUFFERED_ROW_GROUPS = 8

/** An open file, to be closed when its connections are. */
export interface LocalEngine extends Engine {
  readonly connect: () => Promise<LocalConnection>
  readonly close: () => void
}

/** Opens a file (or `:memory:`), creating it where absent. */
export const openEngine = (path: string, options: OpenOptions): Promise<LocalEngine> =>
  DuckDBInstance.create(path, {
    threads: String(options.threads),
    ...(options.readOnly === true && { access_mode: "READ_ONLY" }),
    memory_limit: "512MB",
    write_buffer_row_group_count: String(BUFFERED_ROW_GROUPS),
    disabled_optimizers: MISLED_OPTIMIZERS,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false"
  }).then(instance => {
    const reads = { lastMs: Number.NEGATIVE_INFINITY }
    return {
      connect: () => instance.connect().then(connection => connectionOf(connection, reads)),
      close: () => instance.closeSync()
    }
  })

/** Opens a file (or `:memory:`), creating it where absent; closed with the scope. */
export const openDuckDb = (path: string, options: OpenOptions) =>
  Effect.acquireRelease(
    attempt(`open ${path}`, () => openEngine(path, options)),
    engine => Effect.sync(() => engine.close())
  ).pipe(Effect.map(engine => databaseOf(engine)))
