/** How the writer's transactions begin. */
import type { Effect } from "effect"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import type { Store } from "./store.ts"

/**
 * Opens a transaction of the writer by a statement that writes, though it changes nothing. What a
 * transaction writes first waits while another commit makes a checkpoint, seconds long: a statement
 * waits by itself, an append would wait on DuckDB's thread, and all that readers ask behind it.
 */
export const beginWriting = ({ writer }: Store): Effect.Effect<void, DuckDbError> =>
  writer.run("BEGIN TRANSACTION; DELETE FROM lane_meta WHERE FALSE")
