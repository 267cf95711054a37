/**
 * Runs DuckDB on its own thread and sends that thread requests (`duckdb-serving.ts` is the other
 * end). This takes half the cost of appending off the thread that makes the rows. Requests of one
 * connection are carried out in order.
 */
import { Effect } from "effect"
import {
  type AppendRows,
  attempt,
  databaseOf,
  type Engine,
  type EngineConnection,
  EngineFault,
  type OpenOptions
} from "./duckdb.ts"
import { type PackedRows, packRows } from "./packed-rows.ts"
import type { RowChunks } from "./row-chunks.ts"
import { spawnWorker, type WorkerHandle } from "./worker.ts"

/** A request to the thread. Every request gets one answer, except `stop`, which gets none. */
export type ToDatabase =
  | {
      readonly type: "open"
      readonly id: number
      readonly path: string
      readonly options: OpenOptions
    }
  | { readonly type: "connect" | "close"; readonly id: number; readonly connection: number }
  | {
      readonly type: "run" | "rows"
      readonly id: number
      readonly connection: number
      readonly sql: string
    }
  | {
      readonly type: "append"
      readonly id: number
      readonly connection: number
      readonly table: string
      readonly rows: PackedRows
    }
  /** answered at once, even while statements run */
  | { readonly type: "ping"; readonly id: number }
  | { readonly type: "stop" }

export interface FromDatabase {
  readonly id: number
  /** why the request failed; null where it succeeded */
  readonly failure: string | null
  readonly found?: RowChunks
  /** memory of appended rows, returned for reuse */
  readonly memory?: ArrayBuffer
}

type Question = Exclude<ToDatabase, { type: "stop" }>
type WithoutId<Q> = Q extends Question ? Omit<Q, "id"> : never

interface Waiting {
  readonly resolve: (answer: FromDatabase) => void
  readonly reject: (error: Error) => void
}

/** Most bytes of unanswered appends; above that `append` waits. About the rows of one commit. */
const MOST_ON_THE_WAY = 48 * 1024 * 1024
/** Most bytes kept for reuse, and the bytes of the smallest piece. */
const MOST_KEPT = 32 * 1024 * 1024
const LEAST_PIECE = 64 * 1024

/** Holds free memory for rows to send, in pieces whose size is a power of two. */
class Pieces {
  private readonly free = new Map<number, Array<ArrayBuffer>>()
  private kept = 0

  take(bytes: number): ArrayBuffer {
    const size = Math.max(LEAST_PIECE, 2 ** Math.ceil(Math.log2(bytes)))
    const known = this.free.get(size)?.pop()
    if (known === undefined) return new ArrayBuffer(size)
    this.kept -= size
    return known
  }

  give(memory: ArrayBuffer): void {
    const size = memory.byteLength
    if (this.kept + size > MOST_KEPT) return
    this.kept += size
    const pieces = this.free.get(size)
    if (pieces === undefined) this.free.set(size, [memory])
    else pieces.push(memory)
  }
}

class ThreadEngine implements Engine {
  private readonly worker: WorkerHandle<ToDatabase, FromDatabase>
  private readonly waiting = new Map<number, Waiting>()
  private readonly pieces = new Pieces()
  private lost: EngineFault | null = null
  /** when the unanswered ping was sent, in `performance.now()` milliseconds; null where none is */
  private pingedAt: number | null = null
  private nextId = 1
  private connections = 0
  private onTheWay = 0

  constructor(worker: WorkerHandle<ToDatabase, FromDatabase>) {
    this.worker = worker
    worker.onMessage(answer => {
      const one = this.waiting.get(answer.id)
      this.waiting.delete(answer.id)
      if (answer.memory !== undefined) this.pieces.give(answer.memory)
      if (answer.failure === null) one?.resolve(answer)
      else one?.reject(new Error(answer.failure))
    })
  }

  /** Sends a question and returns its answer; throws where the thread has ended. */
  private send(
    question: WithoutId<Question>,
    transfer?: ReadonlyArray<ArrayBuffer>
  ): Promise<FromDatabase> {
    if (this.lost !== null) throw this.lost
    const id = this.nextId++
    this.worker.post({ ...question, id }, transfer)
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
    })
  }

  private async ask(question: WithoutId<Question>): Promise<FromDatabase> {
    return this.send(question)
  }

  /** Fails all open and all later questions: the thread has ended. */
  end(lost: EngineFault): void {
    this.lost = lost
    for (const { reject } of this.waiting.values()) reject(lost)
    this.waiting.clear()
  }

  /** Pings the thread. Returns for how many milliseconds a ping has been unanswered; 0 for none. */
  silentMs(): number {
    if (this.pingedAt !== null) return performance.now() - this.pingedAt
    if (this.lost !== null) return 0
    this.pingedAt = performance.now()
    const heard = (): void => {
      this.pingedAt = null
    }
    this.send({ type: "ping" }).then(heard, heard)
    return 0
  }

  open(path: string, options: OpenOptions): Promise<unknown> {
    return this.ask({ type: "open", path, options })
  }

  async connect(): Promise<EngineConnection> {
    const connection = this.connections++
    await this.ask({ type: "connect", connection })
    let closed = false
    const open = <A>(work: () => Promise<A>): Promise<A> =>
      closed ? Promise.reject(new Error("the connection is closed")) : work()
    return {
      run: sql => open(() => this.ask({ type: "run", connection, sql }).then(() => undefined)),
      rows: sql =>
        open(() =>
          this.ask({ type: "rows", connection, sql }).then(({ found }) => found as RowChunks)
        ),
      append: (table, rows) => open(() => this.append(connection, table, rows)),
      close: async () => {
        closed = true
        await this.ask({ type: "close", connection }).catch(() => undefined)
      }
    }
  }

  /** Sends rows. Throws an `EngineFault` where it cannot: a commit would then lack the rows. */
  private sendRows(connection: number, table: string, rows: AppendRows) {
    try {
      const packed = packRows(rows, bytes => this.pieces.take(bytes))
      const { byteLength } = packed.memory
      const question = { type: "append", connection, table, rows: packed } as const
      return { byteLength, answer: this.send(question, [packed.memory]) }
    } catch (cause) {
      if (cause instanceof EngineFault) throw cause
      throw new EngineFault(`${rows.count} rows for ${table} could not be sent: ${cause}`)
    }
  }

  private async append(connection: number, table: string, rows: AppendRows): Promise<void> {
    const { byteLength, answer } = this.sendRows(connection, table, rows)
    this.onTheWay += byteLength
    const done = answer
      .catch((error: Error) => {
        if (error instanceof EngineFault) throw error
        // DuckDB refused the rows. Later requests of this connection, also a commit, fail with
        // this error (`broken` in duckdb-serving.ts), so nothing is thrown here.
      })
      .finally(() => {
        this.onTheWay -= byteLength
      })
    if (this.onTheWay > MOST_ON_THE_WAY) await done
    else done.catch(() => undefined)
  }
}

/**
 * Milliseconds that the thread gets to close its connections and end. Terminating a thread while a
 * statement runs ends the process, so the opening thread's own grace must be longer.
 */
const STOP_GRACE_MS = 6000

/**
 * Opens a file on a thread that `entry` starts and creates a missing file. The scope's end closes
 * the file. Once the thread has ended, every request dies with an `EngineFault`.
 */
export const openDuckDbThread = (entry: URL, path: string, options: OpenOptions) =>
  Effect.gen(function* () {
    const stop = { type: "stop" } as const
    const worker = yield* spawnWorker<ToDatabase, FromDatabase>(entry, null, stop, STOP_GRACE_MS)
    const engine = new ThreadEngine(worker)
    const ended = worker.ended.pipe(
      Effect.catch(({ message }) => {
        const lost = new EngineFault(`DuckDB's thread ended: ${message}`)
        engine.end(lost)
        return Effect.die(lost)
      })
    )
    // Detached, because a request may still wait for its answer after the scope's end.
    yield* Effect.forkDetach(Effect.exit(ended))
    yield* attempt(`open ${path}`, () => engine.open(path, options))
    return databaseOf(engine, ended, () => engine.silentMs())
  })
