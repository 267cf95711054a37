/** DuckDB on a thread of its own: the thread's end of `duckdb-thread.ts`. */
import type { EngineConnection } from "./duckdb.ts"
import { type LocalEngine, openEngine } from "./duckdb-local.ts"
import type { FromDatabase, ToDatabase } from "./duckdb-thread.ts"
import { unpackRows } from "./packed-rows.ts"
import { memoryOf, type RowChunks } from "./row-chunks.ts"
import type { ParentPort } from "./worker.ts"

/** A connection whose questions are answered one after the other. */
class Serving {
  private readonly connection: EngineConnection
  private last: Promise<unknown> = Promise.resolve()
  /** why rows could not be appended: until a rollback nothing else is done, no commit either */
  private broken: Error | null = null

  constructor(connection: EngineConnection) {
    this.connection = connection
  }

  private next<A>(work: () => Promise<A>): Promise<A> {
    const done = this.last.then(work)
    this.last = done.catch(() => undefined)
    return done
  }

  private whole<A>(work: () => Promise<A>): Promise<A> {
    return this.next(() => (this.broken === null ? work() : Promise.reject(this.broken)))
  }

  run(sql: string): Promise<void> {
    if (sql !== "ROLLBACK") return this.whole(() => this.connection.run(sql))
    return this.next(() => {
      this.broken = null
      return this.connection.run(sql)
    })
  }

  rows(sql: string): Promise<RowChunks> {
    return this.whole(() => this.connection.rows(sql))
  }

  append(table: string, rows: Parameters<EngineConnection["append"]>[1]): Promise<void> {
    return this.whole(() =>
      this.connection.append(table, rows).catch((error: Error) => {
        this.broken = error
        throw error
      })
    )
  }

  close(): Promise<void> {
    return this.next(() => this.connection.close())
  }
}

/** Does what it is asked until it is told to stop; then it closes everything and ends. */
export const serveDatabase = (port: ParentPort<ToDatabase, FromDatabase>): void => {
  let engine: LocalEngine | null = null
  const connections = new Map<number, Serving>()
  const opened = (): LocalEngine => {
    if (engine === null) throw new Error("no file is open")
    return engine
  }
  const serving = (connection: number): Serving => {
    const found = connections.get(connection)
    if (found === undefined) throw new Error("the connection is closed")
    return found
  }
  const done = async (asked: Exclude<ToDatabase, { type: "stop" }>): Promise<RowChunks | null> => {
    switch (asked.type) {
      case "open":
        engine = await openEngine(asked.path, asked.options)
        return null
      case "connect":
        connections.set(asked.connection, new Serving(await opened().connect()))
        return null
      case "close":
        await serving(asked.connection).close()
        connections.delete(asked.connection)
        return null
      case "run":
        await serving(asked.connection).run(asked.sql)
        return null
      case "rows":
        return serving(asked.connection).rows(asked.sql)
      case "append":
        await serving(asked.connection).append(asked.table, unpackRows(asked.rows))
        return null
    }
  }
  const stop = async (): Promise<void> => {
    await Promise.allSettled([...connections.values()].map(one => one.close()))
    engine?.close()
    port.close()
  }
  port.onMessage(asked => {
    if (asked.type === "stop") {
      void stop()
      return
    }
    const { id } = asked
    const memory = asked.type === "append" ? [asked.rows.memory] : []
    const given = memory[0] === undefined ? {} : { memory: memory[0] }
    done(asked).then(
      found => {
        if (found === null) port.post({ id, failure: null, ...given }, memory)
        else port.post({ id, failure: null, found }, memoryOf(found))
      },
      (error: Error) => port.post({ id, failure: error.message, ...given }, memory)
    )
  })
}
