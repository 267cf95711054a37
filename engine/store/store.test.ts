import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { type Row, sqlType } from "../../src/platform/duckdb.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { random } from "../../test/support/seed.ts"
import { compact } from "./compaction.ts"
import { keyRanges } from "./key-ranges.ts"
import { RowBuffer } from "./row-buffer.ts"
import {
  type Commit,
  clearTables,
  commit,
  flushRows,
  openStore,
  RUNS_PREFIX,
  readMeta,
  rollbackTables,
  type Store,
  writeMeta
} from "./store.ts"
import { storedColumns, table } from "./table.ts"

const everyType = table({
  name: "every_type",
  shape: "append",
  key: [],
  columns: {
    a8: { type: "u8" },
    a16: { type: "u16" },
    a32: { type: "u32", nullable: true },
    b32: { type: "i32", nullable: true },
    a64: { type: "i64", nullable: true },
    b64: { type: "i64" },
    f: { type: "f64", nullable: true },
    t: { type: "text", nullable: true },
    b16: { type: "bytes16" },
    owner: { type: "account", nullable: true },
    sent: { type: "tx" },
    b32b: { type: "bytes32" }
  }
})

const byKey = table({
  name: "by_key",
  shape: "index",
  key: ["k", "seq"],
  columns: { k: { type: "u32" }, v: { type: "i64", nullable: true } },
  select: "SELECT a32 AS k, a64 AS v, seq FROM every_type WHERE a32 IS NOT NULL"
})

const at = (seq: number): Commit => ({ seq, streamSeq: seq, hash: "", block: seq, blockTime: seq })

const number = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("")}`)

/** Fills rows as a fold does; answers what DuckDB is to hold. */
const fill = (
  rows: RowBuffer<(typeof everyType)["columns"]>,
  seed: string,
  from: number,
  n: number
) => {
  const r = random(seed)
  const some = <A>(value: A, none: A): A => (r.next() < 0.2 ? none : value)
  const wanted: Array<Row> = []
  for (let i = 0; i < n; i++) {
    const row = rows.next(from + i)
    const c = rows.columns
    c.a8[row] = r.integer(0, 255)
    c.a16[row] = r.integer(0, 65535)
    c.a32[row] = some(r.integer(0, 20), NONE)
    c.b32[row] = some(r.integer(-5, 2_000_000_000), NULL_I32)
    c.a64[row] = some(r.integer(-9, 9_000_000_000_000_000), Number.NaN)
    c.b64[row] = r.integer(-9_000_000_000_000_000, 9)
    c.f[row] = some(r.next() * 1e30, Number.NaN)
    c.t[row] = some(`text ${i}`, null)
    for (const [array, width] of [
      [c.b16, 16],
      [c.owner, 32],
      [c.sent, 64],
      [c.b32b, 32]
    ] as const) {
      const isNone = array === c.owner && r.next() < 0.2
      for (let k = 0; k < width; k++) array[row * width + k] = isNone ? 0 : r.integer(0, 255)
    }
    const owner = c.owner.slice(row * 32, row * 32 + 32)
    const sent = c.sent.slice(row * 64, row * 64 + 64)
    const hasOwner = owner.some(byte => byte !== 0)
    const b32b = c.b32b.slice(row * 32, row * 32 + 32)
    const wide = (value: number) => (Number.isNaN(value) ? null : BigInt(value))
    wanted.push({
      a8: c.a8[row],
      a16: c.a16[row],
      a32: c.a32[row] === NONE ? null : c.a32[row],
      b32: c.b32[row] === NULL_I32 ? null : c.b32[row],
      a64: wide(c.a64[row] as number),
      b64: BigInt(c.b64[row] as number),
      f: Number.isNaN(c.f[row]) ? null : c.f[row],
      t: c.t[row],
      b16: number(c.b16.slice(row * 16, row * 16 + 16)),
      owner_top: hasOwner ? number(owner.slice(0, 12)) : null,
      owner_hi: hasOwner ? number(owner.slice(12, 28)) : null,
      owner_lo: hasOwner ? Number(number(owner.slice(28))) : null,
      sent_top_hi: number(sent.slice(0, 16)),
      sent_top_lo: number(sent.slice(16, 32)),
      sent_hi: number(sent.slice(32, 48)),
      sent_lo: number(sent.slice(48)),
      b32b_hi: number(b32b.slice(0, 16)),
      b32b_lo: number(b32b.slice(16)),
      seq: BigInt(from + i)
    })
  }
  return wanted
}

const storeOn =
  (database: URL | undefined) =>
  <A, E>(use: (store: Store) => Effect.Effect<A, E>) =>
    openStore(":memory:", [everyType, byKey], { threads: 2, database }).pipe(
      Effect.flatMap(use),
      Effect.scoped,
      Effect.runPromise
    )

const places = [
  ["on this thread", undefined],
  ["on a thread of its own", new URL("../../src/bin/duckdb-worker.ts", import.meta.url)]
] as const

describe.each(places)("the store, with DuckDB %s", (_, database) => {
  const withStore = storeOn(database)

  it("keeps rows of every type, more than a chunk and less", async () => {
    await withStore(store =>
      Effect.gen(function* () {
        const rows = new RowBuffer(everyType)
        let from = 1
        const wanted: Array<Row> = []
        for (const n of [1, 7, 2048, 2049, 5000]) {
          wanted.push(...fill(rows, `rows ${n}`, from, n))
          yield* flushRows(store, rows as unknown as RowBuffer<never>)
          expect(rows.count).toBe(0)
          from += n
        }
        const types = yield* store.writer.rows("DESCRIBE every_type")
        const declared = storedColumns(everyType)
        expect(types.map(row => row["column_type"])).toEqual(
          declared.map(({ type }) => sqlType(type))
        )
        expect(yield* store.writer.rows("SELECT * FROM every_type ORDER BY seq")).toEqual(wanted)
      })
    )
  })

  it("answers an index alike before and after compaction, rollback and emptying", async () => {
    await withStore(store =>
      Effect.gen(function* () {
        const rows = new RowBuffer(everyType)
        const read = store.writer.rows(
          "SELECT * FROM (SELECT * FROM by_key UNION ALL SELECT * FROM by_key_tail) ORDER BY k, seq"
        )
        const truth = store.writer.rows(
          "SELECT a32 AS k, a64 AS v, seq FROM every_type WHERE a32 IS NOT NULL ORDER BY k, seq"
        )
        const counts = (name: string) =>
          Effect.map(store.writer.rows(`SELECT count(*) AS n FROM ${name}`), ([row]) =>
            Number(row?.["n"])
          )
        const write = (from: number, n: number) =>
          Effect.gen(function* () {
            fill(rows, `index ${from}`, from, n)
            yield* store.writer.run("BEGIN TRANSACTION")
            yield* flushRows(store, rows as unknown as RowBuffer<never>)
            yield* commit(store, at(from + n - 1))
          })
        yield* write(1, 500)
        expect(yield* counts("by_key")).toBe(0)
        expect(yield* read).toEqual(yield* truth)
        yield* write(501, 500)
        expect(yield* compact(store, at(700), { minTailRows: 1, pieceRows: 64 })).toEqual([
          "by_key"
        ])
        const keys = yield* store.writer.rows("SELECT k, seq FROM by_key ORDER BY rowid")
        expect(keys).toEqual(yield* store.writer.rows("SELECT k, seq FROM by_key ORDER BY k, seq"))
        const based = yield* counts("by_key")
        expect(based).toBe(yield* counts("every_type WHERE seq <= 700 AND a32 IS NOT NULL"))
        expect(yield* read).toEqual(yield* truth)
        yield* write(1001, 500)
        expect(yield* read).toEqual(yield* truth)
        yield* store.writer.run("BEGIN TRANSACTION")
        yield* rollbackTables(store, [], at(800))
        yield* commit(store, at(800))
        expect(yield* counts("by_key")).toBe(based)
        expect(yield* counts("by_key_tail")).toBe((yield* truth).length - based)
        expect(yield* read).toEqual(yield* truth)
        yield* store.writer.run("BEGIN TRANSACTION")
        yield* clearTables(store, [])
        yield* commit(store, at(0))
        expect(yield* read).toEqual([])
        yield* write(1, 300)
        expect((yield* truth).length).toBeGreaterThan(200)
        expect(yield* read).toEqual(yield* truth)
      })
    )
  })

  it("loses no row of a key that fills most pieces", async () => {
    await withStore(store =>
      Effect.gen(function* () {
        // a third of the rows has the least key, so the bounds of pieces fall on it
        yield* store.writer.run(
          `INSERT INTO every_type BY NAME
           SELECT (greatest(0, range % 300 - 100))::INTEGER AS a32, range AS a64, range AS seq
           FROM range(1, 400001)`
        )
        const pieces = { minTailRows: 1, pieceRows: 50_000 }
        const cut = { source: "by_key_tail", key: "k", within: "seq" }
        const ranges = yield* keyRanges(store.writer, cut, 400_000, 50_000)
        expect(ranges[0]).toBe("TRUE AND k < 0")
        for (const range of ranges) {
          const [row] = yield* store.writer.rows(
            `SELECT count(*) AS n FROM by_key_tail WHERE ${range}`
          )
          expect(Number(row?.["n"])).toBeLessThan(100_000)
        }
        expect(yield* compact(store, at(400_000), pieces)).toEqual(["by_key"])
        const sums = (name: string) =>
          store.writer.rows(`SELECT count(*) AS n, sum(k) AS k, sum(seq) AS seq FROM ${name}`)
        expect(yield* sums("by_key_tail WHERE seq > 0")).toMatchObject([{ n: 0n }])
        expect(yield* sums("by_key")).toEqual(yield* sums("(SELECT a32 AS k, seq FROM every_type)"))
      })
    )
  })

  it("adds sorted runs to a base, and writes it anew when there are many", async () => {
    await withStore(store =>
      Effect.gen(function* () {
        const write = (from: number, rows: number) =>
          store.writer.run(
            `INSERT INTO every_type BY NAME SELECT (range * 7919 % 101)::INTEGER AS a32,
             range AS a64, range AS seq FROM range(${from}, ${from + rows})`
          )
        // a row that is less than the one before it begins another run
        const runs = store.writer
          .rows(
            `SELECT count(*) FILTER (k < before) + 1 AS n FROM
             (SELECT k, lag(k) OVER (ORDER BY rowid) AS before FROM by_key)`
          )
          .pipe(Effect.map(([row]) => Number(row?.["n"])))
        const read = (from: string) =>
          store.writer.rows(`SELECT k, v, seq FROM (${from}) ORDER BY seq`)
        const found: Array<number> = []
        for (let i = 0; i < 18; i++) {
          yield* write(i * 300 + 1, 300)
          const upTo = at((i + 1) * 300)
          expect(yield* compact(store, upTo, { minTailRows: 1, share: 0, pieceRows: 100 })).toEqual(
            ["by_key"]
          )
          found.push(yield* runs)
          expect(yield* read("SELECT * FROM by_key")).toEqual(
            yield* read("SELECT a32 AS k, a64 AS v, seq FROM every_type")
          )
        }
        expect(found).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1, 2])
        yield* store.writer.run("BEGIN TRANSACTION")
        yield* clearTables(store, [])
        yield* commit(store, at(0))
        expect(yield* readMeta(store.writer, `${RUNS_PREFIX}by_key`)).toBeNull()
      })
    )
  })

  it("leaves a table as it was where a merge fails, and merges it later", async () => {
    await withStore(store =>
      Effect.gen(function* () {
        yield* store.writer.run(
          `INSERT INTO every_type BY NAME
           SELECT (range % 7)::INTEGER AS a32, range AS a64, range AS seq FROM range(1, 101)`
        )
        yield* writeMeta(store.writer, `${RUNS_PREFIX}by_key`, "16")
        // in the way of the merge's own table
        yield* store.writer.run("CREATE TABLE by_key_next (k INTEGER)")
        const failure = yield* Effect.flip(compact(store, at(100), { minTailRows: 1 }))
        expect(failure.message).toContain("by_key_next")
        expect(yield* store.merger.rows("SELECT count(*) AS n FROM by_key_tail")).toEqual([
          { n: 100n }
        ])
        yield* store.writer.run("DROP TABLE by_key_next")
        expect(yield* compact(store, at(100), { minTailRows: 1 })).toEqual(["by_key"])
        expect(yield* store.merger.rows("SELECT count(*) AS n FROM by_key")).toEqual([{ n: 100n }])
      })
    )
  })
})
