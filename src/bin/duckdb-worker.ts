/** Worker thread that runs a lane's DuckDB. */
import { runDatabase } from "../platform/duckdb-serving.ts"
import type { FromDatabase, ToDatabase } from "../platform/duckdb-thread.ts"
import { parent } from "../platform/worker.ts"

runDatabase(parent<ToDatabase, FromDatabase>())
