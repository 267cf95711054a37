/** How the rows of two databases with the same tables differ, in words, for tests that compare them. */
import { Effect } from "effect"
import { openStore, rowsOf } from "../../engine/store/store.ts"
import { storedColumns, type TableDef } from "../../engine/store/table.ts"
import type { Row } from "../../src/platform/duckdb.ts"

/** Rows of a table that are told of at most. */
const MOST = 5

/** The rows of a table's present state by what names one: its key, else all that it holds. */
const named = (def: TableDef, rows: ReadonlyArray<Row>): ReadonlyMap<string, Row> => {
  const names =
    def.shape === "state"
      ? def.key
      : storedColumns(def).flatMap(({ name }) => (name === "seq" ? [] : [name]))
  const found = new Map<string, Row>()
  for (const row of rows) {
    const text = names.map(name => `${name} ${row[name]}`).join(", ")
    // equal rows of an append table are told apart by how many there are
    let name = text
    for (let n = 2; found.has(name); n++) name = `${text} (${n})`
    found.set(name, row)
  }
  return found
}

/** The columns of a row that differ; the `seq` of a version depends on where commits were. */
const columnsApart = (def: TableDef, one: Row, other: Row): ReadonlyArray<string> =>
  storedColumns(def)
    .filter(({ name }) => name !== "seq" && String(one[name]) !== String(other[name]))
    .map(({ name }) => `${name} ${one[name]} became ${other[name]}`)

/** The rows of a table that differ, one line each. */
const rowsApart = (
  def: TableDef,
  one: ReadonlyArray<Row>,
  other: ReadonlyArray<Row>
): ReadonlyArray<string> => {
  const [before, after] = [named(def, one), named(def, other)]
  const lines = [...before].flatMap(([name, row]) => {
    const present = after.get(name)
    if (present === undefined) return [`${name}: is missing`]
    const apart = columnsApart(def, row, present)
    return apart.length === 0 ? [] : [`${name}: ${apart.join(", ")}`]
  })
  for (const name of after.keys()) if (!before.has(name)) lines.push(`${name}: is new`)
  return lines
}

const readAll = (file: string, tables: ReadonlyArray<TableDef>) =>
  Effect.gen(function* () {
    const store = yield* openStore(file, tables, { threads: 2, readOnly: true })
    return yield* Effect.forEach(tables, def => rowsOf(store.writer, def))
  }).pipe(Effect.scoped, Effect.runPromise)

/** Tells the rows of some tables that differ between two files: what the first has became what. */
export const tablesApart = async (
  tables: ReadonlyArray<TableDef>,
  one: string,
  other: string
): Promise<string> => {
  const [before, after] = [await readAll(one, tables), await readAll(other, tables)]
  return tables
    .flatMap((def, i) => {
      const lines = rowsApart(def, before[i] ?? [], after[i] ?? [])
      const more = lines.length > MOST ? [`  … and ${lines.length - MOST} more rows`] : []
      const told = lines.slice(0, MOST).map(line => `  ${line}`)
      return lines.length === 0 ? [] : [`table ${def.name}`, ...told, ...more]
    })
    .join("\n")
}
