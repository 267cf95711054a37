/**
 * Up to which position the base of an index has all its rows. Whoever reads rows of before needs
 * not look at what comes after: a view of the table that the index is made of, which DuckDB takes
 * several times as long to bind as to find some rows of the base.
 */
import { Effect } from "effect"
import type { Connection } from "../../src/platform/duckdb.ts"
import type { TableDef } from "./table.ts"

/** By the name of an index; each only rises while anybody reads. */
export type Merged = Map<string, number>

/** Prefix of the values in `lane_meta` that hold the positions. */
export const MERGED_PREFIX = "merged rows of "

/** Names the lane's value that holds the position of an index. */
export const mergedName = ({ name }: TableDef): string => `${MERGED_PREFIX}${name}`

/** Returns the positions that a file holds. */
export const readMerged = (reader: Connection) =>
  Effect.map(
    reader.rows(`SELECT name, value FROM lane_meta WHERE name LIKE '${MERGED_PREFIX}%'`),
    (rows): Merged =>
      new Map(
        rows.map(({ name, value }) => [String(name).slice(MERGED_PREFIX.length), Number(value)])
      )
  )

/** Returns up to which position indices are merged at least, in whatever is read from now on. */
export const mergedNow = ({ merged }: { readonly merged: Merged }) => {
  const now = new Map(merged)
  return ({ name }: Pick<TableDef, "name">): number => now.get(name) ?? 0
}
