/**
 * DuckDB on a thread of its own, which takes half of what appending costs off the thread that makes
 * the rows: this end of it. What is asked of one connection is done in order.
 */
import { Effect } from "effect"
import {
  attempt,
  databaseOf,
  type Engine,
  type EngineConnection,
  type OpenOptions
} from "./duckdb.ts"
import { type PackedRows, packRows } from "./packed-rows.ts"
import type { RowChunks } from "./row-chunks.ts"
import { spawnWorker, type WorkerHandle } from "./worker.ts"

/** What the thread is asked; each is answered once, but for `stop`. */
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
  | { readonly type: "stop" }

export interface FromDatabase {
  readonly id: number
  /** why it could not be done; null where it was */
  readonly failure: string | null
  readonly found?: RowChunks
  /** of appended rows, to be used again */
  readonly memory?: ArrayBuffer
}

type Question = Exclude<ToDatabase, { type: "stop" }>
type WithoutId<Q> = Q extends Question ? Omit<Q, "id"> : never

interface Waiting {
  readonly resolve: (answer: FromDatabase) => void
  readonly reject: (error: Error) => void
}

/** Bytes of rows on their way at most, before whoever appends waits: about those of a commit. */
const MOST_ON_THE_WAY = 96 * 1024 * 1024
/** Bytes kept to be used again at most, and the least piece. */
const MOST_KEPT = 32 * 1024 * 1024
const LEAST_PIECE = 64 * 1024

/** Memory for rows on their way, in pieces of powers of two. */
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
  private ended: Error | null = null
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

  private ask(question: WithoutId<Question>, transfer?: ReadonlyArray<ArrayBuffer>) {
    if (this.ended !== null) return Promise.reject(this.ended)
    return new Promise<FromDatabase>((resolve, reject) => {
      const id = this.nextId++
      this.waiting.set(id, { resolve, reject })
      this.worker.post({ ...question, id }, transfer)
    })
  }

  /** Nothing will be answered any more. */
  end(reason: string): void {
    this.ended = new Error(`DuckDB's thread ended: ${reason}`)
    for (const { reject } of this.waiting.values()) reject(this.ended)
    this.waiting.clear()
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

  private async append(
    connection: number,
    table: string,
    rows: Parameters<EngineConnection["append"]>[1]
  ): Promise<void> {
    const packed = packRows(rows, bytes => this.pieces.take(bytes))
    const { byteLength } = packed.memory
    this.onTheWay += byteLength
    const done = this.ask({ type: "append", connection, table, rows: packed }, [packed.memory])
      .catch((error: Error) => {
        // nothing follows on this connection, nor is anything committed: it is told there
        if (this.ended !== null) throw error
      })
      .finally(() => {
        this.onTheWay -= byteLength
      })
    if (this.onTheWay > MOST_ON_THE_WAY) await done
    else done.catch(() => undefined)
  }
}

/**
 * Opens a file, creating it where absent, on a thread that `entry` starts; closed with the scope.
 * Where the thread ends, everything fails that it is asked.
 */
export const openDuckDbThread = (entry: URL, path: string, options: OpenOptions) =>
  Effect.gen(function* () {
    const worker = yield* spawnWorker<ToDatabase, FromDatabase>(entry, null, { type: "stop" })
    const engine = new ThreadEngine(worker)
    yield* worker.ended.pipe(
      Effect.catch(({ message }) => Effect.sync(() => engine.end(message))),
      Effect.forkScoped
    )
    yield* attempt(`open ${path}`, () => engine.open(path, options))
    return databaseOf(engine)
  })
