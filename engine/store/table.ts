/**
 * Tables of projections, declared as values. A table has one of four shapes:
 *
 * - `append`: rows in log order, each with the `seq` of its event (the tape).
 * - `index`: the rows that a select makes of append rows, sorted by a key for reads of one key. A
 *   commit writes nothing: rows that the base does not hold yet are a view of the append rows.
 * - `state`: versions of keyed rows. A commit appends the changed rows with its `seq`, and the
 *   newest version of a key is the state. Rows are never updated in place, which is 200 times
 *   dearer in DuckDB.
 * - `rollup`: what the rows of a `state` table that leaves (`engine/store/retention.ts`) come to in
 *   wider buckets. They are rolled up where they are removed; until then it holds them as they are,
 *   so that a commit writes nothing.
 *
 * The engine adds `seq` to each row. No column of a `state` table of one's own holds a position of
 * the log: after a rollback the same event comes again at a later one, and the row would differ
 * from that of a lane that never met the fork. Block and log index name an event for good.
 *
 * All but `append` live in two relations: `<name>_tail`, to which commits append (a view for an
 * `index`, and for a `rollup` one of what was rolled up last and of what was not), and `<name>`,
 * the sorted base into which compaction moves rows that are final.
 */
import { type PhysicalType, sqlType } from "../../src/platform/duckdb.ts"
import { type KeptFrom, NOTHING_LEFT, type RowClass } from "./retention.ts"
import { SQL_WORDS } from "./sql-words.mjs"

export type LogicalType =
  | "u8"
  | "u16"
  | "u32"
  | "i32"
  | "i64"
  | "f64"
  | "text"
  | "bytes16"
  | "bytes32"
  | "account"
  | "tx"

/**
 * A column. `account` is the 32 bytes of one, `tx` the 64 of the id of a transaction, a shorter
 * one after zeros (`src/domain/ids.ts`): fixed bytes, as `bytes…`. Nulls in memory: NaN
 * (`f64`, `i64`), `NONE` (`u32`), `NULL_I32` (`i32`), all zeros (fixed bytes), null (`text`); `u8`
 * and `u16` have none.
 */
export interface ColumnDef {
  readonly type: LogicalType
  readonly nullable?: true
}

export type ColumnDefs = { readonly [name: string]: ColumnDef }

/** The newest rows of a table that memory holds. */
export interface TailDef {
  /** number of rows that are kept; a power of two */
  readonly rows: number
  /** columns of ids by which rows are found */
  readonly keys: ReadonlyArray<string>
}

/** The columns and rows that copies of a `state` table on other threads hold (`engine/replica`). */
export interface ReplicaDef {
  /** columns of numbers and fixed bytes; the bucket, where there is one, comes before them */
  readonly columns: ReadonlyArray<string>
  /**
   * For a table with buckets: the copy holds the newest rows of each slot, this many of all slots
   * together. Without it the copy holds the present row of each slot.
   */
  readonly rows?: number
}

export interface TableDef<C extends ColumnDefs = ColumnDefs> {
  readonly name: string
  readonly shape: "append" | "index" | "state" | "rollup"
  readonly columns: C
  /**
   * `state`: the key. Its first column is the slot in memory, dense from 0. An optional second
   * column is a bucket that only rises (candles); memory holds the newest bucket of each slot.
   * `index`: the sort order, which ends in `seq`. `append`: empty. `rollup`: slot and bucket.
   */
  readonly key: ReadonlyArray<string>
  /**
   * `index`: the select, of the own rows (`rowsName`) of append tables declared before, with the
   * stored columns in order. `rollup`: the select of its columns, in order, from the relation
   * `parts` of rows of the table that it rolls up.
   */
  readonly select?: string
  /** `rollup`: the table that it rolls up, declared before, of the same columns and key */
  readonly rollsUp?: TableDef
  /**
   * The rows leave once they are older than the lane keeps rows of that class
   * (`engine/store/retention.ts`). `by` names the column of their time, Unix seconds.
   */
  readonly leaves?: { readonly by: string; readonly after: RowClass }
  /** `append`, of numbers and fixed bytes: the newest rows are in memory too */
  readonly tail?: TailDef
  /** `state`: other threads may hold a copy */
  readonly replica?: ReplicaDef
  /**
   * Whether it is of a chain whose accounts have 20 bytes and whose transactions 32
   * (`engine/runner/fold-set.ts`): what longer ids fill is read as zeros and stored nowhere.
   */
  readonly shortIds?: true
}

/**
 * Returns the place of each column in a row of a copy of a table with buckets; the bucket is at 0.
 */
export const offsetsOf = ({ replica }: TableDef): { readonly [column: string]: number } =>
  Object.fromEntries((replica?.columns ?? []).map((name, i) => [name, i + 1]))

/** Throws where statements, which write names without quotes, could not name a column. */
const mustBeNames = ({ name, columns }: TableDef): void => {
  for (const column of Object.keys(columns)) {
    const word = column.toLowerCase()
    if (word === "seq") {
      throw new Error(
        `the table ${name} has a column ${column}, which the engine adds to every table: leave it ` +
          "out, or call a position that is not the row's own otherwise, as in last_seq"
      )
    }
    if (SQL_WORDS.has(word)) {
      throw new Error(
        `the table ${name} has a column ${column}, which is a word of SQL: call it otherwise, as ` +
          `in ${word}_value`
      )
    }
  }
}

/**
 * Declares a table; names and types of its columns are the types of all that is made of it. Throws
 * where a column is called as none can be: `seq`, or a word of SQL.
 */
export const table = <const C extends ColumnDefs>(def: TableDef<C>): TableDef<C> => {
  mustBeNames(def)
  return def
}

/** Returns the declaration of rows of a table by some of its columns, as a statement reads them. */
export const partOf = <C extends ColumnDefs, K extends keyof C & string>(
  { name, columns }: TableDef<C>,
  names: ReadonlyArray<K>
): TableDef<Pick<C, K>> => ({
  name,
  shape: "append",
  key: [],
  columns: Object.fromEntries(names.map(one => [one, columns[one]])) as Pick<C, K>
})

export interface PhysicalColumn {
  readonly name: string
  readonly type: PhysicalType
  /** whether only ids that are long fill it */
  readonly isLong?: true
}

/** A column of numbers that stores some of a value's fixed bytes, in their order. */
export interface PhysicalPart extends PhysicalColumn {
  readonly bytes: number
}

/** Whether a column holds fixed bytes, `strideOf` of them. */
export const isFixedBytes = ({ type }: ColumnDef): boolean =>
  type === "account" || type === "tx" || type.startsWith("bytes")

/**
 * Returns the columns that store the fixed bytes of a column, the first bytes first. An account's
 * last four are a column of their own: as plain numbers they sort and find a row faster. What only
 * the longer ids of some chains fill is apart.
 */
export const physicalParts = (name: string, { type }: ColumnDef): ReadonlyArray<PhysicalPart> => {
  switch (type) {
    case "bytes16":
      return [{ name, type: "u128", bytes: 16 }]
    case "account":
      return [
        { name: `${name}_top`, type: "u128", bytes: 12, isLong: true },
        { name: `${name}_hi`, type: "u128", bytes: 16 },
        { name: `${name}_lo`, type: "u32", bytes: 4 }
      ]
    case "tx":
      return [
        { name: `${name}_top_hi`, type: "u128", bytes: 16, isLong: true },
        { name: `${name}_top_lo`, type: "u128", bytes: 16, isLong: true },
        { name: `${name}_hi`, type: "u128", bytes: 16 },
        { name: `${name}_lo`, type: "u128", bytes: 16 }
      ]
    default:
      return ["_hi", "_lo"].map(part => ({ name: `${name}${part}`, type: "u128", bytes: 16 }))
  }
}

/**
 * Returns the columns that store a column. Fixed bytes are stored as numbers, because DuckDB
 * appends those 20 times faster than blobs.
 */
const physicalColumns = (name: string, def: ColumnDef): ReadonlyArray<PhysicalColumn> =>
  isFixedBytes(def) ? physicalParts(name, def) : [{ name, type: def.type as PhysicalType }]

/** Returns the names under which readers see some columns of a table, as a select lists them. */
export const readNames = <C extends ColumnDefs>(
  { columns }: TableDef<C>,
  ...names: ReadonlyArray<keyof C & string>
): string =>
  names
    .flatMap(name => physicalColumns(name, columns[name] as ColumnDef).map(part => part.name))
    .join(", ")

/** Returns all columns that readers see, `seq` last. */
export const readColumns = (def: TableDef): ReadonlyArray<PhysicalColumn> => [
  ...Object.entries(def.columns).flatMap(([name, column]) => physicalColumns(name, column)),
  { name: "seq", type: "i64" }
]

/** Returns the columns that hold something, as rows are appended, `seq` last. */
export const storedColumns = (def: TableDef): ReadonlyArray<PhysicalColumn> =>
  readColumns(def).filter(({ isLong }) => !(isLong && def.shortIds))

/** Returns the statement that writes rows of a select to a relation of a table. */
export const insertStatement = (def: TableDef, to: string, select: string): string => {
  const names = storedColumns(def).map(({ name }) => name)
  return `INSERT INTO ${to} (${names.join(", ")}) SELECT ${names.join(", ")} FROM (${select})`
}

/**
 * Returns the columns of a relation as a statement declares them. Those that store nothing are
 * computed: to append nulls or zeros takes the memory and the time of values.
 */
export const declaredColumns = (def: TableDef): string =>
  readColumns(def)
    .map(({ name, type, isLong }) => {
      const column = `${name} ${sqlType(type)}`
      return isLong && def.shortIds
        ? `${column} GENERATED ALWAYS AS (0::${sqlType(type)}) VIRTUAL`
        : column
    })
    .join(", ")

/** Returns the relation of all rows behind a name, which is a view of some where rows leave. */
const rowsBehind = (def: TableDef, name: string): string =>
  def.leaves === undefined ? name : `${name}_rows`

/** Returns the table with the rows of an append table, or of the base of another. */
export const rowsName = (def: TableDef): string => rowsBehind(def, def.name)

/** Returns the name under which readers see what comes after a base. */
const readTailName = ({ name }: TableDef): string => `${name}_tail`

/** Returns the relation of all rows that come after a base, those included that have left. */
export const tailBehind = (def: TableDef): string => rowsBehind(def, readTailName(def))

/** Returns the relation to which commits append, and whose rows compaction moves to the base. */
export const tailName = (def: TableDef): string => {
  if (def.shape === "append") return rowsName(def)
  return def.shape === "rollup" ? `${readTailName(def)}_rows` : tailBehind(def)
}

/** Returns the condition on the rows of a table that are kept; null where all are. */
export const keptRows = ({ leaves }: TableDef, kept: KeptFrom): string | null =>
  leaves === undefined || kept[leaves.after] === 0 ? null : `${leaves.by} >= ${kept[leaves.after]}`

/** Returns the view of the rows that a `rollup` has not rolled up yet. */
export const partsName = ({ name }: TableDef): string => `${name}_parts`

/** Returns the relations of a table, as readers see them, views included. */
const physicalTables = (def: TableDef): ReadonlyArray<string> =>
  def.shape === "append" ? [def.name] : [def.name, readTailName(def)]

/** Returns the relations of a table that hold rows of their own: no views. */
export const writtenTables = (def: TableDef): ReadonlyArray<string> =>
  isKeyed(def) ? [rowsName(def), tailName(def)] : [rowsName(def)]

/**
 * Returns the statement that makes the tail of an `index` the rows after the position `from`, or
 * the parts of a `rollup` the rows from the time `from` on.
 */
export const viewStatement = (def: TableDef, from: number): string =>
  `CREATE OR REPLACE VIEW ${viewOf(def, from)}`

const viewOf = (def: TableDef, from: number): string => {
  const { rollsUp } = def
  if (rollsUp === undefined) {
    return `${tailName(def)} AS SELECT * FROM (${def.select}) WHERE seq > ${from}`
  }
  const parts = writtenTables(rollsUp).map(
    name => `SELECT * FROM ${name} WHERE ${rollsUp.leaves?.by} >= ${from}`
  )
  return `${partsName(def)} AS ${parts.join(" UNION ALL ")}`
}

/**
 * Returns the statements that let readers see the rows that are kept; none of a table whose rows
 * stay, nor of one of which readers see that already.
 */
export const cutoffStatements = (
  def: TableDef,
  kept: KeptFrom,
  seen?: KeptFrom
): ReadonlyArray<string> => {
  const { leaves } = def
  if (leaves === undefined || kept[leaves.after] === seen?.[leaves.after]) return []
  return physicalTables(def).map(
    name =>
      `CREATE OR REPLACE VIEW ${name} AS SELECT * FROM ${rowsBehind(def, name)}
       WHERE ${leaves.by} >= ${kept[leaves.after]}`
  )
}

/** Returns a table expression of the rows of base and tail together. */
export const allRows = (def: TableDef): string =>
  def.shape === "append"
    ? def.name
    : `(SELECT * FROM ${def.name} UNION ALL SELECT * FROM ${readTailName(def)})`

/** Returns a select of the newest version of each key. */
const newestOf = (def: TableDef, from: string, range: string): string =>
  `SELECT * FROM ${from} WHERE ${range} QUALIFY row_number() OVER
    (PARTITION BY ${def.key.join(", ")} ORDER BY seq DESC) = 1`

/**
 * Returns a select of what the rows of a `rollup` come to that are not rolled up yet.
 *
 * @param range a condition on those rows
 * @param seq the position that the rows are to carry
 */
export const rolledUp = (def: TableDef, range: string, seq: number): string =>
  `SELECT *, ${seq}::BIGINT AS seq FROM (
    WITH parts AS (${newestOf(def, partsName(def), range)}) ${def.select})`

/**
 * Returns a table expression of the present rows: of a `state` table the newest version of each
 * key, of a `rollup` all as if it were rolled up.
 *
 * @param range a condition that limits the first column of the key
 */
export const currentRows = (def: TableDef, range = "TRUE"): string => {
  switch (def.shape) {
    case "state":
      return `(${newestOf(def, allRows(def), range)})`
    case "rollup": {
      const rolled = writtenTables(def).map(name => `SELECT * FROM ${name} WHERE ${range}`)
      return `(${[...rolled, rolledUp(def, range, 0)].join(" UNION ALL ")})`
    }
    default:
      return `(SELECT * FROM ${allRows(def)} WHERE ${range})`
  }
}

/** Returns the statements that create the relations of a table where they do not exist. */
export const createStatements = (def: TableDef): ReadonlyArray<string> => {
  const columns = declaredColumns(def)
  const hasView = def.shape === "index" || def.shape === "rollup"
  const tail = [tailName(def), partsName(def)].map(name => `SELECT * FROM ${name}`)
  return [
    ...writtenTables(def).map(name => `CREATE TABLE IF NOT EXISTS ${name} (${columns})`),
    ...(hasView ? [`CREATE VIEW IF NOT EXISTS ${viewOf(def, 0)}`] : []),
    ...(def.shape === "rollup"
      ? [`CREATE VIEW IF NOT EXISTS ${readTailName(def)} AS ${tail.join(" UNION ALL ")}`]
      : []),
    ...cutoffStatements(def, NOTHING_LEFT)
  ]
}

/**
 * Returns SQL of a value as text. 128-bit numbers become hex: DuckDB takes 50 us to make decimals
 * of one, and next to nothing for hex.
 */
const asText = ({ name, type }: PhysicalColumn): string =>
  type === "u128" ? `hex(${name})` : `${name}::VARCHAR`

/** Whether a row stands for its key, whenever it was written. */
export const isKeyed = ({ shape }: TableDef): boolean => shape === "state" || shape === "rollup"

/**
 * Returns the query for a table's digest, which is equal on any machine and with any number of
 * threads: the number of rows, and the sum of their MD5s. Digests of parts of a table add up to the
 * digest of the table. The `seq` of versions depends on batch sizes, that of what is rolled up on
 * the upkeep, so it is left out of `state` and `rollup`.
 *
 * @param withSeq false leaves `seq` out everywhere, to compare logs of one chain with other detours
 */
export const digestQuery = (def: TableDef, withSeq: boolean, range: string): string => {
  const columns = storedColumns(def)
    .filter(column => column.name !== "seq" || (withSeq && !isKeyed(def)))
    .map(column => `coalesce(${asText(column)}, '-')`)
    .join(", ")
  return `SELECT count(*)::VARCHAR AS rows,
    coalesce(sum(md5_number_lower(concat_ws('|', ${columns}))::HUGEINT), 0)::VARCHAR AS digest
    FROM ${currentRows(def, range)}`
}
