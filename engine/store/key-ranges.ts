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

/** What is cut, a table expression, and the columns that it is cut by. */
interface Cut {
  readonly source: string
  readonly key: string
  /** cuts rows of one key; without it they stay together */
  readonly within?: string | undefined
}

/** Returns rising bounds between `count` pieces of as many rows: one of many rows repeats. */
const boundsOf = (connection: Connection, source: string, column: string, count: number) => {
  const shares = Array.from({ length: count - 1 }, (_, i) => (i + 1) / count)
  return connection
    .rows(
      `SELECT unnest(approx_quantile(${column}, [${shares.join(", ")}])) AS bound
       FROM (SELECT ${column} FROM ${source}) USING SAMPLE ${SAMPLE_PERCENT}% (bernoulli)`
    )
    .pipe(Effect.map(rows => rows.map(row => Number(row["bound"])).sort((a, b) => a - b)))
}

/** Returns conditions between rising bounds, the first and the last of which are open. */
const between = (column: string, bounds: ReadonlyArray<number>): ReadonlyArray<string> => {
  const distinct = [...new Set(bounds)]
  const from = (bound: number | undefined): string =>
    bound === undefined ? "TRUE" : `${column} >= ${bound}`
  const to = (bound: number | undefined): string =>
    bound === undefined ? "TRUE" : `${column} < ${bound}`
  return [...distinct.keys(), distinct.length].map(
    i => `${from(distinct[i - 1])} AND ${to(distinct[i])}`
  )
}

/**
 * Returns conditions on the columns of a cut, in ascending order, each of which selects about
 * `pieceRows` rows; without `within` a piece is larger where one key has more rows than that.
 *
 * @param rows the number of rows of the source
 */
export const keyRanges = (
  connection: Connection,
  { source, key, within }: Cut,
  rows: number,
  pieceRows = PIECE_ROWS
): Effect.Effect<ReadonlyArray<string>, DuckDbError> =>
  Effect.gen(function* () {
    const count = Math.ceil(rows / pieceRows)
    if (count <= 1) return ["TRUE"]
    const bounds = yield* boundsOf(connection, source, key, count)
    const ranges = between(key, bounds)
    if (within === undefined) return ranges
    const pieces: Array<string> = [ranges[0] as string]
    for (const [i, bound] of [...new Set(bounds)].entries()) {
      const range = ranges[i + 1] as string
      const times = bounds.filter(one => one === bound).length
      if (times === 1) pieces.push(range)
      else {
        const ofKey = `(SELECT * FROM ${source} WHERE ${key} = ${bound})`
        const inner = between(within, yield* boundsOf(connection, ofKey, within, times))
        pieces.push(...inner.map(part => `${key} = ${bound} AND ${part}`))
        pieces.push(`${range} AND ${key} > ${bound}`)
      }
    }
    return pieces
  })
