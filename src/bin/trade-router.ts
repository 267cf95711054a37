/** Runs the router beside the lanes, and says where each chain's swaps are executed and tried. */
import { join } from "node:path"
import { Data, Effect, Exit, Schedule, Scope } from "effect"
import { type ChainNode, openChainNode } from "../../engine/trade/chain-node.ts"
import { openTokenChecks } from "../../engine/trade/checks/token-checks.ts"
import {
  LOOK_EVERY_MS,
  makeRouterClient,
  type RouterClient
} from "../../engine/trade/router-client.ts"
import type { FromRouter, ToRouter } from "../../engine/trade/router-messages.ts"
import type { TokenChecks } from "../../engine/trade/token-check.ts"
import type { Trade } from "../../engine/trade/trade.ts"
import { parseAddress } from "../domain/address.ts"
import { optionalText, SettingError } from "../platform/environment.ts"
import { keepAlive } from "../platform/keep-alive.ts"
import { spawnWorker } from "../platform/worker.ts"
import type { RunningLane } from "./lane-set.ts"
import type { RouterInput } from "./router-worker.ts"

type Hex = `0x${string}`

/** Pauses between restarts of the router. */
const RESTARTS = { firstMs: 200, longestMs: 10_000, wellAfterMs: 60_000 }

/** Silence after which the thread is ended and started again. */
const HUNG_AFTER_MS = 10_000

/** The router's thread lives and does nothing. */
class RouterHung extends Data.TaggedError("RouterHung")<{ readonly message: string }> {}

/** Fails once the thread has been silent for so long that it will stay so. */
const whenHung = ({ look }: RouterClient, hungAfterMs: number): Effect.Effect<never, RouterHung> =>
  Effect.sync(look).pipe(
    Effect.repeat({
      until: silentMs => silentMs >= hungAfterMs,
      schedule: Schedule.spaced(LOOK_EVERY_MS)
    }),
    Effect.flatMap(silentMs => {
      const message = `no answer for ${silentMs / 1000} s`
      return new RouterHung({ message })
    })
  )

/** The router's thread, and after which silence it counts as hung. */
export interface RouterThread {
  readonly entry: URL
  readonly input: RouterInput
  readonly hungAfterMs: number
  /** milliseconds that it gets to end by itself */
  readonly graceMs?: number
}

/** Runs the router's thread until it ends or hangs; the scope's end stops it. */
export const runRouterThread = (
  client: RouterClient,
  { entry, input, hungAfterMs, graceMs }: RouterThread
) =>
  Effect.gen(function* () {
    const worker = yield* spawnWorker<ToRouter, FromRouter>(entry, input, { type: "stop" }, graceMs)
    client.attach(worker)
    return yield* Effect.raceFirst(worker.ended, whenHung(client, hungAfterMs))
  }).pipe(
    // told at once: a thread that hangs takes a while to end
    Effect.tapError(({ message }) => {
      client.lost(message)
      return Effect.logWarning(`the router died (${message}): it is started again`)
    })
  )

/** Reads `ROUTER_<chainId>`; a simulated chain has its own. */
const routerOf = ({ client: { config } }: RunningLane) =>
  Effect.gen(function* () {
    const name = `ROUTER_${config.id}`
    const text = yield* optionalText(name)
    if (text === null) return (config.swapRouter ?? null) as Hex | null
    const router = parseAddress(text)
    if (router !== null) return router as string as Hex
    return yield* new SettingError({ message: `${name}: ${text} is no address of a contract` })
  })

interface KeptNode {
  node: ChainNode | null
  checks: TokenChecks | null
}

/** Keeps a chain's nodes open where the chain is asked; null before that is known. */
const keepNode = ({ place }: RunningLane, router: Hex | null) =>
  Effect.gen(function* () {
    const kept: KeptNode = { node: null, checks: null }
    const follow = Effect.gen(function* () {
      for (;;) {
        const { urls } = place
        const scope = yield* Scope.make()
        const node = urls.length === 0 ? null : yield* Scope.provide(openChainNode(urls), scope)
        kept.checks =
          node === null || router === null
            ? null
            : yield* Scope.provide(openTokenChecks(node, router), scope)
        kept.node = node
        yield* place.changed
          .until(() => place.urls !== urls)
          .pipe(Effect.ensuring(Scope.close(scope, Exit.void)))
      }
    })
    yield* Effect.forkScoped(follow)
    return kept
  })

/** Has the router follow a lane's chain, again whenever the chain turns out to be another. */
const followChain = (follow: (chain: RunningLane["client"]["config"]) => void, lane: RunningLane) =>
  Effect.gen(function* () {
    for (;;) {
      const { config } = lane.client
      follow(config)
      yield* lane.client.reconfigured(config)
    }
  })

/** Where the router finds the logs, and keeps what it knows of them. */
export interface RouterPlace {
  readonly natsUrl: string
  readonly dataDir: string
  /** whether its lines of the log are JSON */
  readonly json: boolean
}

/** As many events are read again within a second after a start. */
const SNAPSHOT_EVENTS = 100_000

/** Starts the router for these lanes; the scope's end stops it. */
export const startRouter = (
  lanes: ReadonlyArray<RunningLane>,
  { natsUrl, dataDir, json }: RouterPlace
) =>
  Effect.gen(function* () {
    const client = makeRouterClient((chain, states) =>
      lanes.find(lane => lane.client.config.key === chain)?.client.readStates(states)
    )
    const sites = new Map<string, ReturnType<Trade["Service"]["site"]>>()
    for (const lane of lanes) {
      const router = yield* routerOf(lane)
      const kept = yield* keepNode(lane, router)
      sites.set(lane.client.config.key, {
        router,
        get node() {
          return kept.node
        },
        get checks() {
          return kept.checks
        }
      })
      yield* Effect.forkScoped(followChain(client.follow, lane))
    }
    const snapshots = { folder: join(dataDir, "router"), everyEvents: SNAPSHOT_EVENTS }
    const thread: RouterThread = {
      entry: new URL("./router-worker.ts", import.meta.url),
      input: { natsUrl, json, snapshots },
      hungAfterMs: HUNG_AFTER_MS
    }
    yield* keepAlive(runRouterThread(client, thread), RESTARTS, client.lost)
    const nowhere = { router: null, node: null, checks: null }
    return {
      ...client.trade,
      site: key => sites.get(key) ?? nowhere
    } satisfies Trade["Service"]
  })
