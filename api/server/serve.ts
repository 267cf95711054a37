/**
 * The API server: HTTP, the page and the live streams on one port. Needs the lanes; everything it
 * opens closes with its scope, after the requests under way are answered.
 */
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { Clock, type Config, Context, Deferred, Effect, Layer, Schedule, type Scope } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { KeyBook } from "../../engine/keys/key-book.ts"
import { Lanes } from "../../engine/lane/lanes.ts"
import { Meta, noMeta } from "../../engine/trade/meta/meta.ts"
import { noTrade, Trade } from "../../engine/trade/trade.ts"
import {
  holderPinsConfig,
  holderPinsPerHourConfig,
  liveConnectionsConfig,
  mcpOriginsConfig,
  type ProxyTrust,
  privateChainsConfig,
  proxyTrustConfig,
  rateLimitConfig,
  socketsPerAddressConfig
} from "../../src/platform/api-config.ts"
import type { SettingError } from "../../src/platform/environment.ts"
import { type ListenError, listenUws } from "../../src/platform/uws.ts"
import { Api } from "../api.ts"
import { Asking } from "../asking.ts"
import { KeyUse } from "../caller-key.ts"
import { type Counters, newCounters, ServerCounters } from "../counters.ts"
import { EngineInfo } from "../engine-info.ts"
import { docsRoutes } from "../groups/docs/docs.routes.ts"
import { PinDesk, PinDeskState } from "../groups/holders/pin-desk.ts"
import { FollowedStreams } from "../groups/status/followed-streams.ts"
import { Probed } from "../groups/status/probed.ts"
import { Gates, TradeGates } from "../groups/trade/gates.ts"
import { QuoteSeal, Seal } from "../groups/trade/quote-seal.ts"
import { keepBoards, TraderBoards } from "../groups/traders/kept-boards.ts"
import { Handlers } from "../handlers.ts"
import { LIVE_LIMITS, type LiveLimits, makeLive } from "../live/live.ts"
import { livePlainRoutes } from "../live/plain-request.ts"
import { McpOrigins } from "../mcp/origins.ts"
import { parameterRules } from "../parameter-rules.ts"
import { audienceLanes, makeAudiences } from "./audiences.ts"
import { Callers, type KeyCheck } from "./callers.ts"
import { ClientAddresses } from "./client-address.ts"
import { sharedHeaders } from "./encode-answer.ts"
import { watchHeldUp } from "./held-up.ts"
import { HttpHandler } from "./http-handler.ts"
import { knownRoutes } from "./known-routes.ts"
import { RateLimiter, type RateLimitOptions } from "./rate-limiter.ts"
import { BODY_LIMITS, BodyCollector, type BodyLimits } from "./request-body.ts"
import { SharedCounts, TELL_MS } from "./shared-counts.ts"
import { SocketGate } from "./socket-gate.ts"
import { type StaticFileError, staticRoutes } from "./static-files.ts"

export interface ServeOptions {
  readonly host: string
  /** 0 for any free port */
  readonly port: number
  /** in place of `RATE_LIMIT` and `RATE_LIMIT_LOOPBACK` */
  readonly rateLimit?: RateLimitOptions
  /** in place of `HOLDER_PINS` */
  readonly holderPins?: number
  /** in place of `HOLDER_PINS_PER_HOUR`; null for no limit */
  readonly holderPinsPerHour?: number | null
  /** in place of `TRUSTED_PROXIES` and `TRUSTED_PROXY_HEADER` */
  readonly proxies?: ProxyTrust
  /** in place of `LIVE_PER_ADDRESS` */
  readonly socketsPerAddress?: number
  /** where to ask what the data folder takes of its disk */
  readonly disk?: Counters["disk"]
  /** in place of the documented limits of bodies */
  readonly bodies?: Partial<BodyLimits>
  /** in place of `MCP_ORIGINS` */
  readonly mcpOrigins?: ReadonlyArray<string>
  /** what quotes and builds swaps; absent: nothing does */
  readonly trade?: Trade["Service"]
  /** seals quotes, the same on all nodes that build each other's swaps; absent: made at start */
  readonly quoteSecret?: Uint8Array
  /** what swaps fall back on; absent: nothing */
  readonly meta?: Meta["Service"]
  /** what probers found; absent: nothing is measured */
  readonly uptime?: Probed["Service"]["uptime"]
  /** how the streams are that are followed beside the lanes' logs; absent: none is */
  readonly streams?: FollowedStreams["Service"]["all"]
  /** how requests are counted with other nodes; absent: they are not */
  readonly shareCounts?: ShareCounts
  /** the API keys there are; absent: none */
  readonly keys?: KeyCheck
  /** in place of `PRIVATE_CHAINS` */
  readonly privateChains?: ReadonlyArray<string>
  /** in place of the documented limits of the live streams, and of `LIVE_CONNECTIONS` */
  readonly live?: Partial<LiveLimits>
}

export interface ApiServer {
  readonly host: string
  readonly port: number
  readonly url: string
  readonly counters: Readonly<Counters>
}

/** The router's own bound would answer 404 where the address is too long; uWebSockets' is 4 KiB. */
const MAX_PARAM_LENGTH = 4096
/** How long closing waits for requests under way. */
const DRAIN_MS = 2000

const SOCKET_WORDS = { held: "live sockets", asked: "upgrades" }
const STREAM_WORDS = { held: "streams", asked: "requests" }

/** Version of package.json. */
const engineVersion = (): string => {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8")
  return (JSON.parse(manifest) as { readonly version: string }).version
}

const routes = (version: string, address: Effect.Effect<string>) =>
  Layer.mergeAll(
    HttpApiBuilder.layer(Api).pipe(Layer.provide(Handlers), Layer.provide(parameterRules)),
    docsRoutes(version, address),
    staticRoutes(version),
    livePlainRoutes
  ).pipe(Layer.provide(HttpServer.layerServices))

/** The API as one program of requests; what its handlers need is in `services`. */
const applicationOf = <R>(
  version: string,
  address: Effect.Effect<string>,
  services: Context.Context<R>
) =>
  HttpRouter.toHttpEffect(
    routes(version, address).pipe(Layer.provide(Layer.succeedContext(services)))
  ).pipe(Effect.provideService(HttpRouter.RouterConfig, { maxParamLength: MAX_PARAM_LENGTH }))

/** Host and port as a URL has them. */
const addressOf = (host: string, port: number): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`

/** Of a server that has no keys: every one is unknown. */
const noKeys: KeyCheck = new KeyBook()

/** Opens what nodes tell each other by, until the scope ends; `onNote` is told of each note. */
export type ShareCounts = (
  onNote: (note: Uint8Array) => void
) => Effect.Effect<(key: string, note: Uint8Array) => void, never, Scope.Scope>

/** Counts with other nodes, where there are any. */
const countTogether = Effect.fnUntraced(function* (
  limiter: RateLimiter,
  share: ShareCounts | undefined
) {
  if (share === undefined) return
  const counts = new SharedCounts(limiter, randomBytes(8).toString("hex"))
  const put = yield* share(note => counts.receive(note))
  const tell = Effect.sync(() => counts.tell(put))
  yield* Effect.forkScoped(Effect.repeat(tell, Schedule.spaced(TELL_MS)))
})

/** Returns what is counted; until the scope ends it is watched how the thread is held up. */
const watchedCounters = Effect.fnUntraced(function* ({ disk }: ServeOptions) {
  const counters = newCounters(disk)
  yield* Effect.forkScoped(watchHeldUp(counters))
  return counters
})

/** Waits until the requests under way are answered, a while at most. */
const drain = (counters: Counters): Effect.Effect<void> =>
  Effect.sync(() => counters.active === 0).pipe(
    Effect.repeat({ until: idle => idle, schedule: Schedule.spaced(10) }),
    Effect.timeoutOption(DRAIN_MS),
    Effect.asVoid
  )

/** What quotes and builds swaps, and the seal of its quotes. */
const tradeServices = ({
  trade = noTrade,
  meta = noMeta,
  quoteSecret = randomBytes(32)
}: ServeOptions) =>
  Context.make(Trade, trade).pipe(
    Context.add(Meta, meta),
    Context.add(Seal, new QuoteSeal(quoteSecret)),
    Context.add(Gates, new TradeGates())
  )

/** What is told beside the lanes. */
const watched = ({ uptime = () => null, streams = () => [] }: ServeOptions) =>
  Context.make(Probed, { uptime }).pipe(Context.add(FollowedStreams, { all: streams }))

/** What says whether a request may pin a token. */
const pinDesk = Effect.fnUntraced(function* ({
  host,
  holderPins,
  holderPinsPerHour
}: ServeOptions) {
  const pins = holderPins ?? (yield* holderPinsConfig)
  const perHour =
    holderPinsPerHour === undefined ? yield* holderPinsPerHourConfig(host) : holderPinsPerHour
  return new PinDeskState({ most: pins, perHour })
})

const liveLimits = ({ live }: ServeOptions) =>
  Effect.map(liveConnectionsConfig, limit => ({
    ...{ ...LIVE_LIMITS, maxConnections: limit, maxStreams: limit },
    ...live
  }))

/** Starts the server. Fails where the address is taken or a setting is wrong. */
export const serveApi = Effect.fnUntraced(function* (
  options: ServeOptions
): Effect.fn.Return<
  ApiServer,
  ListenError | Config.ConfigError | SettingError | StaticFileError,
  Lanes | Scope.Scope
> {
  const counters = yield* watchedCounters(options)
  const [version, startedAtMs] = [engineVersion(), yield* Clock.currentTimeMillis]
  const limiter = new RateLimiter(options.rateLimit ?? (yield* rateLimitConfig))
  yield* countTogether(limiter, options.shareCounts)
  // What answers within the process is made of the application, which asks it.
  const handler = yield* Deferred.make<HttpHandler>()
  const address = yield* Deferred.make<string>()
  const own = tradeServices(options).pipe(
    Context.add(KeyUse, { of: key => limiter.useOf(key) }),
    Context.add(Asking, {
      get: (url, caller) => Effect.flatMap(Deferred.await(handler), one => one.get(url, caller))
    }),
    Context.add(McpOrigins, options.mcpOrigins ?? (yield* mcpOriginsConfig)),
    Context.add(EngineInfo, { version, startedAtMs }),
    Context.merge(watched(options)),
    Context.add(PinDesk, yield* pinDesk(options)),
    Context.add(TraderBoards, yield* keepBoards(yield* Lanes)),
    Context.add(ServerCounters, counters)
  )
  const privateChains = options.privateChains ?? (yield* privateChainsConfig)
  const audiences = yield* audienceLanes(yield* Lanes, privateChains)
  const shared = sharedHeaders(version, audiences.open !== audiences.keyed)
  const clients = new ClientAddresses(options.proxies ?? (yield* proxyTrustConfig))
  const callers = new Callers(clients, options.keys ?? noKeys)
  const http = new HttpHandler({
    ...(yield* makeAudiences(audiences, lanes =>
      applicationOf(version, Deferred.await(address), Context.add(own, Lanes, lanes))
    )),
    routes: knownRoutes(MAX_PARAM_LENGTH),
    services: yield* Effect.context<never>(),
    limiter,
    callers,
    bodies: new BodyCollector({ ...BODY_LIMITS, ...options.bodies }),
    counters,
    shared
  })
  yield* Deferred.succeed(handler, http)
  const perAddress = options.socketsPerAddress ?? (yield* socketsPerAddressConfig)
  const gate = { limiter, callers, counters, perAddress, shared }
  const live = yield* makeLive({
    lanes: audiences,
    counters,
    version,
    nowMs: Date.now,
    limits: yield* liveLimits(options),
    socketGate: new SocketGate({ ...gate, bucket: "upgrades", words: SOCKET_WORDS }),
    streamGate: new SocketGate({ ...gate, bucket: "data", words: STREAM_WORDS })
  })
  const server = yield* listenUws({
    host: options.host,
    port: options.port,
    configure: app => {
      live.configure(app)
      app.any("/*", http.handle)
    }
  })
  yield* Effect.addFinalizer(() =>
    Effect.all([server.stopListening, live.close, drain(counters)], { discard: true })
  )
  const listens = addressOf(options.host, server.port)
  yield* Deferred.succeed(address, listens)
  return { host: options.host, port: server.port, url: `http://${listens}`, counters }
})
