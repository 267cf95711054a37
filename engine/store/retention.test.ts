import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Result } from "effect"
import { afterAll, expect, it } from "vitest"
import { compact } from "./compaction.ts"
import {
  KEEP_ALL,
  keptFrom,
  type Retention,
  refusedRetention,
  retentionOf,
  retentionText
} from "./retention.ts"
import { RowBuffer } from "./row-buffer.ts"
import { SlotTable } from "./slot-table.ts"
import {
  type Commit,
  commit,
  digests,
  flushRows,
  OutdatedTables,
  openStore,
  rollbackTables,
  type Store
} from "./store.ts"
import { partsName, rowsName, table, tailName } from "./table.ts"

const folder = mkdtempSync(join(tmpdir(), "swaptape-retention-"))
afterAll(() => rmSync(folder, { recursive: true }))

const DAY = 86_400
/** a Tuesday, 0:00 UTC */
const FIRST_DAY = 1_767_657_600
const HOURS = 12 * 24

const events = table({
  name: "events",
  shape: "append",
  key: [],
  leaves: { by: "ts", after: "raw" },
  columns: { ts: { type: "u32" }, k: { type: "u32" } }
})

const byKey = table({
  name: "by_key",
  shape: "index",
  key: ["k", "seq"],
  leaves: { by: "ts", after: "raw" },
  select: `SELECT ts, k, seq FROM ${rowsName(events)}`,
  columns: { ts: { type: "u32" }, k: { type: "u32" } }
})

const minutes = table({
  name: "minutes",
  shape: "state",
  key: ["k", "t"],
  leaves: { by: "t", after: "minutes" },
  columns: { k: { type: "u32" }, t: { type: "u32" }, n: { type: "u32" } }
})

const days = table({
  name: "days",
  shape: "rollup",
  key: ["k", "t"],
  rollsUp: minutes,
  select: `SELECT k, (t // 86400 * 86400)::UINTEGER AS t, sum(n)::UINTEGER AS n
    FROM parts GROUP BY k, t // 86400`,
  columns: minutes.columns
})

const tables = [events, byKey, minutes, days]

/** One event an hour: number `n` (from 1) in the hour `n - 1` after the first day began. */
const timeOf = (n: number): number => FIRST_DAY + (n - 1) * 3600

const at = (n: number): Commit => ({
  ...{ seq: n, streamSeq: n, hash: `h${n}`, block: n, blockTime: timeOf(n) }
})

/** Commits the events of `(from, to]`. */
const write = (store: Store, from: number, to: number) =>
  Effect.gen(function* () {
    const rows = new RowBuffer(events)
    for (let n = from + 1; n <= to; n++) {
      const place = rows.next(n)
      rows.columns.ts[place] = timeOf(n)
      rows.columns.k[place] = n % 7
    }
    const versions = new RowBuffer(minutes)
    for (let n = from + 1; n <= to; n++) {
      const place = versions.next(n)
      versions.columns.t[place] = timeOf(n)
      versions.columns.k[place] = n % 7
      versions.columns.n[place] = n
    }
    yield* store.writer.run("BEGIN TRANSACTION")
    yield* flushRows(store, rows as unknown as RowBuffer<never>)
    yield* flushRows(store, versions as unknown as RowBuffer<never>)
    yield* commit(store, at(to))
  })

const seqs = (store: Store, relation: string) =>
  Effect.map(store.writer.rows(`SELECT seq FROM ${relation} ORDER BY seq`), rows =>
    rows.map(row => Number(row["seq"]))
  )

const ALL_BY_KEY = "(SELECT * FROM by_key UNION ALL SELECT * FROM by_key_tail)"

/** The events that are kept as of event `n`, by plain reckoning. */
const keptAt = (n: number, days: number): ReadonlyArray<number> => {
  const today = Math.floor((n - 1) / 24)
  const first = Math.max(0, today - days) * 24 + 1
  return Array.from({ length: n - first + 1 }, (_, i) => first + i)
}

const withStore = <A, E>(
  path: string,
  retention: Retention | undefined,
  use: (store: Store) => Effect.Effect<A, E>
) =>
  openStore(path, tables, { threads: 2, ...(retention === undefined ? {} : { retention }) }).pipe(
    Effect.flatMap(use),
    Effect.scoped
  )

const run = Effect.runPromise

it("counts whole days before the present one", () => {
  expect(keptFrom({ raw: null, minutes: null }, timeOf(200)).raw).toBe(0)
  expect(keptFrom({ raw: 2, minutes: null }, FIRST_DAY + 3 * DAY - 1).raw).toBe(FIRST_DAY)
  expect(keptFrom({ raw: 2, minutes: null }, FIRST_DAY + 3 * DAY).raw).toBe(FIRST_DAY + DAY)
  expect(keptFrom({ raw: 90_000, minutes: null }, FIRST_DAY).raw).toBe(0)
})

it("shows at each commit the days that are kept as of it, in table and index", async () => {
  await run(
    withStore(":memory:", { raw: 3, minutes: null }, store =>
      Effect.gen(function* () {
        let from = 0
        for (const to of [1, 23, 24, 25, 95, 96, 97, 200, 201, HOURS]) {
          yield* write(store, from, to)
          from = to
          if (to === 97 || to === 200) yield* compact(store, at(to - 30), { minTailRows: 1 })
          expect(yield* seqs(store, "events")).toEqual(keptAt(to, 3))
          expect(yield* seqs(store, ALL_BY_KEY)).toEqual(keptAt(to, 3))
        }
      })
    )
  )
})

it("has the same rows whatever is committed and compacted when", async () => {
  const digest = (
    steps: ReadonlyArray<number>,
    compacted: ReadonlyArray<number>,
    retention: Retention = { raw: 2, minutes: 4 }
  ) =>
    run(
      withStore(":memory:", retention, store =>
        Effect.gen(function* () {
          let from = 0
          for (const to of steps) {
            yield* write(store, from, to)
            if (compacted.includes(to)) {
              yield* compact(store, at(from || 1), { minTailRows: 1, pieceRows: 20 })
            }
            from = to
          }
          return yield* digests(store.writer, tables)
        })
      )
    )
  const hourly = Array.from({ length: HOURS }, (_, i) => i + 1)
  const whole = await digest([HOURS], [])
  // of a rollup all days of the seven keys stay
  expect(whole.map(({ rows }) => rows)).toEqual(["72", "72", "120", String(12 * 7)])
  expect(await digest(hourly, [30, 80, 81, 150, 240, 280])).toEqual(whole)
  expect(await digest([100, 130, 220, HOURS], [130, 220, HOURS])).toEqual(whole)
  const all = await digest(hourly, [240], KEEP_ALL)
  expect(all.map(({ rows }) => rows)).toEqual(["288", "288", "288", "84"])
  expect(all[3]).toEqual(whole[3])
})

it("removes for good what no reorganisation can bring back, and takes one across midnight", async () => {
  await run(
    withStore(":memory:", { raw: 2, minutes: null }, store =>
      Effect.gen(function* () {
        yield* write(store, 0, 100)
        yield* write(store, 100, 118)
        yield* write(store, 118, 125)
        // day 5 has begun; the newest final block is of day 4
        expect(yield* seqs(store, "events")).toEqual(keptAt(125, 2))
        yield* compact(store, at(118), { minTailRows: 1 })
        expect(yield* seqs(store, rowsName(events))).toEqual(
          keptAt(118, 2).concat(119, 120, 121, 122, 123, 124, 125)
        )
        expect(yield* seqs(store, rowsName(byKey))).toEqual(keptAt(118, 2))
        yield* store.writer.run("BEGIN TRANSACTION")
        yield* rollbackTables(store, [], at(118))
        yield* commit(store, at(118))
        expect(yield* seqs(store, "events")).toEqual(keptAt(118, 2))
        expect(yield* seqs(store, ALL_BY_KEY)).toEqual(keptAt(118, 2))
      })
    )
  )
})

const MINUTES = "(SELECT * FROM minutes UNION ALL SELECT * FROM minutes_tail)"

it("rolls up what it removes, and loads rows that a rollback shows again", async () => {
  const retention = { raw: 2, minutes: 2 }
  await run(
    withStore(":memory:", retention, store =>
      Effect.gen(function* () {
        yield* write(store, 0, 100)
        const hours = new SlotTable(minutes)
        yield* write(store, 100, HOURS)
        expect(yield* seqs(store, MINUTES)).toEqual(keptAt(HOURS, 2))
        // back over a week: the newest hours of that time are hidden until the next commit
        yield* store.writer.run("BEGIN TRANSACTION")
        yield* rollbackTables(store, [hours as never], at(100))
        expect([...hours.columns.n.subarray(0, 7)].sort()).toEqual([100, 94, 95, 96, 97, 98, 99])
        yield* commit(store, at(100))
        expect(yield* seqs(store, MINUTES)).toEqual(keptAt(100, 2))
        yield* write(store, 100, HOURS)
        yield* compact(store, at(HOURS - 30), { minTailRows: 1, share: 0, pieceRows: 20 })
        const first = keptAt(HOURS - 30, 2)[0] ?? 0
        expect(yield* seqs(store, rowsName(minutes))).toEqual(keptAt(HOURS - 30, 2))
        expect(new Set(yield* seqs(store, tailName(days)))).toEqual(new Set([HOURS - 30]))
        expect((yield* seqs(store, partsName(days)))[0]).toBe(first)
        const sums = yield* store.writer.rows(`SELECT sum(n) AS n FROM ${tailName(days)}`)
        expect(Number(sums[0]?.["n"])).toBe(((first - 1) * first) / 2)
      })
    )
  )
})

it("takes no setting by which trades outlive the minutes they make", () => {
  for (const right of [KEEP_ALL, { raw: 2, minutes: null }, { raw: 3, minutes: 3 }]) {
    expect(refusedRetention(right)).toBeNull()
    expect(retentionOf(retentionText(right))).toEqual(right)
  }
  for (const wrong of [
    { raw: null, minutes: 5 },
    { raw: 6, minutes: 5 }
  ]) {
    expect(refusedRetention(wrong)).toContain("RETENTION_MINUTES_DAYS=5 wants RETENTION_RAW_DAYS")
  }
})

it("keeps the setting with the tables, and refuses to show days that are gone", async () => {
  const path = join(folder, "lane.duckdb")
  await run(
    withStore(path, { raw: 2, minutes: null }, store =>
      Effect.gen(function* () {
        yield* write(store, 0, 150)
        yield* compact(store, at(149), { minTailRows: 1 })
      })
    )
  )
  // who names no setting, such as `verify`, has that of the tables
  expect(await run(withStore(path, undefined, store => seqs(store, "events")))).toEqual(
    keptAt(150, 2)
  )
  const more = await run(
    Effect.result(withStore(path, { raw: 3, minutes: null }, () => Effect.void))
  )
  expect(Result.isFailure(more) && more.failure).toEqual(
    new OutdatedTables({ found: "rows from 2026-01-10 on", wanted: "RETENTION_RAW_DAYS=3" })
  )
  const fewer = await run(
    withStore(path, { raw: 1, minutes: null }, store => seqs(store, ALL_BY_KEY))
  )
  expect(fewer).toEqual(keptAt(150, 1))
})
