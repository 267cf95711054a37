/** Statements that never end. Each counts up a sequence while it runs, which tells that it has begun. */
import { Effect } from "effect"
import type { Connection, DuckDbError } from "../../src/platform/duckdb.ts"

/** Makes the sequences of so many statements. */
export const sequences = (count: number): string =>
  Array.from({ length: count }, (_, i) => `CREATE SEQUENCE begun_${i};`).join("")

/** The statement of a number; its sequence must be there. */
export const endless = (i: number): string =>
  `SELECT count(*) AS n FROM range(1000000000000) t(i)
   WHERE hash(i) % 7 = 3 + 0 * nextval('begun_${i}')`

/** Waits until so many of them run. */
export const untilBegun = (
  connection: Connection,
  count: number
): Effect.Effect<void, DuckDbError> =>
  connection.rows("SELECT count(last_value)::INT AS n FROM duckdb_sequences()").pipe(
    Effect.flatMap(([row]) =>
      Number(row?.["n"]) >= count
        ? Effect.void
        : Effect.andThen(
            Effect.sleep(1),
            Effect.suspend(() => untilBegun(connection, count))
          )
    )
  )
