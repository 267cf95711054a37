import { Effect, Exit, Fiber } from "effect"
import { expect, it } from "vitest"
import type { Connection } from "./duckdb.ts"
import { openDuckDb } from "./duckdb-local.ts"

const SLOW = "SELECT count(*) AS n FROM range(20000000) t(i) WHERE hash(i) % 7 = 3"

it("closes a connection only when what it was asked before has ended", async () => {
  const connections: Array<Connection> = []
  const asked: Array<Fiber.Fiber<unknown, unknown>> = []
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const database = yield* openDuckDb(":memory:", { threads: 1 })
        // more than there are threads for them, so that some wait for one
        for (let i = 0; i < 8; i++) {
          const connection = yield* database.connect
          connections.push(connection)
          asked.push(Effect.runFork(connection.rows(SLOW)))
        }
        // nobody waits for this one any more, but DuckDB works on
        yield* Fiber.interrupt(asked[0] as Fiber.Fiber<unknown, unknown>)
      })
    )
  )
  const exits = await Promise.all(asked.map(fiber => Effect.runPromise(Fiber.await(fiber))))
  expect(exits.slice(1).map(Exit.isSuccess)).toEqual(Array(7).fill(true))
  const late = await Effect.runPromise(Effect.exit((connections[0] as Connection).run("SELECT 1")))
  expect(String(late)).toContain("the connection is closed")
})

it("finds the newest rows where rows that were newer have been deleted", () =>
  Effect.gen(function* () {
    const { connect } = yield* openDuckDb(":memory:", { threads: 1 })
    const connection = yield* connect
    yield* connection.run(
      `CREATE TABLE t AS SELECT range AS seq FROM range(245760);
       DELETE FROM t WHERE seq >= 122880;
       INSERT INTO t VALUES (122880), (122881), (122882)`
    )
    const newest = yield* connection.rows("SELECT * FROM t ORDER BY seq DESC LIMIT 1")
    expect(newest).toEqual([{ seq: 122882n }])
  }).pipe(Effect.scoped, Effect.runPromise))
