/** Starts a lane's worker thread. */
import type { FromLane, ToLane } from "../../engine/lane/messages.ts"
import { spawnWorker } from "../platform/worker.ts"
import type { LaneInput } from "./lane-worker.ts"

/**
 * How long a lane may take to end: longer than its DuckDB's thread, which ends with it and must not
 * do so while a statement runs. Statements are interrupted after a second, so it is seldom needed.
 */
const STOP_GRACE_MS = 8000

/** A lane's worker for the length of the scope. */
export const spawnLane = (input: LaneInput) =>
  spawnWorker<ToLane, FromLane>(
    new URL("./lane-worker.ts", import.meta.url),
    input,
    { type: "stop" },
    STOP_GRACE_MS
  )
