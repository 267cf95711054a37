/** The live streams of the server: the socket, server-sent events, and the hub that feeds both. */
import { Effect, Schedule, type Scope } from "effect"
import type { UwsApp } from "../../src/platform/uws.ts"
import type { Counters } from "../counters.ts"
import type { AudienceLanes } from "../server/audiences.ts"
import type { SocketGate } from "../server/socket-gate.ts"
import { subTopic } from "./connection.ts"
import { LiveHub } from "./hub.ts"
import { Sockets } from "./live-socket.ts"
import { Streams } from "./live-streams.ts"
import { BEAT_PARTS, type LiveBody } from "./reader.ts"
import type { Subscription } from "./subscription.ts"
import { Subscriptions } from "./subscriptions.ts"
import type { Sub } from "./told-frame.ts"

export interface LiveLimits {
  readonly maxConnections: number
  readonly maxStreams: number
  /** channels a connection or stream */
  readonly maxChannels: number
  readonly maxMessageBytes: number
  readonly maxMessagesPerSecond: number
  /** how long a reader that was ended may take what it was sent before */
  readonly lingerMs: number
  /** bytes a reader may be behind before it is closed */
  readonly maxBufferedBytes: number
  /** bytes a reader may be behind and still get the newest */
  readonly maxNewestBufferedBytes: number
  /** frames that may wait while a reader's past is read */
  readonly maxPending: number
  readonly pingSeconds: number
  readonly newestMs: number
}

/** Beside how many there may be, which is a setting. */
export const LIVE_LIMITS: Omit<LiveLimits, "maxConnections" | "maxStreams"> = {
  maxChannels: 8,
  maxMessageBytes: 4096,
  maxMessagesPerSecond: 20,
  lingerMs: 10_000,
  maxBufferedBytes: 1024 * 1024,
  maxNewestBufferedBytes: 64 * 1024,
  maxPending: 20_000,
  pingSeconds: 25,
  newestMs: 400
}

export interface LiveOptions {
  readonly lanes: AudienceLanes
  readonly counters: Counters
  readonly version: string
  /** Unix milliseconds */
  readonly nowMs: () => number
  readonly limits: LiveLimits
  readonly socketGate: SocketGate
  readonly streamGate: SocketGate
}

export interface Live {
  /** adds the routes; before the server listens */
  readonly configure: (app: UwsApp) => void
  /** says goodbye to every reader and takes no more */
  readonly close: Effect.Effect<void>
}

/** Milliseconds between two looks at whether the keys of readers still stand. */
const KEYS_MS = 500

/** Builds the handlers; timers and the lanes' listeners live as long as the scope. */
export const makeLive = Effect.fnUntraced(function* (
  options: LiveOptions
): Effect.fn.Return<Live, never, Scope.Scope> {
  const { lanes, counters, nowMs, limits } = options
  const publish = (topic: string, sub: Sub, frame: LiveBody): void =>
    sockets.publish(subTopic(topic, sub), frame)
  const now = (): number => Math.floor(nowMs() / 1000)
  const reread = (subscription: Subscription): void => subscriptions.reread(subscription)
  const expire = (subscription: Subscription): void => subscriptions.expire(subscription)
  const hub = new LiveHub({ ...limits, counters, publish, reread, expire, now, nowMs })
  const subscriptions = new Subscriptions({ ...options, ...limits, hub })
  const sockets = new Sockets(options, subscriptions)
  const streams = new Streams(options, subscriptions)

  for (const lane of lanes.keyed.all) {
    yield* Effect.acquireRelease(
      Effect.sync(() => lane.onFrames(notice => hub.onFrames(lane, notice))),
      stop => Effect.sync(stop)
    )
  }
  const every = (ms: number, work: () => void) =>
    Effect.forkScoped(Effect.repeat(Effect.sync(work), Schedule.spaced(ms)))
  yield* every(limits.newestMs, () => {
    hub.flushNewest()
    subscriptions.watches.tick()
  })
  yield* every(KEYS_MS, () => {
    sockets.endWithoutKey(nowMs())
    streams.endWithoutKey(nowMs())
  })
  let part = 0
  yield* every((limits.pingSeconds * 1000) / BEAT_PARTS, () => {
    part = (part + 1) % BEAT_PARTS
    sockets.pingPart(part)
    streams.beatPart(part, hub)
  })
  return {
    configure: app => {
      sockets.configure(app)
      streams.configure(app)
    },
    close: Effect.sync(() => {
      sockets.closeAll()
      streams.closeAll()
    })
  }
})
