/** Starts the thread that checks the logs of running lanes for damage. */
import { join } from "node:path"
import { Effect, Schedule } from "effect"
import type { LaneClient } from "../../engine/lane/lane-client.ts"
import { integerOr } from "../platform/environment.ts"
import { spawnWorker } from "../platform/worker.ts"
import type { FromScrub, ScrubInput } from "./scrub-worker.ts"

/**
 * Reads `LOG_CHECK_RATE` (bytes per second over all logs, and as much over side logs, default
 * 1,000,000; 0 turns checks off) and `LOG_CHECK_REST` (seconds between two passes over a log,
 * default 3,600).
 */
export const logCheckConfig = Effect.all({
  bytesPerSecond: integerOr("LOG_CHECK_RATE", 1_000_000),
  restSeconds: integerOr("LOG_CHECK_REST", 3_600, 1)
})

export interface ScrubOptions {
  readonly dataDir: string
  readonly natsUrl: string
  /** whether the nats-server keeps its streams in the data folder */
  readonly isOwn: boolean
  readonly check: Effect.Success<typeof logCheckConfig>
  readonly json: boolean
}

/** Most milliseconds before checks begin: a start needs the processor for what readers wait for. */
const FIRST_REST_MS = 10_000

/** Checks the lanes' logs until the scope ends and passes each lane its results. */
export const scrubLogs = (
  lanes: ReadonlyArray<LaneClient>,
  { dataDir, natsUrl, isOwn, check, json }: ScrubOptions
) =>
  Effect.gen(function* () {
    const input: ScrubInput = {
      natsUrl,
      dataFolder: isOwn ? dataDir : null,
      folder: join(dataDir, "checked"),
      chains: lanes.map(({ config }) => config.key),
      bytesPerSecond: check.bytesPerSecond,
      restMs: check.restSeconds * 1_000,
      json
    }
    const entry = new URL("./scrub-worker.ts", import.meta.url)
    const stop = { type: "stop" } as const
    const worker = yield* spawnWorker<typeof stop, FromScrub>(entry, input, stop)
    worker.onMessage(({ chain, check: found }) => {
      lanes.find(({ config }) => config.key === chain)?.checked(found)
    })
    return yield* worker.ended
  }).pipe(
    Effect.scoped,
    Effect.tapCause(() => Effect.logDebug("the thread that looks through the logs ended")),
    Effect.retry(Schedule.spaced("10 seconds")),
    Effect.delay(Math.min(FIRST_REST_MS, check.restSeconds * 1_000)),
    Effect.when(Effect.succeed(check.bytesPerSecond > 0 && lanes.length > 0)),
    Effect.forkScoped
  )
