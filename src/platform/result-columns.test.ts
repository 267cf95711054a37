import { DuckDBInstance } from "@duckdb/node-api"
import { expect, it } from "vitest"
import { chunksOfResult } from "./result-chunks.ts"
import { columnsOf } from "./result-columns.ts"
import { rowsOf } from "./row-chunks.ts"

const NUMBERS = ["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT"].concat([
  ...["UINTEGER", "UBIGINT", "DOUBLE", "HUGEINT"]
])

const plain = (value: unknown): number => (value === null ? Number.NaN : Number(value))

// few are told as rows, more by chunks
it.each([20, 5000])("columns of %i rows hold what rows do", async size => {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  const columns = NUMBERS.map(
    (type, at) => `CASE WHEN i % 3 = 1 THEN NULL ELSE i % 100 END::${type} AS c${at}`
  )
  const signed = "(i - 2500) * 1000000007::BIGINT AS s, (i - 9)::HUGEINT * 4294967311 AS h"
  const wide = "CASE WHEN i % 5 > 0 THEN i::UHUGEINT * 1237940039285380274899126272 END AS w"
  const read = async (sql: string) => chunksOfResult(await connection.run(sql))
  const all = await read(`SELECT ${[...columns, signed, wide].join(", ")} FROM range(${size}) t(i)`)
  expect("chunks" in all).toBe(size === 5000)
  const rows = rowsOf(all)
  const found = columnsOf(all)
  expect(found.count).toBe(size)
  for (const name of [...NUMBERS.map((_, at) => `c${at}`), "s", "h"]) {
    expect([...found.numbers(name)], name).toEqual(rows.map(row => plain(row[name])))
  }
  const words = found.words("w")
  const values = rows.map((_, row) =>
    [...words.subarray(row * 4, row * 4 + 4)].reduceRight(
      (sum, word) => (sum << 32n) | BigInt(word),
      0n
    )
  )
  expect(values).toEqual(rows.map(({ w }) => w ?? 0n))
  const none = columnsOf(await read("SELECT 1 AS a WHERE false"))
  expect([none.count, none.numbers("a").length, none.words("a").length]).toEqual([0, 0, 0])
  expect(() => none.numbers("b")).toThrow("the result has no column b")
  connection.closeSync()
  instance.closeSync()
})
