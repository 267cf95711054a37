/** Serves the API over running lanes; prints `ready` once each lane is ready or has failed. */
import { Effect } from "effect"
import { serveApi } from "../../api/server/serve.ts"
import { warmUp } from "../../api/warm-up.ts"
import { Lanes } from "../../engine/lane/lanes.ts"
import type { DiskUsage } from "../platform/disk-usage.ts"
import type { RunningLane } from "./lane-set.ts"
import { startMeta } from "./meta-desk.ts"
import type { ServeSettings } from "./settings.ts"
import { openProbes } from "./start-prober.ts"
import { type RouterPlace, startRouter } from "./trade-router.ts"

const lanesService = (lanes: ReadonlyArray<RunningLane>) => {
  const all = lanes.map(({ client }) => client)
  return Lanes.of({
    all,
    find: chain => {
      const wanted = chain.toLowerCase()
      return all.find(({ config }) => config.key === wanted || String(config.id) === wanted)
    }
  })
}

const whenReady = ({ client, ready }: RunningLane) =>
  Effect.gen(function* () {
    yield* ready
    yield* Effect.logInfo(`${client.config.key}: ready at ${client.seq()}`)
    yield* Effect.forkScoped(warmUp(client))
  })

/** Waits until a lane has failed, which then serves what it has and must not delay the others. */
const whenFailed = ({ client }: RunningLane) =>
  Effect.flatMap(client.failed, () => {
    const { problem } = client.status()
    return Effect.logWarning(`${client.config.key}: not ready, see /v1/status: ${problem}`)
  })

/** Serves the lanes until the scope ends. */
export const serveLanes = (
  lanes: ReadonlyArray<RunningLane>,
  { host, port, rateLimit, holderPins }: ServeSettings,
  disk: () => DiskUsage | null,
  place: RouterPlace
) =>
  Effect.gen(function* () {
    const trade = yield* startRouter(lanes, place)
    const meta = yield* startMeta(lanes, trade, place.natsUrl)
    const probes = yield* openProbes(place)
    const { uptime } = probes
    const told = { disk, trade, meta, uptime }
    const api = yield* serveApi({ host, port, rateLimit, holderPins, ...told }).pipe(
      Effect.provideService(Lanes, lanesService(lanes))
    )
    yield* Effect.forEach(lanes, lane => Effect.raceFirst(whenReady(lane), whenFailed(lane)), {
      concurrency: "unbounded"
    })
    yield* probes.start(api.url)
    yield* Effect.sync(() => process.stdout.write(`ready ${api.url}\n`))
    return yield* Effect.never
  })
