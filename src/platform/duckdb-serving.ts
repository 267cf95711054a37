/** DuckDB on a thread of its own: the thread's end of `duckdb-thread.ts`. */
import type { AppendRows } from "./duckdb.ts"
import { endOf, type LocalConnection, type LocalEngine, openEngine } from "./duckdb-local.ts"
import type { FromDatabase, ToDatabase } from "./duckdb-thread.ts"
import { type PackedRows, unpackRows } from "./packed-rows.ts"
import { memoryOf, type RowChunks } from "./row-chunks.ts"
import type { ParentPort } from "./worker.ts"

/** A connection whose questions are answered one after the other. */
class Serving {
  private readonly connection: LocalConnection
  private last: Promise<unknown> = Promise.resolve()
  /** when what runs began */
  private since = 0
  /** why rows could not be appended: until a rollback nothing else is done, no commit either */
  private broken: Error | null = null
  private cut = false
  private closing: Promise<void> | null = null

  constructor(connection: LocalConnection) {
    this.connection = connection
  }

  private next<A>(work: () => Promise<A>): Promise<A> {
    const done = this.last.then(() => {
      this.since = performance.now()
      return work()
    })
    this.last = done.catch(() => undefined)
    return done
  }

  private whole<A>(work: () => Promise<A>): Promise<A> {
    return this.next(() => (this.broken === null ? work() : Promise.reject(this.broken)))
  }

  run(sql: string): Promise<void> {
    if (sql !== "ROLLBACK") return this.whole(() => this.connection.run(sql))
    return this.next(() => {
      // whatever it answers, no transaction is open then
      if (!this.cut) this.broken = null
      return this.connection.run(sql)
    })
  }

  rows(sql: string): Promise<RowChunks> {
    return this.whole(() => this.connection.rows(sql))
  }

  append(table: string, rows: PackedRows): Promise<void> {
    return this.whole(async () => {
      try {
        const unpacked: AppendRows = unpackRows(rows)
        await this.connection.append(table, unpacked)
      } catch (error) {
        this.broken = error as Error
        throw error
      }
    })
  }

  /** Closes it after what was asked before; where that takes long, it is cut short. */
  close(): Promise<void> {
    const cut = (): void => {
      this.cut = true
      this.broken ??= new Error("the connection is being closed")
      this.connection.interrupt()
    }
    this.closing ??= endOf(this.last, () => this.since, cut).then(() =>
      this.next(() => this.connection.close())
    )
    return this.closing
  }
}

type Question = Exclude<ToDatabase, { type: "stop" }>

/** The open file and its connections. */
class Served {
  private engine: Promise<LocalEngine> | null = null
  private readonly connections = new Map<number, Serving>()

  private opened(): Promise<LocalEngine> {
    if (this.engine === null) throw new Error("no file is open")
    return this.engine
  }

  private serving(connection: number): Serving {
    const found = this.connections.get(connection)
    if (found === undefined) throw new Error("the connection is closed")
    return found
  }

  /** Does what is asked; answers what it found, null for what finds nothing. */
  async done(asked: Question): Promise<RowChunks | null> {
    switch (asked.type) {
      case "ping":
        return null
      case "open":
        this.engine = openEngine(asked.path, asked.options)
        await this.engine
        return null
      case "connect":
        this.connections.set(asked.connection, new Serving(await (await this.opened()).connect()))
        return null
      case "close":
        await this.serving(asked.connection).close()
        this.connections.delete(asked.connection)
        return null
      case "run":
        await this.serving(asked.connection).run(asked.sql)
        return null
      case "rows":
        return this.serving(asked.connection).rows(asked.sql)
      case "append":
        await this.serving(asked.connection).append(asked.table, asked.rows)
        return null
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.connections.values()].map(one => one.close()))
    const engine = await this.engine?.catch(() => null)
    engine?.close()
  }
}

/**
 * Does what it is asked until it is told to stop; then it closes everything and ends. Gives what is
 * to be called after an error that nobody caught: it does the same, but answers nothing more.
 */
export const serveDatabase = (
  port: ParentPort<ToDatabase, FromDatabase>
): (() => Promise<void>) => {
  const served = new Served()
  let hasFailed = false
  const answer = (told: FromDatabase, memory: ReadonlyArray<ArrayBuffer>): void => {
    if (!hasFailed) port.post(told, memory)
  }
  const stop = (): Promise<void> => served.close().finally(() => port.close())
  port.onMessage(asked => {
    if (hasFailed) return
    if (asked.type === "stop") {
      void stop()
      return
    }
    const { id } = asked
    const memory = asked.type === "append" ? [asked.rows.memory] : []
    const given = memory[0] === undefined ? {} : { memory: memory[0] }
    served
      .done(asked)
      .then(found => {
        if (found === null) answer({ id, failure: null, ...given }, memory)
        else answer({ id, failure: null, found }, memoryOf(found))
      })
      // what was found may not be fit to be sent
      .catch((error: Error) => answer({ id, failure: error.message, ...given }, memory))
  })
  return () => {
    hasFailed = true
    return stop()
  }
}

/**
 * Serves until it is told to stop, or an error that nobody caught: a thread that ended of that at
 * once, while a statement runs, would end the process with it.
 */
export const runDatabase = (port: ParentPort<ToDatabase, FromDatabase>): void => {
  const fail = serveDatabase(port)
  let hasFailed = false
  const onUncaught = (error: Error): void => {
    // those after the first are of what is being closed already
    if (hasFailed) return
    hasFailed = true
    void fail().finally(() => {
      process.off("uncaughtException", onUncaught)
      throw error
    })
  }
  process.on("uncaughtException", onUncaught)
}
