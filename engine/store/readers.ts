/** Connections for readers of a lane's tables, shared by all of them. */
import { Effect, Queue, type Scope } from "effect"
import type { Connection, Database, DuckDbError } from "../../src/platform/duckdb.ts"

const READERS = 2

/** Ends what a reader has begun on its connection, if it has. */
export const rolledBack = (connection: Connection): Effect.Effect<void> =>
  Effect.ignore(connection.run("ROLLBACK"))

export interface Readers {
  /** Runs work with a connection that nobody else uses meanwhile. */
  readonly with: <A, E>(use: (connection: Connection) => Effect.Effect<A, E>) => Effect.Effect<A, E>
  /**
   * Likewise, and ends the transaction that the work begins: nobody waits for that end but who is
   * to have the connection next.
   */
  readonly within: Readers["with"]
  /** Runs work while nobody reads; readers that come meanwhile wait for its end. */
  readonly without: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

export const openReaders = (database: Database): Effect.Effect<Readers, DuckDbError, Scope.Scope> =>
  Effect.gen(function* () {
    const free = yield* Queue.unbounded<Connection>()
    for (let i = 0; i < READERS; i++) yield* Queue.offer(free, yield* database.connect)
    const all = Array.from({ length: READERS })
    const scope = yield* Effect.scope
    const give = (connection: Connection) => Queue.offer(free, connection)
    return {
      with: use => Effect.acquireUseRelease(Queue.take(free), use, give),
      within: use =>
        Effect.acquireUseRelease(Queue.take(free), use, connection =>
          Effect.forkIn(Effect.andThen(rolledBack(connection), give(connection)), scope)
        ),
      without: work =>
        Effect.acquireUseRelease(
          Effect.forEach(all, () => Queue.take(free)),
          () => work,
          taken => Queue.offerAll(free, taken)
        )
    }
  })
