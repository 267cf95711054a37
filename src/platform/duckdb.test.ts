import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Effect, Exit, Fiber } from "effect"
import { expect, it } from "vitest"
import { endless, sequences, untilBegun } from "../../test/support/endless-statement.ts"
import { atRest } from "../../test/support/engine.ts"
import { type AppendRows, CHUNK_ROWS, type Connection } from "./duckdb.ts"
import { openDuckDb } from "./duckdb-local.ts"

const counting = (rows: number): string =>
  `SELECT count(*) AS n FROM range(${rows}) t(i) WHERE hash(i) % 7 = 3`

/** Less than what is interrupted when its connection is closed, and what never ends by itself. */
const SLOW = counting(2_000_000)

const numbers = (count: number, end = count): AppendRows => ({
  types: ["u32"],
  count,
  columns: (from, size) => {
    if (from >= end) throw new Error("no more numbers")
    const bytes = new Uint8Array(Uint32Array.from({ length: size }, (_, i) => from + i).buffer)
    return [{ type: "u32", bytes, valid: null }]
  }
})

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

it("interrupts what has not ended a second after its connection was closed", async () => {
  const asked: Array<Fiber.Fiber<unknown, unknown>> = []
  let closing = 0
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { connect } = yield* openDuckDb(":memory:", { threads: 1 })
        const connections = yield* Effect.all([connect, connect, connect])
        const watcher = yield* connect
        yield* watcher.run(sequences(3))
        for (const [i, { rows }] of connections.entries()) {
          asked.push(Effect.runFork(rows(endless(i))))
        }
        yield* untilBegun(watcher, 3)
        closing = performance.now()
      })
    )
  )
  expect(performance.now() - closing).toBeLessThan(atRest(6000))
  const exits = await Promise.all(asked.map(fiber => Effect.runPromise(Fiber.await(fiber))))
  expect(exits.map(exit => /INTERRUPT Error: Interrupted!/.test(String(exit)))).toEqual([
    ...Array(3).fill(true)
  ])
})

it("never brings back rows of an append that failed", async () => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const count = "SELECT count(*)::INT AS n FROM kept"
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { connect } = yield* openDuckDb(":memory:", { threads: 1 })
        const { run, rows, append } = yield* connect
        yield* run("CREATE TABLE kept (n UINTEGER CHECK (n < 5000))")
        for (const wrong of [numbers(3 * CHUNK_ROWS, CHUNK_ROWS), numbers(3 * CHUNK_ROWS)]) {
          yield* run("BEGIN TRANSACTION")
          const { message } = yield* Effect.flip(append("kept", wrong))
          expect(message).toMatch(/no more numbers|CHECK constraint failed/)
          yield* run("ROLLBACK")
        }
        yield* run("CREATE OR REPLACE TABLE kept (n UINTEGER)")
        for (let i = 0; i < 5; i++) {
          collect()
          yield* Effect.sleep(5)
        }
        expect(yield* rows(count)).toEqual([{ n: 0 }])
        yield* append("kept", numbers(10))
        expect(yield* rows(count)).toEqual([{ n: 10 }])
      })
    )
  )
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
