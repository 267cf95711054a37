import { join } from "node:path"
import { Cause, Effect, Exit, Fiber } from "effect"
import { expect, it } from "vitest"
import { END_STATEMENT, endingDatabase } from "../../test/support/ending-database.ts"
import { endless, sequences, untilBegun } from "../../test/support/endless-statement.ts"
import { atRest } from "../../test/support/engine.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { type AppendRows, CHUNK_ROWS, type Connection, type Database } from "./duckdb.ts"
import { openDuckDbThread } from "./duckdb-thread.ts"

const entry = new URL("../bin/duckdb-worker.ts", import.meta.url)

const withDatabase = <A, E>(
  use: (database: Database) => Effect.Effect<A, E>,
  path = ":memory:",
  worker = entry
) =>
  Effect.flatMap(openDuckDbThread(worker, path, { threads: 1 }), use).pipe(
    Effect.scoped,
    Effect.runPromise
  )

/** Numbers from `first` on, every third of them null, and their texts. */
const numbered = (first: number, count: number): AppendRows => ({
  types: ["u32", "text"],
  count,
  columns: (from, size) => {
    const numbers = Uint32Array.from({ length: size }, (_, i) => first + from + i)
    const valid = new Uint8Array(CHUNK_ROWS / 8)
    numbers.forEach((number, i) => {
      if (number % 3 !== 0) valid[i >> 3] = (valid[i >> 3] as number) | (1 << (i & 7))
    })
    const texts = [...numbers].map(number => `number ${number}`)
    return [
      { type: "u32", bytes: new Uint8Array(numbers.buffer), valid },
      { type: "text", texts }
    ]
  }
})

const summed = (connection: Connection) =>
  connection.rows(
    `SELECT count(*)::INT AS rows, count(n)::INT AS n, sum(n)::BIGINT AS total,
     count(DISTINCT t)::INT AS texts FROM numbers`
  )

it("does what one connection is asked in order, and sees what was appended", () =>
  withDatabase(({ connect }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* connect
        const reader = yield* connect
        yield* writer.run("CREATE TABLE numbers (n UINTEGER, t VARCHAR)")
        yield* writer.run("BEGIN TRANSACTION")
        for (let i = 0; i < 40; i++) yield* writer.append("numbers", numbered(i * 5000, 5000))
        expect(yield* summed(reader)).toEqual([{ rows: 0, n: 0, total: null, texts: 0 }])
        yield* writer.run("COMMIT")
        const total = BigInt((199_999 * 200_000) / 2 - 3 * ((66_666 * 66_667) / 2))
        const all = { rows: 200_000, n: 133_333, total, texts: 200_000 }
        expect(yield* summed(reader)).toEqual([all])
        const rows = yield* reader.rows("SELECT * FROM numbers ORDER BY rowid LIMIT 5000 OFFSET 1")
        expect(rows).toEqual(
          Array.from({ length: 5000 }, (_, i) => ({
            n: (i + 1) % 3 === 0 ? null : i + 1,
            t: `number ${i + 1}`
          }))
        )
      })
    )
  ))

it("commits nothing where rows could not be appended, until it is rolled back", () =>
  withDatabase(({ connect }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* connect
        yield* writer.run("CREATE TABLE numbers (n UINTEGER, t VARCHAR)")
        yield* writer.run("BEGIN TRANSACTION")
        yield* writer.append("numbers", numbered(0, 10))
        // answered before it is tried
        yield* writer.append("nowhere", numbered(10, 10))
        yield* writer.append("numbers", numbered(20, 10))
        const failure = yield* Effect.flip(writer.run("COMMIT"))
        expect(failure.message).toMatch(/^COMMIT: .*nowhere/s)
        yield* writer.run("ROLLBACK")
        expect(yield* summed(writer)).toMatchObject([{ rows: 0 }])
        yield* writer.append("numbers", numbered(0, 10))
        expect(yield* summed(writer)).toMatchObject([{ rows: 10 }])
      })
    )
  ))

it("dies of rows that cannot be sent, and still knows what came before", () =>
  withDatabase(({ connect }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* connect
        yield* writer.run("CREATE TABLE numbers (n UINTEGER, t VARCHAR)")
        yield* writer.append("numbers", numbered(0, 10))
        const texts = [(() => "no text") as unknown as string]
        const bytes = new Uint8Array(4)
        const columns = () =>
          [
            { type: "u32", bytes, valid: null },
            { type: "text", texts }
          ] as const
        const unfit: AppendRows = { types: ["u32", "text"], count: 1, columns }
        const exit = yield* Effect.exit(writer.append("numbers", unfit))
        expect(String(exit)).toContain("1 rows for numbers could not be sent: DataCloneError")
        expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
        expect(yield* summed(writer)).toMatchObject([{ rows: 10 }])
      })
    )
  ))

it("says what is wrong with a statement, and with a file", async () => {
  await withDatabase(({ connect }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* connect
        const failure = yield* Effect.flip(connection.rows("SELECT * FROM nothing"))
        expect(failure.message).toMatch(/^SELECT \* FROM nothing: Catalog Error/)
        expect(yield* connection.rows("SELECT 1 AS one")).toEqual([{ one: 1 }])
      })
    )
  )
  const folder = temporaryFolder()
  const nowhere = join(folder.path, "no folder", "a.duckdb")
  const exit = await Effect.runPromiseExit(
    Effect.scoped(openDuckDbThread(entry, nowhere, { threads: 1 }))
  )
  folder.remove()
  expect(String(exit)).toContain(`open ${nowhere}: IO Error`)
})

it("closes when what it was asked has ended, and keeps it in the file", async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, "a.duckdb")
  const asked: Array<Fiber.Fiber<unknown, unknown>> = []
  const connections: Array<Connection> = []
  await withDatabase(
    ({ connect }) =>
      Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* connect
          connections.push(connection)
          // milliseconds of work: what lasts a second after it was closed is interrupted
          const create = "CREATE TABLE slow AS SELECT range AS n FROM range(100000)"
          asked.push(Effect.runFork(connection.run(create)))
          asked.push(Effect.runFork(connection.rows("SELECT count(*)::INT AS n FROM slow")))
          yield* Effect.yieldNow
        })
      ),
    path
  )
  const exits = await Promise.all(asked.map(fiber => Effect.runPromise(Fiber.await(fiber))))
  expect(exits).toEqual([Exit.succeed(undefined), Exit.succeed([{ n: 100_000 }])])
  const late = await Effect.runPromiseExit((connections[0] as Connection).run("SELECT 1"))
  expect(String(late)).toContain("the connection is closed")
  const kept = await withDatabase(
    ({ connect }) =>
      Effect.scoped(Effect.flatMap(connect, one => one.rows("SELECT max(n)::INT AS n FROM slow"))),
    path
  )
  expect(kept).toEqual([{ n: 99_999 }])
  folder.remove()
})

it("interrupts what has not ended a second after it was closed, and commits nothing after", async () => {
  const asked: Array<Fiber.Fiber<unknown, unknown>> = []
  let closing = 0
  const folder = temporaryFolder()
  const path = join(folder.path, "a.duckdb")
  await withDatabase(
    ({ connect }) =>
      Effect.scoped(
        Effect.gen(function* () {
          const [writer, reader, watcher] = yield* Effect.all([connect, connect, connect])
          yield* writer.run("CREATE TABLE numbers (n UINTEGER, t VARCHAR)")
          yield* writer.run(sequences(2))
          yield* writer.run("BEGIN TRANSACTION")
          yield* writer.append("numbers", numbered(0, 10))
          asked.push(
            Effect.runFork(reader.rows(endless(0))),
            Effect.runFork(writer.rows(endless(1)))
          )
          yield* writer.append("numbers", numbered(10, 10))
          asked.push(Effect.runFork(writer.run("COMMIT")))
          yield* untilBegun(watcher, 2)
          closing = performance.now()
        })
      ),
    path
  )
  // less than a thread is given before it is ended by force
  expect(performance.now() - closing).toBeLessThan(atRest(6000))
  const exits = await Promise.all(asked.map(fiber => Effect.runPromise(Fiber.await(fiber))))
  expect(exits.map(String)).toEqual([
    expect.stringContaining("INTERRUPT Error: Interrupted!"),
    expect.stringContaining("INTERRUPT Error: Interrupted!"),
    expect.stringContaining("COMMIT: the connection is being closed")
  ])
  const count = await withDatabase(
    ({ connect }) => Effect.scoped(Effect.flatMap(connect, summed)),
    path
  )
  expect(count).toMatchObject([{ rows: 0 }])
  folder.remove()
})

it("dies with its thread, whatever runs, and takes no process with it", async () => {
  const died = (exit: Exit.Exit<unknown, unknown>) =>
    Exit.isFailure(exit) && Cause.hasDies(exit.cause) && !Cause.hasFails(exit.cause)
      ? String(Cause.squash(exit.cause)).split("\n")[0]
      : exit
  const exits = await withDatabase(
    ({ connect, ended }) =>
      Effect.scoped(
        Effect.gen(function* () {
          const [first, second, third] = yield* Effect.all([connect, connect, connect])
          yield* third.run("CREATE TABLE numbers (n UINTEGER, t VARCHAR)")
          yield* third.run(sequences(1))
          const running = yield* Effect.all([
            Effect.forkChild(Effect.exit(first.rows(endless(0)))),
            Effect.forkChild(Effect.exit(first.run("COMMIT"))),
            Effect.forkChild(Effect.exit(ended))
          ])
          yield* untilBegun(third, 1)
          const ending = yield* Effect.exit(second.run(END_STATEMENT))
          const rest = yield* Effect.all([
            Fiber.join(running[0]),
            Fiber.join(running[1]),
            Fiber.join(running[2])
          ])
          const late = yield* Effect.all([
            Effect.exit(third.run("COMMIT")),
            Effect.exit(third.append("numbers", numbered(0, 10))),
            Effect.exit(connect)
          ])
          return [ending, ...rest, ...late]
        })
      ),
    ":memory:",
    endingDatabase
  )
  const reason = "EngineFault: DuckDB's thread ended: IO Error: as it was told"
  expect(exits.map(died)).toEqual(Array(7).fill(reason))
})
