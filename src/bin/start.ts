/** `npm start`: runs nats-server, the lanes with their sources, and the API. */
import { Effect, Scope } from "effect"
import { ensureTapeLog } from "../../engine/log/tape-log.ts"
import { readArguments } from "../platform/command-line.ts"
import { watchDisk } from "../platform/disk-usage.ts"
import { runMain, runUntilStopped } from "../platform/environment.ts"
import { JetStream } from "../platform/jetstream.ts"
import { withoutCredentials } from "../platform/nats.ts"
import { watchNats } from "../platform/nats-watch.ts"
import { serveFirst } from "../platform/thread-priority.ts"
import { tracing } from "../platform/tracing.ts"
import { refuseOtherLogs, refuseSimulated, tellUnserved } from "./kept-logs.ts"
import { startLane } from "./lane-set.ts"
import { loggerLayer } from "./logging.ts"
import { openNats } from "./nats-choice.ts"
import { checkedChain } from "./proven-chain.ts"
import { logCheckConfig, scrubLogs } from "./scrub-logs.ts"
import { serveLanes } from "./serve-lanes.ts"
import { type ChainSetting, readSettings, type Settings } from "./settings.ts"

const HELP = `swaptape: one command from chains to live markets

  npm start [-- --json]     --json: log lines as JSON

Starts a nats-server (or uses NATS_URL), one lane for every chain with RPC_<chainId> set, the API
and the page. With no RPC_… set it runs the devchain: two simulated chains with real contracts and a
simulated Solana, but not in a data folder with other logs: npm run serve shows those. Settings come
from the environment, such as DATA_DIR, the data folder (default ./data); .env.example lists
them all.`

/**
 * Refuses a start, or warns, by the logs that the data folder holds. Not called for a server at
 * `NATS_URL`, which may hold anything.
 */
const lookAround = ({ chains }: Settings, folder: string) => {
  if (chains.every(({ endpoints }) => endpoints.length === 0)) return refuseOtherLogs(folder)
  const served = chains.map(({ chain }) => chain)
  const keys = served.map(({ key }) => key)
  return Effect.andThen(refuseSimulated(folder, served), tellUnserved(folder, keys))
}

const program = (settings: Settings, json: boolean) =>
  Effect.gen(function* () {
    const check = yield* logCheckConfig
    yield* serveFirst
    const { url, folder, isOwn } = yield* openNats(settings.dataDir)
    yield* Effect.logInfo(`nats-server on ${withoutCredentials(url)}`)
    const jetStream = JetStream.layer({ url })
    if (isOwn) yield* lookAround(settings, folder).pipe(Effect.provide(jetStream))
    const server = yield* watchNats(url)
    const disk = yield* watchDisk(folder)
    // Lanes end in parallel: one after the other, each with its grace, they could take too long.
    const side = yield* Scope.make("parallel")
    yield* Effect.addFinalizer(exit => Scope.close(side, exit))
    const launch = (setting: ChainSetting) =>
      Effect.gen(function* () {
        const chain = yield* checkedChain(setting.chain, setting.endpoints, folder)
        // Creates the stream, so that the lane finds a log to follow; the lane checks the log.
        yield* ensureTapeLog(chain.key)
        const options = { settings, natsUrl: url, serverSilentMs: server.silentMs, json }
        return yield* startLane({ ...setting, chain }, options).pipe(Scope.provide(side))
      })
    // In parallel: a chain that does not answer delays no other lane.
    const lanes = yield* Effect.forEach(settings.chains, launch, {
      concurrency: "unbounded"
    }).pipe(Effect.provide(jetStream))
    const clients = lanes.map(({ client }) => client)
    const place = { natsUrl: url, dataDir: folder, json }
    yield* scrubLogs(clients, { ...place, isOwn, check }).pipe(Scope.provide(side))
    return yield* serveLanes(lanes, settings, disk, place)
  })

const main = Effect.gen(function* () {
  const { values } = yield* readArguments("start", {
    options: { help: { type: "boolean" }, json: { type: "boolean" } }
  })
  if (values.help === true) {
    process.stdout.write(`${HELP}\n`)
    return
  }
  yield* runUntilStopped
  const json = values.json === true
  const settings = yield* readSettings.pipe(Effect.provide(loggerLayer(json)))
  yield* program(settings, json).pipe(
    Effect.scoped,
    Effect.provide(tracing({ "swaptape.thread": "serving" })),
    Effect.provide(loggerLayer(json))
  )
})

runMain(main)
