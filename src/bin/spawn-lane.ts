/** Starts a lane's worker thread. */
import type { FromLane, ToLane } from "../../engine/lane/messages.ts"
import { spawnWorker } from "../platform/worker.ts"
import type { LaneInput } from "./lane-worker.ts"

/**
 * Milliseconds that a lane gets to end: more than its DuckDB thread gets, which ends with the lane
 * and must not end while a statement runs. Statements are interrupted after a second, so a lane
 * seldom takes that long.
 */
const STOP_GRACE_MS = 8000

/** Starts a lane's worker; the scope's end stops it. */
export const spawnLane = (input: LaneInput) =>
  spawnWorker<ToLane, FromLane>(
    new URL("./lane-worker.ts", import.meta.url),
    input,
    { type: "stop" },
    STOP_GRACE_MS
  )
