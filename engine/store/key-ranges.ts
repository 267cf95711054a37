/**
 * A table in pieces by key. Sorting all of a large table, or looking for the newest version of each
 * of its keys, takes more memory than DuckDB is given; a piece at a time never does.
 */
import { Effect } from "effect"
import type { Connection, DuckDbError } from "../../src/platform/duckdb.ts"

/** Rows of a piece, about: some 60 MB while they are sorted. */
export const PIECE_ROWS = 250_000

/** Part of the rows that bounds are taken from: quantiles of all take as long as a sort. */
const SAMPLE_PERCENT = 5

/**
 * Conditions on `key` that part these rows into pieces of about `pieceRows`, in ascending order; a
 * piece is larger where one key has more rows than that. `source` is a table expression of `rows`
 * rows, `key` a column without nulls.
 */
export const keyRanges = (
  connection: Connection,
  source: string,
  key: string,
  rows: number,
  pieceRows = PIECE_ROWS
): Effect.Effect<ReadonlyArray<string>, DuckDbError> => {
  const count = Math.ceil(rows / pieceRows)
  if (count <= 1) return Effect.succeed(["TRUE"])
  const shares = Array.from({ length: count - 1 }, (_, i) => (i + 1) / count)
  return connection
    .rows(
      `SELECT unnest(approx_quantile(${key}, [${shares.join(", ")}])) AS bound
       FROM (SELECT ${key} FROM ${source}) USING SAMPLE ${SAMPLE_PERCENT}% (bernoulli)`
    )
    .pipe(
      Effect.map(found => {
        const bounds = [...new Set(found.map(row => Number(row["bound"])))].sort((a, b) => a - b)
        const from = (bound: number | undefined): string =>
          bound === undefined ? "TRUE" : `${key} >= ${bound}`
        const to = (bound: number | undefined): string =>
          bound === undefined ? "TRUE" : `${key} < ${bound}`
        return Array.from(
          { length: bounds.length + 1 },
          (_, i) => `${from(bounds[i - 1])} AND ${to(bounds[i])}`
        )
      })
    )
}
