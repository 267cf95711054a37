/**
 * A lane as `start` runs it: its worker, then, once the tables have caught up with the log, its
 * source. Each is restarted with growing pauses when it dies; lanes never wait for each other.
 */
import { join } from "node:path"
import { Deferred, Effect, Fiber, Schedule, type Scope } from "effect"
import { type LaneClient, makeLaneClient } from "../../engine/lane/lane-client.ts"
import type { FromLane, ToLane } from "../../engine/lane/messages.ts"
import { spawnWorker } from "../platform/worker.ts"
import type { DevchainInput, DevchainReady } from "./devchain-worker.ts"
import type { LaneInput } from "./lane-worker.ts"
import type { ChainSetting, Settings } from "./settings.ts"
import type { FromSource, SourceInput, ToSource } from "./source-worker.ts"

/** Pauses between restarts of a worker: 0.2 s, doubling to 10 s. */
const restarts = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("10 seconds")])

const keepAlive = <A, E>(name: string, run: Effect.Effect<A, E, Scope.Scope>) =>
  Effect.scoped(run).pipe(
    Effect.tapCause(cause => Effect.logError(`${name} died, restarting it: ${cause}`)),
    Effect.retry(restarts),
    Effect.forkScoped
  )

export interface RunOptions {
  readonly settings: Settings
  readonly natsUrl: string
  readonly json: boolean
}

const runLaneWorker = (client: LaneClient, { settings, natsUrl, json }: RunOptions) =>
  Effect.gen(function* () {
    const { key } = client.config
    const input: LaneInput = {
      chain: client.config,
      natsUrl,
      file: join(settings.dataDir, "lanes", `${key}.duckdb`),
      threads: settings.threads,
      upkeep: settings.upkeep,
      json
    }
    const entry = new URL("./lane-worker.ts", import.meta.url)
    const worker = yield* spawnWorker<ToLane, FromLane>(entry, input, { type: "stop" })
    client.attach(worker)
    return yield* worker.ended.pipe(
      Effect.tapError(({ message }) => Effect.sync(() => client.lost(message)))
    )
  })

const decoder = new TextDecoder()

interface Known {
  readonly pools: ReadonlyArray<string>
  readonly tokens: ReadonlyArray<string>
}

const knownOf = (client: LaneClient) =>
  client
    .query({ name: "known", params: {} })
    .pipe(
      Effect.map(answer =>
        answer.ok ? (JSON.parse(decoder.decode(answer.body)) as Known) : { pools: [], tokens: [] }
      )
    )

const runSourceWorker = (
  client: LaneClient,
  setting: ChainSetting,
  devchain: DevchainReady | null,
  { natsUrl, json }: RunOptions
) =>
  Effect.gen(function* () {
    yield* client.caughtUp
    const known = yield* knownOf(client)
    const input: SourceInput = {
      chain: client.config,
      natsUrl,
      endpoints: devchain === null ? setting.endpoints : [devchain.wsUrl, devchain.rpcUrl],
      start: setting.start,
      devchain: devchain !== null,
      knownPools: known.pools,
      knownTokens: known.tokens,
      json
    }
    const entry = new URL("./source-worker.ts", import.meta.url)
    const worker = yield* spawnWorker<ToSource, FromSource>(entry, input, { type: "stop" })
    worker.onMessage(message => client.setSource(message.status))
    return yield* worker.ended
  })

const startDevchainWorker = (chain: "arc" | "base", { settings, json }: RunOptions) =>
  Effect.gen(function* () {
    const ready = yield* Deferred.make<DevchainReady>()
    const input: DevchainInput = { chain, dataDir: settings.dataDir, json }
    const entry = new URL("./devchain-worker.ts", import.meta.url)
    const worker = yield* spawnWorker<{ readonly type: "stop" }, DevchainReady>(entry, input, {
      type: "stop"
    })
    worker.onMessage(message => Effect.runFork(Deferred.succeed(ready, message)))
    return yield* Effect.raceFirst(Deferred.await(ready), worker.ended)
  })

export interface RunningLane {
  readonly client: LaneClient
  /** completes when the lane answers from everything that was in the log, and its source runs */
  readonly ready: Effect.Effect<void>
}

/** Starts one lane and keeps it running for the length of the scope. */
export const startLane = (setting: ChainSetting, options: RunOptions) =>
  Effect.gen(function* () {
    const { key } = setting.chain
    const started = yield* Deferred.make<void>()
    const simulated = setting.endpoints.length === 0
    const devchain = simulated
      ? yield* startDevchainWorker(key as "arc" | "base", options).pipe(
          Effect.tap(({ rpcUrl }) => Effect.logInfo(`${key}: devchain on ${rpcUrl}`)),
          Effect.forkScoped
        )
      : null
    const client = yield* makeLaneClient(setting.chain)
    yield* keepAlive(`lane ${key}`, runLaneWorker(client, options))
    const source = Effect.gen(function* () {
      const chain = devchain === null ? null : yield* Fiber.join(devchain)
      yield* Deferred.succeed(started, undefined)
      return yield* runSourceWorker(client, setting, chain, options)
    })
    yield* keepAlive(`source of ${key}`, source)
    const ready = Effect.all([client.caughtUp, Deferred.await(started)], { discard: true })
    return { client, ready } satisfies RunningLane
  })
