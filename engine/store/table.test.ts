import { DuckDBInstance } from "@duckdb/node-api"
import { expect, it } from "vitest"
import { SQL_WORDS } from "./sql-words.mjs"
import { table } from "./table.ts"

const declared = (column: string) => () =>
  table({
    name: "top_swaps",
    shape: "state",
    key: ["slot"],
    columns: { slot: { type: "u32" }, [column]: { type: "u32" } }
  })

it.each(["at", "order", "End"])("refuses a column that is called %s, a word of SQL", column => {
  expect(declared(column)).toThrow(
    `the table top_swaps has a column ${column}, which is a word of SQL: call it otherwise, as in ` +
      `${column.toLowerCase()}_value`
  )
})

it("refuses a column that the engine adds", () => {
  expect(declared("seq")).toThrow(
    "the table top_swaps has a column seq, which the engine adds to every table: leave it out, or " +
      "call a position that is not the row's own otherwise, as in last_seq"
  )
})

it("takes every other word that DuckDB knows", async () => {
  const connection = await (await DuckDBInstance.create()).connect()
  const found = await connection.runAndReadAll("SELECT keyword_name FROM duckdb_keywords()")
  const words = found.getRows().flat().map(String)
  const taken = words.filter(word => !SQL_WORDS.has(word))
  expect(taken).toContain("day")
  for (const word of taken) expect(declared(word)().columns).toHaveProperty(word)
  await connection.run(
    `CREATE TABLE words (${taken.map(word => `${word} UINTEGER`).join(", ")});
     SELECT ${taken.join(", ")} FROM words WHERE ${taken.map(word => `${word} >= 1`).join(" AND ")}`
  )
  connection.closeSync()
})
