import { Effect } from "effect"
import { expect, it } from "vitest"
import { databaseMb } from "../../engine/lane/lane-memory.ts"
import { openDuckDb } from "../../src/platform/duckdb-local.ts"
import { random, seed } from "../../test/support/seed.ts"
import { type Bucket, Buckets, COUNTS, countsOf, DOLLARS, pricesOf, RATIO } from "./bucket.ts"
import { pairHoursTable } from "./tables.ts"

const MINUTES = 400
const PAIRS = 3
const MICRO = 4_000_000_000
const GRID = { seconds: 3600, origin: 0 }

type Row = { readonly [column: string]: number | null }

/** A minute's row with prices that round, some of a kind without any, and words that wrap. */
const rowOf = (r: ReturnType<typeof random>, pair: number, t: number): Row => {
  const priced = (names: ReadonlyArray<string>, volume: () => number): Row => {
    const n = r.boolean(0.7) ? r.integer(1, 5) : 0
    const [o, h, l, c, v, count] = names as [string, string, string, string, string, string]
    const prices = [o, h, l, c].map(name => [
      name,
      n === 0 ? null : r.next() * 10 ** r.integer(-8, 8)
    ])
    return { ...Object.fromEntries(prices), [v]: n === 0 ? 0 : volume(), [count]: n }
  }
  const micro = () => r.integer(0, MICRO)
  const counts = COUNTS.map(name => [name, r.integer(0, name.startsWith("hash") ? 0xffffffff : 9)])
  const dollars = priced(DOLLARS, micro)
  return {
    ...{ pair, t, ...dollars, bv: dollars["n"] === 0 ? 0 : micro() },
    ...priced(RATIO, () => r.next() * 10 ** r.integer(-9, 9)),
    ...Object.fromEntries(counts)
  }
}

/** A plain number would be a decimal, which rounds. */
const textOf = (value: number | null | undefined): string =>
  value === null || value === undefined ? "NULL" : `'${value}'`

const hoursOf = (rows: ReadonlyArray<Row>, unit: "dollars" | "ratio"): ReadonlyArray<Bucket> => {
  const buckets = new Buckets(GRID, unit)
  const column = (name: string) => Float64Array.from(rows, row => row[name] ?? Number.NaN)
  const all = {
    ...{ dollars: pricesOf(DOLLARS, column), ratio: pricesOf(RATIO, column) },
    counts: countsOf(column)
  }
  for (const [at, row] of rows.entries()) buckets.add(row["t"] ?? 0, all, at)
  return buckets.list
}

it("makes the hours that the fold of buckets makes, to the bit", () =>
  Effect.gen(function* () {
    console.log(`rolled up: SEED=${seed}`)
    const r = random("rolled up")
    const rows = Array.from({ length: PAIRS }, (_, pair) =>
      Array.from({ length: MINUTES }, (_, i) => i)
        .filter(() => r.boolean())
        .map(i => rowOf(r, pair, 7200 + 60 * i))
    )
    const database = yield* openDuckDb(":memory:", { threads: 2, readOnly: false })
    const connection = yield* database.connect
    const names = Object.keys(pairHoursTable.columns)
    const types: { readonly [type: string]: string } = {
      u32: "UINTEGER",
      i64: "BIGINT",
      f64: "DOUBLE"
    }
    const columns = Object.entries(pairHoursTable.columns).map(
      ([name, { type }]) => `${name} ${types[type]}`
    )
    yield* connection.run(`CREATE TABLE parts (${columns.join(", ")})`)
    // in any order
    const values = r
      .shuffle(rows.flat())
      .map(row => `(${names.map(name => textOf(row[name])).join(", ")})`)
    yield* connection.run(`INSERT INTO parts VALUES ${values.join(", ")}`)
    const found = yield* connection.rows(`${pairHoursTable.select} ORDER BY pair, t`)
    const told = found.map(row =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, value === null ? null : Number(value)])
      )
    )
    for (const [pair, own] of rows.entries()) {
      const mine = told.filter(row => row["pair"] === pair)
      expect(mine.length).toBeGreaterThan(5)
      // an hour of rolled-up rows alone is the hour of its minutes
      for (const unit of ["dollars", "ratio"] as const) {
        expect(hoursOf(mine as ReadonlyArray<Row>, unit)).toEqual(hoursOf(own, unit))
      }
    }
  }).pipe(Effect.scoped, Effect.runPromise))

it("makes two thousand full hours within the memory of a small lane's database", () =>
  Effect.gen(function* () {
    const database = yield* openDuckDb(":memory:", { threads: 2, memoryMb: databaseMb(512) })
    const connection = yield* database.connect
    const values = Object.keys(pairHoursTable.columns).map(name =>
      name === "pair" ? "0 AS pair" : `${name === "t" ? "i * 60" : "i + 1"} AS ${name}`
    )
    yield* connection.run(
      `CREATE TABLE parts AS SELECT ${values.join(", ")} FROM range(120000) r(i)`
    )
    const [made] = yield* connection.rows(
      `SELECT count(*) AS hours, sum(v) AS v, sum(rv) AS rv FROM (${pairHoursTable.select})`
    )
    const sum = (120_000 * 120_001) / 2
    expect([made?.["hours"], made?.["v"], made?.["rv"]].map(Number)).toEqual([2000, sum, sum])
  }).pipe(Effect.scoped, Effect.runPromise))
