/** `npm start`: nats-server, lanes and their sources, the API. */
import { Effect, Schedule, Scope } from "effect"
import { serveApi } from "../../api/server/serve.ts"
import { Lanes } from "../../engine/lane/lanes.ts"
import { ensureTapeLog } from "../../engine/log/tape-log.ts"
import { readArguments } from "../platform/command-line.ts"
import { runMain } from "../platform/environment.ts"
import { JetStream } from "../platform/jetstream.ts"
import { serveFirst } from "../platform/thread-priority.ts"
import { type RunningLane, startLane } from "./lane-set.ts"
import { loggerLayer } from "./logging.ts"
import { openNats } from "./nats-choice.ts"
import { checkedChain } from "./proven-chain.ts"
import { type ChainSetting, readSettings, type Settings } from "./settings.ts"

const HELP = `swaptape: one command from chains to live markets

  npm start [-- --json]     --json: log lines as JSON

Starts a nats-server (or uses NATS_URL), one lane for every chain with RPC_<chainId> set, the API
and the page. With no RPC_… set it runs the devchain: two simulated chains with real contracts.
Settings come from the environment; .env.example lists them.`

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
  Effect.andThen(
    ready,
    Effect.suspend(() => Effect.logInfo(`${client.config.key}: ready at ${client.seq()}`))
  )

/** A lane that cannot follow its log goes on serving what it has, and holds up no other. */
const whenFailed = ({ client }: RunningLane) =>
  Effect.sync(() => client.status()).pipe(
    Effect.repeat({
      until: ({ state }) => state === "failed",
      schedule: Schedule.spaced("200 millis")
    }),
    Effect.flatMap(({ problem }) =>
      Effect.logWarning(`${client.config.key}: not ready, see /v1/status: ${problem}`)
    )
  )

const program = (settings: Settings, json: boolean) =>
  Effect.gen(function* () {
    yield* serveFirst
    const { url, folder } = yield* openNats(settings.dataDir)
    yield* Effect.logInfo(`nats-server on ${url}`)
    // all end at once: one after the other, each with its grace, they could take too long
    const side = yield* Scope.make("parallel")
    yield* Effect.addFinalizer(exit => Scope.close(side, exit))
    const launch = (setting: ChainSetting) =>
      Effect.gen(function* () {
        const chain = yield* checkedChain(setting.chain, setting.endpoints, folder)
        // creates the stream, so that the lane finds a log to follow; to judge it is its own
        yield* ensureTapeLog(chain.key)
        const options = { settings, natsUrl: url, json }
        return yield* startLane({ ...setting, chain }, options).pipe(Scope.provide(side))
      })
    // beside each other: a chain that does not answer delays no other's lane
    const lanes = yield* Effect.forEach(settings.chains, launch, {
      concurrency: "unbounded"
    }).pipe(Effect.provide(JetStream.layer({ url })))
    const { host, port, rateLimit, holderPins } = settings
    const api = yield* serveApi({ host, port, rateLimit, holderPins }).pipe(
      Effect.provideService(Lanes, lanesService(lanes))
    )
    yield* Effect.forEach(lanes, lane => Effect.raceFirst(whenReady(lane), whenFailed(lane)), {
      concurrency: "unbounded"
    })
    yield* Effect.sync(() => process.stdout.write(`ready ${api.url}\n`))
    return yield* Effect.never
  })

const main = Effect.gen(function* () {
  const { values } = yield* readArguments("start", {
    options: { help: { type: "boolean" }, json: { type: "boolean" } }
  })
  if (values.help === true) {
    process.stdout.write(`${HELP}\n`)
    return
  }
  const json = values.json === true
  const settings = yield* readSettings.pipe(Effect.provide(loggerLayer(json)))
  yield* program(settings, json).pipe(Effect.scoped, Effect.provide(loggerLayer(json)))
})

runMain(main)
