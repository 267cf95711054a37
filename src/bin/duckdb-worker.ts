/** Worker thread of a lane's database. */
import { serveDatabase } from "../platform/duckdb-serving.ts"
import type { FromDatabase, ToDatabase } from "../platform/duckdb-thread.ts"
import { parent } from "../platform/worker.ts"

process.once("uncaughtException", serveDatabase(parent<ToDatabase, FromDatabase>()))
