import { expect, it } from "vitest"
import type { AppendRows } from "./duckdb.ts"
import { serveDatabase } from "./duckdb-serving.ts"
import type { FromDatabase, ToDatabase } from "./duckdb-thread.ts"
import { packRows } from "./packed-rows.ts"

type Question = Exclude<ToDatabase, { type: "stop" }>
type WithoutId<Q> = Q extends Question ? Omit<Q, "id"> : never

/** The thread's end on this thread; `send` may throw as a port does. */
const openPort = (send: (told: FromDatabase) => void = () => {}) => {
  const waiting = new Map<number, (told: FromDatabase) => void>()
  let listener: (asked: ToDatabase) => void = () => {}
  let nextId = 1
  const closed = new Promise<void>(resolve => {
    serveDatabase({
      post: told => {
        send(told)
        waiting.get(told.id)?.(told)
      },
      onMessage: given => {
        listener = given
      },
      close: resolve
    })
  })
  const ask = (question: WithoutId<Question>): Promise<FromDatabase> =>
    new Promise(resolve => {
      const id = nextId++
      waiting.set(id, resolve)
      listener({ ...question, id })
    })
  const stop = () => {
    listener({ type: "stop" })
    return closed
  }
  return { ask, stop }
}

const connected = async (port: ReturnType<typeof openPort>) => {
  const { ask } = port
  await ask({ type: "open", path: ":memory:", options: { threads: 1 } })
  await ask({ type: "connect", connection: 0 })
  const run = (sql: string) => ask({ type: "run", connection: 0, sql })
  const rows = (sql: string) => ask({ type: "rows", connection: 0, sql })
  return { ...port, run, rows }
}

const one: AppendRows = {
  types: ["u32"],
  count: 1,
  columns: () => [{ type: "u32", bytes: new Uint8Array(4), valid: null }]
}

it("answers that an answer could not be sent, and goes on", async () => {
  const { rows, stop } = await connected(
    openPort(({ found }) => {
      if (found !== undefined && found.names[0] === "unfit") throw new Error("it is unfit")
    })
  )
  expect(await rows("SELECT 1 AS unfit")).toEqual({ id: 3, failure: "it is unfit" })
  expect(await rows("SELECT 2 AS fit")).toMatchObject({ failure: null, found: { names: ["fit"] } })
  await stop()
})

it("commits nothing after rows that it could not even read", async () => {
  const { ask, run, rows, stop } = await connected(openPort())
  const append = (columns: unknown) => {
    const packed = packRows(one, bytes => new ArrayBuffer(bytes))
    const sent = { ...packed, chunks: columns as typeof packed.chunks }
    return ask({ type: "append", connection: 0, table: "t", rows: sent })
  }
  await run("CREATE TABLE t (n UINTEGER)")
  await run("BEGIN TRANSACTION")
  const { failure } = await append([[{ from: 1 << 30, bytes: 4, valid: -1, texts: null }]])
  expect(failure).toMatch(/typed array/)
  expect(await append(packRows(one, bytes => new ArrayBuffer(bytes)).chunks)).toMatchObject({
    failure
  })
  expect(await run("COMMIT")).toMatchObject({ failure })
  expect(await run("ROLLBACK")).toMatchObject({ failure: null })
  // without a transaction a rollback is refused, but what was wrong is over
  expect(await run("ROLLBACK")).toMatchObject({
    failure: expect.stringContaining("no transaction")
  })
  expect(await rows("SELECT count(*)::INT AS n FROM t")).toMatchObject({
    found: { rows: [{ n: 0 }] }
  })
  await stop()
})

it("closes a file that was still being opened when it was told to stop", async () => {
  const { ask, stop } = openPort()
  const opened = ask({ type: "open", path: ":memory:", options: { threads: 1 } })
  await stop()
  const late = new Promise(resolve => setImmediate(resolve, "late"))
  expect(await Promise.race([opened, late])).toEqual({ id: 1, failure: null })
})
