/** Serves the API over running lanes; prints `ready` once each lane is ready or has failed. */

import { Effect, Layer } from "effect"
import { type ShareCounts, serveApi } from "../../api/server/serve.ts"
import { warmUp } from "../../api/warm-up.ts"
import { followKeys } from "../../engine/keys/key-log.ts"
import { Lanes, lanesOf } from "../../engine/lane/lanes.ts"
import { quoteSecret } from "../../engine/trade/quote-secret.ts"
import { familyOf } from "../domain/chain-family.ts"
import type { DiskUsage } from "../platform/disk-usage.ts"
import { optionalText } from "../platform/environment.ts"
import { JetStream } from "../platform/jetstream.ts"
import { openNotes } from "../platform/kv-notes.ts"
import type { RunningLane } from "./lane-set.ts"
import { startMeta } from "./meta-desk.ts"
import type { ServeSettings } from "./settings.ts"
import { openProbes } from "./start-prober.ts"
import { type RouterPlace, startRouter } from "./trade-router.ts"

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

/** What engines on one log server share: its API keys, followed, and the secret of quotes. */
const startShared = (natsUrl: string, dataDir: string) =>
  Effect.gen(function* () {
    const jetStream = yield* Layer.build(JetStream.layer({ url: natsUrl }))
    const keys = yield* Effect.provide(followKeys(dataDir), jetStream)
    const quotes = yield* Effect.provide(quoteSecret, jetStream)
    const streams = [keys.stream, quotes.stream]
    return { keys: keys.book, quoteSecret: quotes.secret, streams }
  })

/** Nodes count together where they share a server: one of the data folder has this node alone. */
const countsShared = (natsUrl: string) =>
  Effect.map(optionalText("NATS_URL"), given => {
    if (given === null) return {}
    const shareCounts: ShareCounts = onNote => openNotes(natsUrl, "RATE_LIMITS", onNote)
    return { shareCounts }
  })

/** Serves the lanes until the scope ends. */
export const serveLanes = (
  lanes: ReadonlyArray<RunningLane>,
  { host, port, dataDir, rateLimit, holderPins }: ServeSettings,
  disk: () => DiskUsage | null,
  place: RouterPlace
) =>
  Effect.gen(function* () {
    const traded = lanes.filter(({ client }) => familyOf(client.config).trades)
    const trade = yield* startRouter(traded, place)
    const { streams, ...shared } = yield* startShared(place.natsUrl, dataDir)
    const counts = yield* countsShared(place.natsUrl)
    const meta = yield* startMeta(traded, trade, place.natsUrl)
    const probes = yield* openProbes(place)
    const { uptime } = probes
    const followed = [...streams, ...probes.streams]
    const told = { disk, trade, meta, uptime, ...shared, ...counts }
    const api = yield* serveApi({
      ...{ host, port, rateLimit, holderPins, ...told },
      streams: () => followed.map(stream => stream())
    }).pipe(Effect.provideService(Lanes, lanesOf(lanes.map(({ client }) => client))))
    yield* Effect.forEach(lanes, lane => Effect.raceFirst(whenReady(lane), whenFailed(lane)), {
      concurrency: "unbounded"
    })
    yield* probes.start(api.url)
    yield* Effect.sync(() => process.stdout.write(`ready ${api.url}\n`))
    return yield* Effect.never
  })
