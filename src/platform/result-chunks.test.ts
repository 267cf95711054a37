import { DuckDBInstance } from "@duckdb/node-api"
import { expect, it } from "vitest"
import { chunksOfResult } from "./result-chunks.ts"
import { rowsOf } from "./row-chunks.ts"

const NUMBERS = [
  "TINYINT",
  "SMALLINT",
  "INTEGER",
  "BIGINT",
  "UTINYINT",
  "USMALLINT",
  "UINTEGER",
  "UBIGINT",
  "DOUBLE",
  "HUGEINT",
  "UHUGEINT",
  "VARCHAR"
]

const LEAST = "'-170141183460469231731687303715884105728'::HUGEINT"
const MOST = "340282366920938463463374607431768211455::UHUGEINT"

it("rows are those of DuckDB's own library", async () => {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  const columns = NUMBERS.map(type => `CASE WHEN i % 3 = 1 THEN NULL ELSE i % 100 END::${type}`)
  const some = columns.map((column, at) => `${column} AS c${at}`).join(", ")
  const statements = [
    `SELECT ${some} FROM range(5000) t(i)`,
    `SELECT ${some} FROM range(0) t(i)`,
    `SELECT ${LEAST} AS a, ${MOST} AS b, -1::BIGINT AS c, 'infinity'::DOUBLE AS d, '' AS e, 1 AS e`,
    "SELECT -i::HUGEINT * 18446744073709551617 AS a, i::UHUGEINT << 64 AS b FROM range(70) t(i)",
    "SELECT list(i) AS l, true AS b, NULL AS n FROM range(3) t(i)",
    "SELECT sum(i) AS s, count(*) AS n, 'a text that is longer than twelve' AS t FROM range(9) t(i)",
    "CREATE TABLE empty (a INTEGER)"
  ]
  for (const sql of statements) {
    const expected = (await connection.runAndReadAll(sql)).getRowObjectsJS()
    if (sql.startsWith("CREATE")) await connection.run("DROP TABLE empty")
    expect(rowsOf(await chunksOfResult(await connection.run(sql))), sql).toEqual(expected)
  }
  connection.closeSync()
  instance.closeSync()
})
