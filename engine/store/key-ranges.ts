/**
 * Cuts a table into pieces by key. To sort all of a large table, or to look for the newest version
 * of each key, takes more memory than DuckDB is given; a piece does not.
 */
import { Effect } from "effect"
import type { Connection, DuckDbError } from "../../src/platform/duckdb.ts"

/** Rows of a piece, about: of the widest table they take 115 MB while they are sorted. */
export const PIECE_ROWS = 250_000

/**
 * Percent of the rows that bounds are computed from: quantiles of all rows take as long as a sort.
 */
const SAMPLE_PERCENT = 5

/**
 * Returns conditions on `key`, in ascending order, each of which selects about `pieceRows` rows; a
 * piece is larger where one key has more rows than that.
 *
 * @param source a table expression
 * @param key a column without nulls
 * @param rows the number of rows of `source`
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
      Effect.map(quantiles => {
        const bounds = [...new Set(quantiles.map(row => Number(row["bound"])))].sort(
          (a, b) => a - b
        )
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
