/**
 * Runs a lane: starts its worker and, once the tables have caught up with the log, its source. Each
 * is restarted with growing pauses when it dies. Lanes never wait for each other.
 */
import { join } from "node:path"
import { Deferred, Effect, Schema } from "effect"
import { HealthNews } from "../../engine/lane/health-news.ts"
import { type LaneClient, makeLaneClient } from "../../engine/lane/lane-client.ts"
import { PULSE_MS } from "../../engine/lane/lane-watch.ts"
import type { LaneUnavailable } from "../../engine/lane/lanes.ts"
import { type KnownMarks, NO_MARKS } from "../../engine/late/late-log.ts"
import { untilMoreFacts } from "../../engine/log/fact-log.ts"
import type { LogPosition } from "../../engine/log/segment.ts"
import { ask } from "../../engine/query.ts"
import { Signal } from "../../engine/runner/signal.ts"
import { allProjections } from "../../projections/all.ts"
import { marks } from "../../projections/coverage/queries.ts"
import { knownFacts } from "../../projections/pools/queries.ts"
import type { SaidLately } from "../../streams/endpoints/said.ts"
import { type KnownFacts, NO_FACTS } from "../../streams/source.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { steadyMillis } from "../platform/elapsed.ts"
import { JetStream } from "../platform/jetstream.ts"
import { keepAlive } from "../platform/keep-alive.ts"
import { GOES_ON, untilRoom, wantOfRoom } from "../platform/room.ts"
import { spawnWorker } from "../platform/worker.ts"
import type { DevchainInput, DevchainReady } from "./devchain-worker.ts"
import type { LaneInput } from "./lane-worker.ts"
import { chainWithFacts } from "./proven-chain.ts"
import type { ChainSetting, ServeSettings } from "./settings.ts"
import type { FromSource, SourceInput, ToSource } from "./source-worker.ts"
import { spawnLane } from "./spawn-lane.ts"

/** Pauses between restarts of a worker. */
const RESTARTS = { firstMs: 200, longestMs: 10_000, wellAfterMs: 60_000 }

export interface RunOptions {
  readonly settings: ServeSettings
  readonly natsUrl: string
  /** returns for how many milliseconds the log's server has not answered; 0 where it answers */
  readonly serverSilentMs: () => number
  readonly json: boolean
}

const runLaneWorker = (
  client: LaneClient,
  { settings, natsUrl, json }: RunOptions,
  isHistory = false
) =>
  Effect.gen(function* () {
    const { key } = client.config
    const input: LaneInput = {
      chain: client.config,
      natsUrl,
      file: join(settings.dataDir, "lanes", `${key}.duckdb`),
      threads: settings.threads,
      isCopied: true,
      upkeep: settings.upkeep,
      isHistory,
      json
    }
    const worker = yield* spawnLane(input)
    client.attach(worker)
    return yield* worker.ended
  })

const decoder = new TextDecoder()

interface Known {
  readonly facts: KnownFacts
  readonly marks: KnownMarks
}

const NOTHING: Known = { facts: NO_FACTS, marks: NO_MARKS }

/** Reads pools, tokens and marks at one position; reads again where a commit came in between. */
const knownOf = (client: LaneClient): Effect.Effect<Known, LaneUnavailable> =>
  Effect.gen(function* () {
    const facts = yield* client.newest(ask(knownFacts, {}))
    const said = yield* client.newest(ask(marks, {}))
    if (!facts.ok || !said.ok) return NOTHING
    if (facts.seq !== said.seq) return yield* knownOf(client)
    const told = JSON.parse(decoder.decode(facts.body)) as KnownFacts
    const found = JSON.parse(decoder.decode(said.body)) as Omit<KnownMarks, "at">
    return { facts: told, marks: { ...found, at: said.seq } }
  })

/** Returns where a new log begins: a lost log begins again at its old first block. */
const startOf = (client: LaneClient, start: string | null): string | null => {
  const lost = client.firstBlock()
  return lost !== null && (start ?? "latest") === "latest" ? String(lost) : start
}

/** Where a chain is asked, and the first block of a new log of it, as settings name it. */
interface Site {
  readonly endpoints: ReadonlyArray<string>
  readonly start: string | null
}

const runSourceWorker = (
  client: LaneClient,
  setting: ChainSetting,
  { endpoints, start }: Site,
  { natsUrl, json }: RunOptions,
  place: ChainPlace
) =>
  Effect.gen(function* () {
    yield* client.caughtUp
    const known = yield* knownOf(client)
    const input: SourceInput = {
      chain: client.config,
      natsUrl,
      endpoints,
      start: startOf(client, start),
      devchain: setting.endpoints.length === 0,
      facts: known.facts,
      marks: known.marks,
      backfill: setting.backfill,
      pins: setting.pins,
      unpins: setting.unpins,
      said: place.said,
      json
    }
    const entry = new URL("./source-worker.ts", import.meta.url)
    const worker = yield* spawnWorker<ToSource, FromSource>(entry, input, { type: "stop" })
    worker.onMessage(message => {
      if (message.type === "pulse") return client.sourcePulse()
      place.said = message.said
      client.setSource(message.status)
    })
    client.attachSource(
      tokens => worker.post({ type: "pin", tokens }),
      wanted => worker.post({ type: "states", wanted })
    )
    return yield* worker.ended
  })

/** Starts a devchain and returns once it listens. */
const startDevchainWorker = (chain: ChainConfig, { settings, json }: RunOptions) =>
  Effect.gen(function* () {
    const ready = yield* Deferred.make<DevchainReady>()
    const key = chain.key as DevchainInput["chain"]
    const input: DevchainInput = { chain: key, dataDir: settings.dataDir, json }
    const entry = new URL("./devchain-worker.ts", import.meta.url)
    const worker = yield* spawnWorker<{ readonly type: "stop" }, DevchainReady>(entry, input, {
      type: "stop"
    })
    worker.onMessage(message => Effect.runFork(Deferred.succeed(ready, message)))
    const { endpoints, start } = yield* Effect.raceFirst(Deferred.await(ready), worker.ended)
    yield* Effect.logInfo(`${chain.key}: devchain on ${endpoints.at(-1)}`)
    return { endpoints, start, ended: worker.ended }
  })

/** Runs the source over its endpoints or its own devchain; where either dies, both end. */
const runSource = (
  client: LaneClient,
  setting: ChainSetting,
  options: RunOptions,
  started: Deferred.Deferred<void>,
  place: ChainPlace
) =>
  Effect.gen(function* () {
    const devchain =
      setting.endpoints.length === 0 ? yield* startDevchainWorker(setting.chain, options) : null
    yield* Deferred.succeed(started, undefined)
    const site = devchain ?? setting
    place.move(site.endpoints)
    const running = runSourceWorker(client, setting, site, options, place)
    return yield* devchain === null ? running : Effect.raceFirst(running, devchain.ended)
  })

/** Where a chain is asked: known once its source has started, and other after a restart. */
class ChainPlace {
  urls: ReadonlyArray<string> = []
  /** what its sources have said lately, which one that is started again does not say again */
  said: SaidLately = []
  readonly changed = new Signal()

  move(urls: ReadonlyArray<string>): void {
    this.urls = urls
    this.changed.ring()
  }
}

export interface RunningLane {
  readonly client: LaneClient
  /** of a lane without a source it stays nowhere */
  readonly place: ChainPlace
  /** completes once the lane has caught up with the log and its source, if any, has started */
  readonly ready: Effect.Effect<void>
}

/** Updates a lane's clocks and logs when trouble begins and ends. */
const watchLane = (client: LaneClient, serverSilentMs: () => number) =>
  Effect.gen(function* () {
    const news = new HealthNews(client.config.key)
    let before = yield* steadyMillis
    for (;;) {
      yield* Effect.sleep(PULSE_MS)
      const now = yield* steadyMillis
      client.tick(now - before, serverSilentMs())
      before = now
      const line = news.next(client.health(), now)
      if (line !== null)
        yield* line.isTrouble ? Effect.logWarning(line.text) : Effect.logInfo(line.text)
    }
  }).pipe(Effect.forkScoped)

/** Starts one lane with its source and keeps both running until the scope ends. */
export const startLane = (setting: ChainSetting, options: RunOptions) =>
  Effect.gen(function* () {
    const started = yield* Deferred.make<void>()
    const place = new ChainPlace()
    const client = yield* makeLaneClient(setting.chain, allProjections)
    yield* keepAlive(runLaneWorker(client, options), RESTARTS, client.lost)
    const { family = "evm" } = setting.chain
    const kind = setting.endpoints.length === 0 ? "devchain" : (`${family}-rpc` as const)
    const { dataDir } = options.settings
    let isWanting = false
    const room = Effect.gen(function* () {
      if (!isWanting) return
      yield* untilRoom(join(dataDir, "room"))
      client.sourceLost("it can be written again: the source is being started", kind)
    })
    const running = Effect.andThen(room, runSource(client, setting, options, started, place))
    yield* keepAlive(running, RESTARTS, words => {
      const want = wantOfRoom(words, dataDir)
      isWanting = want !== null
      client.sourceLost(want === null ? words : `${want}${GOES_ON}`, kind)
    })
    yield* watchLane(client, options.serverSilentMs)
    const ready = Effect.all([client.caughtUp, Deferred.await(started)], { discard: true })
    return { client, place, ready } satisfies RunningLane
  })

/** A chain has proven more than its lane folds with. */
class FactsAdded extends Schema.TaggedError<FactsAdded>()("FactsAdded", {
  message: Schema.String
}) {}

/** Fails once the facts of a chain's log make another chain of it than the one given. */
const untilOtherFacts = (registered: ChainConfig, chain: ChainConfig, end: LogPosition) =>
  Effect.gen(function* () {
    const foldedBy = ({ venues, routers, settlements }: ChainConfig) =>
      JSON.stringify([venues, routers, settlements])
    for (let seen = end; ; ) {
      yield* untilMoreFacts(chain.key, seen)
      const next = yield* chainWithFacts(registered)
      if (foldedBy(next.chain) !== foldedBy(chain)) {
        const message = `${chain.key} has proven more venues or routers: tables are made anew`
        yield* Effect.logInfo(message)
        return yield* new FactsAdded({ message })
      }
      seen = next.end
    }
  })

/**
 * Runs the worker of a lane whose log another engine may write: where that engine's chain proves
 * more, tables follow from more, and the worker ends to begin with it.
 */
const runHistoryWorker = (client: LaneClient, options: RunOptions, registered: ChainConfig) =>
  Effect.gen(function* () {
    const { chain, end } = yield* chainWithFacts(registered)
    client.configure(chain)
    const running = runLaneWorker(client, options, true)
    return yield* Effect.raceFirst(running, untilOtherFacts(registered, chain, end))
  }).pipe(Effect.provide(JetStream.layer({ url: options.natsUrl })))

/**
 * Starts a lane without a source, which answers from the log as it stands.
 *
 * @param registered the chain without the facts of its log
 */
export const startHistory = (registered: ChainConfig, options: RunOptions) =>
  Effect.gen(function* () {
    // where its facts cannot be read the worker says so, and the other lanes run
    const client = yield* makeLaneClient(registered, allProjections, true)
    yield* keepAlive(runHistoryWorker(client, options, registered), RESTARTS, client.lost)
    yield* watchLane(client, options.serverSilentMs)
    return { client, place: new ChainPlace(), ready: client.caughtUp } satisfies RunningLane
  })
