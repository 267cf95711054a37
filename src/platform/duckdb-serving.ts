/** Serves DuckDB inside its own thread: carries out the requests of `duckdb-thread.ts`. */
import type { AppendRows } from "./duckdb.ts"
import { endOf, type LocalConnection, type LocalEngine, openEngine } from "./duckdb-local.ts"
import type { FromDatabase, ToDatabase } from "./duckdb-thread.ts"
import { type PackedRows, unpackRows } from "./packed-rows.ts"
import { memoryOf, type RowChunks } from "./row-chunks.ts"
import type { ParentPort } from "./worker.ts"

/** Holds a connection and carries out its requests one after the other. */
class Serving {
  private readonly connection: LocalConnection
  private last: Promise<unknown> = Promise.resolve()
  /** when the running request began, in `performance.now()` milliseconds */
  private since = 0
  /** why an append failed; until a rollback every request, also a commit, fails with this */
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
      // No transaction is open after a rollback, even a failed one.
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

  /** Closes the connection after all earlier requests; interrupts those that take long. */
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

/** Holds the open file and its connections. */
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

  /** Carries out a request; returns the found rows of `rows`, null for any other request. */
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
 * Carries out requests until `stop`, which closes the connections, the file and the port. Returns a
 * function to call after an uncaught error: it closes the same, and no request is answered after.
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
      // Posting the found rows can fail, too.
      .catch((error: Error) => answer({ id, failure: error.message, ...given }, memory))
  })
  return () => {
    hasFailed = true
    return stop()
  }
}

/**
 * Serves until `stop` or an uncaught error. Such an error is thrown only after everything is
 * closed, since a thread that ends while a statement runs ends the whole process.
 */
export const runDatabase = (port: ParentPort<ToDatabase, FromDatabase>): void => {
  const fail = serveDatabase(port)
  let hasFailed = false
  const onUncaught = (error: Error): void => {
    // Later errors come from closing.
    if (hasFailed) return
    hasFailed = true
    void fail().finally(() => {
      process.off("uncaughtException", onUncaught)
      throw error
    })
  }
  process.on("uncaughtException", onUncaught)
}
