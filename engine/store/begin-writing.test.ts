import { statSync } from "node:fs"
import { join } from "node:path"
import { Effect, Fiber } from "effect"
import { expect, it, onTestFinished } from "vitest"
import { temporaryFolder } from "../../test/support/nats.ts"
import { beginWriting } from "./begin-writing.ts"
import { RowBuffer } from "./row-buffer.ts"
import { CHECKPOINT_NEVER, flushRows, openStore } from "./store.ts"
import { table } from "./table.ts"

const numbers = table({
  name: "numbers",
  shape: "append",
  key: [],
  columns: { n: { type: "u32" } }
})

const COMMITS = 20
const ROWS = 50_000
const TEXTS = `SELECT md5(i::VARCHAR) || md5((i + 1)::VARCHAR) FROM range(${ROWS}) r(i)`
const READS = 20

it("lets readers read on while rows wait for the checkpoint of another commit", async () => {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const path = join(folder.path, "lane.duckdb")
  await Effect.gen(function* () {
    const database = new URL("../../src/bin/duckdb-worker.ts", import.meta.url)
    const store = yield* openStore(path, [numbers], { threads: 1, database })
    const { merger, writer, readers } = store
    yield* merger.run(`${CHECKPOINT_NEVER}; CREATE TABLE texts (t VARCHAR)`)
    for (let i = 0; i < COMMITS; i++) yield* merger.run(`INSERT INTO texts ${TEXTS}`)
    const size = statSync(path).size
    yield* merger.run("SET checkpoint_threshold = '1MB'; BEGIN TRANSACTION")
    yield* merger.run("INSERT INTO texts VALUES ('last')")
    const seen: Array<string> = []
    const see = (what: string) => Effect.sync(() => seen.push(what))
    const merging = yield* Effect.forkChild(Effect.andThen(merger.run("COMMIT"), see("merged")))
    // the checkpoint is under way
    yield* Effect.promise(() => expect.poll(() => statSync(path).size).toBeGreaterThan(size))
    const rows = new RowBuffer(numbers)
    rows.next(1)
    const writing = yield* Effect.forkChild(
      beginWriting(store).pipe(
        Effect.andThen(flushRows(store, rows as unknown as RowBuffer<never>)),
        Effect.andThen(writer.run("COMMIT"))
      )
    )
    const read = readers.with(({ rows: find }) => find("SELECT count(*)::INT AS n FROM numbers"))
    for (let i = 0; i < READS; i++) expect(yield* read).toEqual([{ n: 0 }])
    yield* see("read")
    yield* Fiber.join(merging)
    yield* Fiber.join(writing)
    expect(seen).toEqual(["read", "merged"])
    expect(yield* read).toEqual([{ n: 1 }])
  }).pipe(Effect.scoped, Effect.runPromise)
})
