/** Connections for readers of a lane's tables, shared by all of them. */
import { Effect, Queue, type Scope } from "effect"
import type { Connection, Database, DuckDbError } from "../../src/platform/duckdb.ts"

const READERS = 2

export interface Readers {
  /** Runs work with a connection that nobody else uses meanwhile. */
  readonly with: <A, E>(use: (connection: Connection) => Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** Runs work while nobody reads; readers that come meanwhile wait for its end. */
  readonly without: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

export const openReaders = (database: Database): Effect.Effect<Readers, DuckDbError, Scope.Scope> =>
  Effect.gen(function* () {
    const free = yield* Queue.unbounded<Connection>()
    for (let i = 0; i < READERS; i++) yield* Queue.offer(free, yield* database.connect)
    const all = Array.from({ length: READERS })
    return {
      with: use =>
        Effect.acquireUseRelease(Queue.take(free), use, connection =>
          Queue.offer(free, connection)
        ),
      without: work =>
        Effect.acquireUseRelease(
          Effect.forEach(all, () => Queue.take(free)),
          () => work,
          taken => Queue.offerAll(free, taken)
        )
    }
  })
