/**
 * The engine as `start` runs it, with files in place of a chain: nats-server, a lane's worker, the
 * API on the main thread, and a source worker that reads at full speed once it is told to; or
 * single blocks of trades once more.
 */
import { join } from "node:path"
import { Effect, Schedule } from "effect"
import { type ApiServer, serveApi } from "../../api/server/serve.ts"
import { warmUp } from "../../api/warm-up.ts"
import { type LaneClient, makeLaneClient } from "../../engine/lane/lane-client.ts"
import { Lanes, lanesOf } from "../../engine/lane/lanes.ts"
import { openTapeLog } from "../../engine/log/tape-log.ts"
import { makeRouterClient } from "../../engine/trade/router-client.ts"
import type { FromRouter, ToRouter } from "../../engine/trade/router-messages.ts"
import { Trade } from "../../engine/trade/trade.ts"
import { allProjections } from "../../projections/all.ts"
import { findChain } from "../../src/bin/chain-choice.ts"
import type { LaneInput } from "../../src/bin/lane-worker.ts"
import { openNats } from "../../src/bin/nats-choice.ts"
import type { RouterInput } from "../../src/bin/router-worker.ts"
import { spawnLane } from "../../src/bin/spawn-lane.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { JetStream } from "../../src/platform/jetstream.ts"
import { serveFirst } from "../../src/platform/thread-priority.ts"
import { spawnWorker } from "../../src/platform/worker.ts"
import type { LogFiles } from "../generate/cached-logs.ts"
import { assist } from "../measure/assist.ts"
import { collect } from "../measure/collect.ts"
import type { FileSourceInput, FromFileSource } from "./file-source-worker.ts"
import { openTradeAgain, type TradeAgain } from "./trade-again.ts"

export interface OpenInput {
  readonly chain: string
  readonly dataFolder: string
  /** whether quotes are served too */
  readonly hasRouter?: true
}

export interface Progress {
  /** committed */
  readonly seq: number
  /** of the newest status, at most a second old */
  readonly swaps: number
  /** all files are read, and folded and committed */
  readonly done: boolean
  readonly requests: number
  readonly cacheHits: number
}

interface Opened {
  readonly client: LaneClient
  readonly natsUrl: string
  readonly api: ApiServer
}

let opened: Opened | null = null
/** seq at the end of the files, once they are read */
let end = Number.POSITIVE_INFINITY
/** why the source ended before that */
let failure: string | null = null

/** The router on its thread, once it quotes; without nodes and contracts. */
const openRouter = (chain: ChainConfig, natsUrl: string) =>
  Effect.gen(function* () {
    const client = makeRouterClient(() => {})
    const input: RouterInput = { natsUrl, json: false, snapshots: null }
    const entry = new URL("../../src/bin/router-worker.ts", import.meta.url)
    const worker = yield* spawnWorker<ToRouter, FromRouter>(entry, input, { type: "stop" })
    client.attach(worker)
    client.follow(chain)
    yield* client.trade.status(chain.key).pipe(
      Effect.repeat({
        until: ({ state }) => state === "live",
        schedule: Schedule.spaced("20 millis")
      }),
      Effect.raceFirst(worker.ended)
    )
    return Trade.of({ ...client.trade, site: () => ({ router: null, node: null, checks: null }) })
  })

const open = ({ chain: key, dataFolder, hasRouter }: OpenInput) =>
  Effect.gen(function* () {
    yield* serveFirst
    const chain = yield* findChain(key, [])
    const { url: natsUrl } = yield* openNats(dataFolder)
    yield* openTapeLog(chain.key).pipe(Effect.provide(JetStream.layer({ url: natsUrl })))
    const client = yield* makeLaneClient(chain, allProjections)
    const input: LaneInput = {
      chain,
      natsUrl,
      file: join(dataFolder, "lanes", `${chain.key}.duckdb`),
      threads: 1,
      isCopied: true,
      json: false
    }
    const worker = yield* spawnLane(input)
    client.attach(worker)
    yield* Effect.raceFirst(client.caughtUp, worker.ended)
    const lanes = lanesOf([client])
    const trade = hasRouter === true ? { trade: yield* openRouter(chain, natsUrl) } : {}
    const api = yield* serveApi({ host: "127.0.0.1", port: 0, ...trade }).pipe(
      Effect.provideService(Lanes, lanes)
    )
    opened = { client, natsUrl, api }
    yield* Effect.forkScoped(warmUp(client))
    return { port: api.port }
  })

const ingest = (files: LogFiles) =>
  Effect.gen(function* () {
    const { client, natsUrl } = opened as Opened
    const input: FileSourceInput = { chain: client.config, natsUrl, files }
    const entry = new URL("./file-source-worker.ts", import.meta.url)
    const worker = yield* spawnWorker<{ readonly type: "stop" }, FromFileSource>(entry, input, {
      type: "stop"
    })
    worker.onMessage(({ seq }) => {
      end = seq
    })
    yield* worker.ended.pipe(
      Effect.catch(({ message }) =>
        Effect.sync(() => {
          failure = message
        })
      ),
      Effect.forkScoped
    )
  })

const progress = () =>
  Effect.suspend(() => {
    if (failure !== null) return Effect.fail(new Error(failure))
    const { client, api } = opened as Opened
    const { requests, cacheHits } = api.counters
    const { swaps } = client.status()
    const seq = client.seq()
    return Effect.succeed<Progress>({ seq, swaps, done: seq >= end, requests, cacheHits })
  })

export interface Traded {
  /** of the new block's end */
  readonly seq: number
  /** when it was in the log, ms since 1970 */
  readonly loggedAt: number
}

const now = (): number => performance.timeOrigin + performance.now()

let trade: Effect.Success<ReturnType<typeof openTradeAgain>> | null = null
let newest = { block: 0, time: 0 }

/** Appends a block of trades; gives its number and where it ends in the log. */
const append = (asked: TradeAgain) =>
  Effect.gen(function* () {
    const { client, natsUrl } = opened as Opened
    trade ??= yield* openTradeAgain(client.config.key, natsUrl)
    const { block, blockTime } = client.status()
    if ((block ?? 0) > newest.block) newest = { block: block ?? 0, time: blockTime ?? 0 }
    const { seq } = yield* trade(asked, newest)
    newest = { block: newest.block + 1, time: newest.time + 2 }
    return { seq, block: newest.block }
  })

const tradeAgain = (asked: TradeAgain) =>
  Effect.map(append(asked), ({ seq }): Traded => ({ seq, loggedAt: now() }))

export interface Pace {
  readonly blocks: number
  readonly blockMs: number
  /** of a block; the next block's go on from the next of these */
  readonly trades: ReadonlyArray<TradeAgain>
}

export interface Handed {
  readonly block: number
  /** when it was due at the log, and when the log had it: ms since 1970 */
  readonly at: number
  readonly loggedAt: number
}

/** Appends blocks at their times, whether or not the ones before are committed. */
const pace = ({ blocks, blockMs, trades }: Pace) =>
  Effect.gen(function* () {
    const began = now()
    const handed: Array<Handed> = []
    for (let i = 0; i < blocks; i++) {
      const at = began + i * blockMs
      yield* Effect.sleep(Math.max(0, at - now()))
      const { block } = yield* append(trades[i % trades.length] as TradeAgain)
      handed.push({ block, at, loggedAt: now() })
    }
    return handed
  })

const REST_MS = 2000
const REST_LOAD = 0.15

/** Waits until the engine has nothing left to do, the merging of its tables included. */
const rest = () =>
  Effect.gen(function* () {
    for (;;) {
      const before = process.cpuUsage()
      yield* Effect.sleep(REST_MS)
      const { user, system } = process.cpuUsage(before)
      if ((user + system) / 1000 < REST_MS * REST_LOAD) return
    }
  })

assist({ open, ingest, progress, append, tradeAgain, pace, rest, collect })
