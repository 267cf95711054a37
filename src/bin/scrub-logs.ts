/** Has the logs of lanes looked through while they run, by a thread of its own. */
import { join } from "node:path"
import { Effect, Schedule } from "effect"
import type { LaneClient } from "../../engine/lane/lane-client.ts"
import { integerOr } from "../platform/environment.ts"
import { spawnWorker } from "../platform/worker.ts"
import type { FromScrub, ScrubInput } from "./scrub-worker.ts"

/** `LOG_CHECK_RATE` (1,000,000 bytes a second, 0: never) and `LOG_CHECK_REST` (3,600 s). */
export const logCheckConfig = Effect.all({
  bytesPerSecond: integerOr("LOG_CHECK_RATE", 1_000_000),
  restSeconds: integerOr("LOG_CHECK_REST", 3_600, 1)
})

export interface ScrubOptions {
  readonly dataDir: string
  readonly natsUrl: string
  readonly check: Effect.Success<typeof logCheckConfig>
  readonly json: boolean
}

/** Looks through the lanes' logs until the scope ends; each lane hears what is found. */
export const scrubLogs = (
  lanes: ReadonlyArray<LaneClient>,
  { dataDir, natsUrl, check, json }: ScrubOptions
) =>
  Effect.gen(function* () {
    const input: ScrubInput = {
      natsUrl,
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
    Effect.when(Effect.succeed(check.bytesPerSecond > 0 && lanes.length > 0)),
    Effect.forkScoped
  )
