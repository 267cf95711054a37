/**
 * Tables of projections, declared as values. The engine makes three shapes of them:
 *
 * - `append`: rows in log order, each with the `seq` of its event (the tape)
 * - `index`: what a select makes of append rows, sorted by a key, for reads of one key. A commit
 *   writes nothing: what the base does not hold yet is a view of the rows it is made of.
 * - `state`: versions of keyed rows; a commit appends the changed ones with its `seq`, the newest
 *   version is the state. Never updated in place: that is 200 times dearer in DuckDB.
 *
 * `index` and `state` live in two relations: `<name>_tail`, where commits append (of an `index` a
 * view), and `<name>`, the sorted base into which compaction folds what cannot be rolled back.
 */
import { type PhysicalType, sqlType } from "../../src/platform/duckdb.ts"

export type LogicalType =
  | "u8"
  | "u16"
  | "u32"
  | "i32"
  | "i64"
  | "f64"
  | "text"
  | "bytes16"
  | "bytes20"
  | "bytes32"

/**
 * A column. Nulls in memory: NaN (`f64`, `i64`), `NONE` (`u32`), `NULL_I32` (`i32`), all zeros
 * (`bytes…`), null (`text`); `u8` and `u16` have none.
 */
export interface ColumnDef {
  readonly type: LogicalType
  readonly nullable?: true
}

export type ColumnDefs = { readonly [name: string]: ColumnDef }

/** What memory holds of the newest rows of a table. */
export interface TailDef {
  /** rows kept; a power of two */
  readonly rows: number
  /** columns of ids that rows are found by, each in the order of the log */
  readonly keys: ReadonlyArray<string>
}

/** What copies of a `state` table on other threads hold (`engine/replica`). */
export interface ReplicaDef {
  /** columns of numbers and fixed bytes; the bucket, where there is one, comes before them */
  readonly columns: ReadonlyArray<string>
  /**
   * Of a table with buckets: the copy holds the newest rows of each slot, so many of all slots
   * together. Without it the copy holds the present row of each slot.
   */
  readonly rows?: number
}

export interface TableDef<C extends ColumnDefs = ColumnDefs> {
  readonly name: string
  readonly shape: "append" | "index" | "state"
  readonly columns: C
  /**
   * `state`: the key; its first column is the slot in memory (dense from 0), an optional second one
   * a bucket that only rises (candles): memory holds the newest bucket of each slot.
   * `index`: the sort order, ending in `seq`. Empty for `append`.
   */
  readonly key: ReadonlyArray<string>
  /** `index`: the select, of append tables declared before, with the stored columns in order */
  readonly select?: string
  /** `append`, of numbers and fixed bytes: the newest rows are in memory too */
  readonly tail?: TailDef
  /** `state`: other threads may hold a copy */
  readonly replica?: ReplicaDef
}

/** Where each column stands in a row of a copy's series, the bucket at 0. */
export const offsetsOf = ({ replica }: TableDef): { readonly [column: string]: number } =>
  Object.fromEntries((replica?.columns ?? []).map((name, i) => [name, i + 1]))

/** Declares a table; the columns' names and types flow into everything made of it. */
export const table = <const C extends ColumnDefs>(def: TableDef<C>): TableDef<C> => def

export interface PhysicalColumn {
  readonly name: string
  readonly type: PhysicalType
}

/** Fixed bytes become numbers, because DuckDB appends those 20 times faster than blobs. */
export const physicalColumns = (name: string, def: ColumnDef): ReadonlyArray<PhysicalColumn> => {
  switch (def.type) {
    case "bytes16":
      return [{ name, type: "u128" }]
    case "bytes20":
      return [
        { name: `${name}_hi`, type: "u128" },
        { name: `${name}_lo`, type: "u32" }
      ]
    case "bytes32":
      return [
        { name: `${name}_hi`, type: "u128" },
        { name: `${name}_lo`, type: "u128" }
      ]
    default:
      return [{ name, type: def.type }]
  }
}

/** All stored columns, `seq` last. */
export const storedColumns = (def: TableDef): ReadonlyArray<PhysicalColumn> => [
  ...Object.entries(def.columns).flatMap(([name, column]) => physicalColumns(name, column)),
  { name: "seq", type: "i64" }
]

/** Where commits append. */
export const tailName = (def: TableDef): string =>
  def.shape === "append" ? def.name : `${def.name}_tail`

/** Tables and views of a definition. */
export const physicalTables = (def: TableDef): ReadonlyArray<string> =>
  def.shape === "append" ? [def.name] : [def.name, tailName(def)]

/** Those of them that hold rows of their own. */
export const writtenTables = (def: TableDef): ReadonlyArray<string> =>
  def.shape === "index" ? [def.name] : physicalTables(def)

/** Makes the tail of an `index` what comes after the position its base has reached. */
export const viewStatement = (def: TableDef, after: number): string =>
  `CREATE OR REPLACE VIEW ${viewOf(def, after)}`

const viewOf = (def: TableDef, after: number): string =>
  `${tailName(def)} AS SELECT * FROM (${def.select}) WHERE seq > ${after}`

/** Rows of base and tail together, as a table expression. */
export const allRows = (def: TableDef): string =>
  def.shape === "append"
    ? def.name
    : `(SELECT * FROM ${def.name} UNION ALL SELECT * FROM ${tailName(def)})`

/**
 * The state: the newest version of each key, as a table expression; of the keys in `range` only,
 * where one is given.
 */
export const currentRows = (def: TableDef, range = "TRUE"): string =>
  def.shape === "state"
    ? `(SELECT * FROM ${allRows(def)} WHERE ${range} QUALIFY row_number() OVER
        (PARTITION BY ${def.key.join(", ")} ORDER BY seq DESC) = 1)`
    : `(SELECT * FROM ${allRows(def)} WHERE ${range})`

/** Statements that create the tables where they do not exist. */
export const createStatements = (def: TableDef): ReadonlyArray<string> => {
  const columns = storedColumns(def)
    .map(column => `${column.name} ${sqlType(column.type)}`)
    .join(", ")
  const tables = writtenTables(def).map(name => `CREATE TABLE IF NOT EXISTS ${name} (${columns})`)
  if (def.shape !== "index") return tables
  return [...tables, `CREATE VIEW IF NOT EXISTS ${viewOf(def, 0)}`]
}

/** A value as text. DuckDB takes 50 us to make decimals of 128 bits, and next to none for hex. */
const asText = ({ name, type }: PhysicalColumn): string =>
  type === "u128" ? `hex(${name})` : `${name}::VARCHAR`

/**
 * A digest of a table's meaning that any machine and any number of threads computes alike: the
 * number of rows and the sum of their MD5s. Versions' own `seq` depends on batch sizes, so it is
 * left out of `state`; `withSeq` false leaves it out everywhere, to compare two logs that tell the
 * same chain with different detours. Digests of parts of a table add up to that of the table.
 */
export const digestQuery = (def: TableDef, withSeq: boolean, range: string): string => {
  const columns = storedColumns(def)
    .filter(column => column.name !== "seq" || (withSeq && def.shape !== "state"))
    .map(column => `coalesce(${asText(column)}, '-')`)
    .join(", ")
  return `SELECT count(*)::VARCHAR AS rows,
    coalesce(sum(md5_number_lower(concat_ws('|', ${columns}))::HUGEINT), 0)::VARCHAR AS digest
    FROM ${currentRows(def, range)}`
}
