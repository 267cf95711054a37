/** SQL texts about commits, versions and fixed bytes, and readers of values of a row. */
import type { Row } from "../../src/platform/duckdb.ts"
import type { TableDef } from "./table.ts"

/** Returns `<column> = <address>` for a `bytes20` column. The address is 0x and 40 hex digits. */
export const addressEquals = (column: string, address: string): string =>
  `${column}_hi = ${BigInt(address.slice(0, 34))}::UHUGEINT AND ${column}_lo = ${Number.parseInt(
    address.slice(34),
    16
  )}`

/** Returns the condition that a `bytes32` column holds an id, or an address after zeros. */
export const idEquals = (column: string, id: string): string => {
  const digits = id.slice(2).padStart(64, "0")
  const half = (from: number) => `${BigInt(`0x${digits.slice(from, from + 32)}`)}::UHUGEINT`
  return `(${column}_hi = ${half(0)} AND ${column}_lo = ${half(32)})`
}

const hexOf = (value: unknown, width: number): string =>
  BigInt(value as bigint)
    .toString(16)
    .padStart(width * 2, "0")

/** Returns the `0x` text of a `bytes20` column of a row; null where it is null. */
export const addressOf = (row: Row, column: string): string | null =>
  row[`${column}_hi`] === null
    ? null
    : `0x${hexOf(row[`${column}_hi`], 16)}${hexOf(row[`${column}_lo`], 4)}`

/** Returns the `0x` text of a `bytes32` column of a row; null where it is null. */
export const hashOf = (row: Row, column: string): string | null =>
  row[`${column}_hi`] === null
    ? null
    : `0x${hexOf(row[`${column}_hi`], 16)}${hexOf(row[`${column}_lo`], 16)}`

/** Returns SQL of the newest block of the commits up to a position; -1 before the first commit. */
export const blockOfCommit = (seq: number): string =>
  `coalesce((SELECT block FROM lane_commits WHERE seq <= ${seq} ORDER BY seq DESC LIMIT 1), -1)`

/** A table as SQL names it; whoever reads one imports its value. */
export type Named = Pick<TableDef, "name">

/** Returns SQL that selects all stored rows of a table with base and tail under a condition. */
export const versions = ({ name }: Named, where: string, columns = "*"): string =>
  `SELECT ${columns} FROM ${name} WHERE ${where}
    UNION ALL SELECT ${columns} FROM ${name}_tail WHERE ${where}`

/** Returns a table expression of the newest version under a condition for each value of `key`. */
export const newestOf = (table: Named, where: string, key: string): string =>
  `(SELECT * FROM (${versions(table, where)})
    QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1)`

/** Returns a number of a row; null where it is null. */
export const numberOf = (row: Row, column: string): number | null =>
  row[column] === null || row[column] === undefined ? null : Number(row[column])

/** Returns the dollars of a column of micro-dollars; null where it is null. */
export const dollarsOf = (row: Row, column: string): number | null => {
  const micro = numberOf(row, column)
  return micro === null ? null : micro / 1e6
}
