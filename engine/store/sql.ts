/** SQL texts about commits, versions and fixed bytes, and readers of values of a row. */
import { type IdForm, idBytes, TX_BYTES } from "../../src/domain/ids.ts"
import type { Row } from "../../src/platform/duckdb.ts"
import { numberAt, writeNumber } from "./big-endian.ts"
import type { KeptFrom } from "./retention.ts"
import {
  keptRows,
  type LogicalType,
  type PhysicalPart,
  physicalParts,
  rowsName,
  type TableDef,
  tailBehind
} from "./table.ts"

/** Returns the condition that a column of a type holds the 32 bytes of an id. */
const idEquals = (column: string, type: LogicalType, id: string): string => {
  const { buffer, byteOffset } = idBytes(id)
  const view = new DataView(buffer, byteOffset)
  let end = 0
  const conditions = physicalParts(column, { type }).map(part => {
    end += part.bytes
    const value = numberAt(view, end - part.bytes, part.bytes)
    return `${part.name} = ${value}${part.type === "u128" ? "::UHUGEINT" : ""}`
  })
  return `(${conditions.join(" AND ")})`
}

/** Returns the condition that a column of accounts holds one, by its text. */
export const accountEquals = (column: string, account: string): string =>
  idEquals(column, "account", account)

/** Returns the condition that a `bytes32` column of pools holds one, by its text. */
export const poolEquals = (column: string, pool: string): string =>
  idEquals(column, "bytes32", pool)

/** Returns the fixed bytes of a column of a row; null where it is null. */
export const bytesIn = (row: Row, column: string, type: LogicalType): Uint8Array | null => {
  const parts = physicalParts(column, { type })
  if (row[(parts.at(-1) as PhysicalPart).name] === null) return null
  const view = new DataView(new ArrayBuffer(parts.reduce((sum, { bytes }) => sum + bytes, 0)))
  let from = 0
  for (const { name, bytes } of parts) {
    writeNumber(view, from, bytes, row[name] as number | bigint)
    from += bytes
  }
  return new Uint8Array(view.buffer)
}

/** Returns the text of an `account` column of a row; null where it is null. */
export const accountOf = (form: IdForm, row: Row, column: string): string | null => {
  const bytes = bytesIn(row, column, "account")
  return bytes === null ? null : form.account(bytes)
}

/** Returns the text of a `tx` column of a row; null where it is null. */
export const txOf = (form: IdForm, row: Row, column: string): string | null => {
  const bytes = bytesIn(row, column, "tx")
  return bytes === null ? null : form.tx(bytes, TX_BYTES - form.txBytes)
}

/** Returns SQL of the newest block of the commits up to a position; -1 before the first commit. */
export const blockOfCommit = (seq: number): string =>
  `coalesce((SELECT block FROM lane_commits WHERE seq <= ${seq} ORDER BY seq DESC LIMIT 1), -1)`

/** What a query's view tells of the tables that it reads. */
export interface Stands {
  readonly keptFrom: KeptFrom
  /** whose answer only `upTo` asks for */
  readonly merged?: (table: TableDef) => number
}

/**
 * Returns SQL that selects all stored rows of a table with base and tail under a condition. It
 * names the relations behind the views, with what those hide: DuckDB binds a view for as long as it
 * reads a few rows.
 *
 * @param upTo the newest position that is asked for: where the base of an index has all rows up to
 * it, only the base is read
 */
export const versions = (
  { keptFrom, merged }: Stands,
  table: TableDef,
  where: string,
  columns = "*",
  upTo = Number.POSITIVE_INFINITY
): string => {
  const kept = keptRows(table, keptFrom)
  const condition = kept === null ? where : `(${where}) AND ${kept}`
  const from = (name: string): string => `SELECT ${columns} FROM ${name} WHERE ${condition}`
  const base = from(rowsName(table))
  return upTo <= (merged?.(table) ?? -1) ? base : `${base} UNION ALL ${from(tailBehind(table))}`
}

/** Returns a table expression of the newest version under a condition for each value of `key`. */
export const newestOf = (stands: Stands, table: TableDef, where: string, key: string): string =>
  `(SELECT * FROM (${versions(stands, table, where)})
    QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1)`

/** Returns a number of a row; null where it is null. */
export const numberOf = (row: Row, column: string): number | null =>
  row[column] === null || row[column] === undefined ? null : Number(row[column])

/** Returns the dollars of a column of micro-dollars; null where it is null. */
export const dollarsOf = (row: Row, column: string): number | null => {
  const micro = numberOf(row, column)
  return micro === null ? null : micro / 1e6
}
