import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Fiber } from "effect"
import { afterAll, expect, it } from "vitest"
import { compact } from "./compaction.ts"
import { checkpoint, restoreSnapshot, takeSnapshot } from "./snapshot.ts"
import { type Commit, commit, digests, lastCommit, openStore, type Store } from "./store.ts"
import { table } from "./table.ts"

const dir = mkdtempSync(join(tmpdir(), "snapshot-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const swaps = table({
  name: "swaps",
  shape: "append",
  key: [],
  columns: { k: { type: "u32" }, v: { type: "i64" } }
})
const byKey = table({
  name: "swaps_by_key",
  shape: "index",
  key: ["k", "seq"],
  columns: { k: { type: "u32" } },
  select: "SELECT k, seq FROM swaps"
})
const tables = [swaps, byKey]
const ROWS = 150_000

const at = (seq: number): Commit => ({
  seq,
  streamSeq: seq,
  hash: "",
  block: seq,
  blockTime: seq
})

it("copies the file as it was while more is committed", async () => {
  const file = join(dir, "lane.duckdb")
  const wanted = await Effect.runPromise(
    Effect.gen(function* () {
      const store = yield* openStore(file, tables, { threads: 2 })
      const write = (commits: number) =>
        Effect.gen(function* () {
          const from = (commits - 1) * ROWS
          yield* store.writer.run("BEGIN TRANSACTION")
          yield* store.writer.run(
            `INSERT INTO swaps SELECT hash(range) % 1000, range, ${from} + range
             FROM range(1, ${ROWS + 1})`
          )
          yield* commit(store, at(from + ROWS))
        })
      yield* write(1)
      yield* compact(store, at(ROWS), { minTailRows: 1 })
      yield* checkpoint(store)
      const then = yield* digests(store.writer, tables)
      for (const n of [2, 3]) yield* write(n)
      const copying = yield* Effect.forkChild(takeSnapshot(store, file, ROWS))
      for (const n of [4, 5]) yield* write(n)
      yield* Fiber.join(copying)
      // from here on the file may be written again
      yield* compact(store, at(5 * ROWS), { minTailRows: 1 })
      expect(yield* digests(store.writer, tables)).not.toEqual(then)
      return then
    }).pipe(Effect.scoped)
  )
  expect(Number(wanted[0]?.rows)).toBe(ROWS)
  await Effect.runPromise(restoreSnapshot(file))
  const restored = await Effect.runPromise(
    Effect.gen(function* () {
      const store = yield* openStore(file, tables, { threads: 2 })
      expect((yield* lastCommit(store.writer)).seq).toBe(ROWS)
      return yield* digests(store.writer, tables)
    }).pipe(Effect.scoped)
  )
  expect(restored).toEqual(wanted)
})

/** How large the WAL of a store may become. */
const threshold = (store: Store) =>
  store.writer
    .rows("SELECT current_setting('checkpoint_threshold') AS size")
    .pipe(Effect.map(rows => rows[0]?.["size"]))

it("lets checkpoints come again where the file cannot be copied", async () => {
  const folder = mkdtempSync(join(dir, "full-"))
  const file = join(folder, "lane.duckdb")
  // where the folder of the copies would be
  writeFileSync(join(folder, "snapshots"), "")
  await Effect.runPromise(
    Effect.gen(function* () {
      const store = yield* openStore(file, tables, { threads: 1 })
      const before = yield* threshold(store)
      yield* checkpoint(store)
      expect(yield* threshold(store)).not.toBe(before)
      const failure = yield* Effect.flip(takeSnapshot(store, file, 1))
      expect(failure._tag).toBe("FileError")
      expect(yield* threshold(store)).toBe(before)
    }).pipe(Effect.scoped)
  )
})

it("removes copies that were not finished, and those of positions that the log has no more", async () => {
  const folder = mkdtempSync(join(dir, "stopped-"))
  const file = join(folder, "lane.duckdb")
  const snapshots = join(folder, "snapshots")
  mkdirSync(snapshots)
  // of a log that was longer, before it was cut
  for (const name of ["lane-0000000000000050.duckdb", "lane-0000000000000060.duckdb"]) {
    writeFileSync(join(snapshots, name), "of what is no more")
    writeFileSync(join(snapshots, `${name}.sha256`), "its checksum")
  }
  writeFileSync(join(snapshots, "lane-0000000000000007.duckdb.part"), "half")
  writeFileSync(join(snapshots, "other-0000000000000007.duckdb.part"), "another lane's")
  await Effect.runPromise(
    Effect.gen(function* () {
      const store = yield* openStore(file, tables, { threads: 1 })
      yield* checkpoint(store)
      yield* takeSnapshot(store, file, 8)
      // in the place of the next copy
      mkdirSync(join(snapshots, "lane-0000000000000009.duckdb", "full"), { recursive: true })
      yield* checkpoint(store)
      yield* Effect.flip(takeSnapshot(store, file, 9))
    }).pipe(Effect.scoped)
  )
  expect(readdirSync(snapshots)).toEqual([
    "lane-0000000000000008.duckdb",
    "lane-0000000000000008.duckdb.sha256",
    "lane-0000000000000009.duckdb",
    "lane-0000000000000009.duckdb.sha256",
    "other-0000000000000007.duckdb.part"
  ])
})
