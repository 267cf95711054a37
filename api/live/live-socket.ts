/** The live socket's place on the server: `/v1/ws/live`. */
import { Effect, Schedule, type Scope } from "effect"
import type { Lanes } from "../../engine/lane/lanes.ts"
import type {
  UwsApp,
  UwsRequest,
  UwsResponse,
  UwsSocket,
  UwsSocketContext
} from "../../src/platform/uws.ts"
import type { Counters } from "../counters.ts"
import type { SocketGate } from "../server/socket-gate.ts"
import { Connection, type ConnectionData } from "./connection.ts"
import { LiveHub } from "./hub.ts"
import { LIVE_PATH } from "./plain-request.ts"
import { CLOSE } from "./reader.ts"
import { receive } from "./session.ts"
import type { Subscription } from "./subscription.ts"
import { Subscriptions } from "./subscriptions.ts"

export interface LiveLimits {
  readonly maxConnections: number
  /** channels a connection */
  readonly maxChannels: number
  readonly maxMessageBytes: number
  readonly maxMessagesPerSecond: number
  /** bytes a reader of trades or candles may be behind before it is closed */
  readonly maxBufferedBytes: number
  /** bytes a reader may be behind and still get the newest */
  readonly maxNewestBufferedBytes: number
  /** frames that may wait while a reader's past is read */
  readonly maxPending: number
  readonly pingSeconds: number
  readonly newestMs: number
}

export const LIVE_LIMITS: LiveLimits = {
  maxConnections: 500,
  maxChannels: 8,
  maxMessageBytes: 4096,
  maxMessagesPerSecond: 20,
  maxBufferedBytes: 1024 * 1024,
  maxNewestBufferedBytes: 64 * 1024,
  maxPending: 20_000,
  pingSeconds: 25,
  newestMs: 400
}

export interface LiveOptions {
  readonly lanes: Lanes["Service"]
  readonly counters: Counters
  readonly version: string
  /** Unix milliseconds */
  readonly nowMs: () => number
  readonly limits: LiveLimits
  readonly gate: SocketGate
}

export interface LiveSocket {
  /** adds the route; before the server listens */
  readonly configure: (app: UwsApp) => void
  /** says goodbye to every reader and takes no more */
  readonly close: Effect.Effect<void>
}

/** Two missed pings; uWebSockets counts in steps of four seconds. */
const IDLE_PINGS = 2.4
/**
 * Hard stops, far over our own bounds: past them uWebSockets drops frames, or cuts the socket
 * without a word. What it has of a message it keeps in memory until the message is there.
 */
const HARD_BUFFER_BYTES = 64 * 1024 * 1024
const HARD_MESSAGE_BYTES = 1024 * 1024

type Socket = UwsSocket<ConnectionData>

const upgrade = (
  response: UwsResponse,
  request: UwsRequest,
  context: UwsSocketContext,
  caller: ConnectionData["caller"]
): void =>
  response.upgrade<ConnectionData>(
    { holder: { connection: null }, caller },
    request.getHeader("sec-websocket-key"),
    request.getHeader("sec-websocket-protocol"),
    request.getHeader("sec-websocket-extensions"),
    context
  )

/** The sockets that are open, and what uWebSockets tells of them. */
class Sockets {
  readonly connections = new Set<Connection>()
  /** no upgrades any more */
  closing = false
  private readonly options: LiveOptions
  private readonly subscriptions: Subscriptions

  constructor(options: LiveOptions, subscriptions: Subscriptions) {
    this.options = options
    this.subscriptions = subscriptions
  }

  readonly upgrade = (
    response: UwsResponse,
    request: UwsRequest,
    context: UwsSocketContext
  ): void => {
    const { gate, limits } = this.options
    if (this.closing) return gate.refuse(response, request, "the server is closing")
    if (this.connections.size >= limits.maxConnections) {
      return gate.refuse(response, request, `all ${limits.maxConnections} connections are taken`)
    }
    const caller = gate.admit(response, request)
    if (caller !== null) upgrade(response, request, context, caller)
  }

  readonly open = (socket: Socket): void => {
    const { limits, counters } = this.options
    const connection = new Connection(socket, limits, counters)
    socket.getUserData().holder.connection = connection
    this.connections.add(connection)
    counters.sockets++
    this.subscriptions.greet(connection)
  }

  readonly message = (socket: Socket, bytes: ArrayBuffer): void => {
    const { connection } = socket.getUserData().holder
    if (connection === null) return
    const { subscriptions } = this
    const { nowMs, limits } = this.options
    receive({ subscriptions, nowMs, maxMessageBytes: limits.maxMessageBytes }, connection, bytes)
  }

  /** A ping or pong of the client's: counted as a message, for each costs as much. */
  readonly control = (socket: Socket): void => {
    const { connection } = socket.getUserData().holder
    if (connection?.admits(this.options.nowMs()) === false) {
      connection.end(CLOSE.tooFast, "too many pings")
    }
  }

  readonly drain = (socket: Socket): void => socket.getUserData().holder.connection?.onDrain()

  /** Past the hard stop. It happens in the middle of publishing, so the socket is closed after. */
  readonly dropped = (socket: Socket): void => {
    const { connection } = socket.getUserData().holder
    queueMicrotask(() => connection?.closeSlow())
  }

  readonly close = (socket: Socket): void => {
    const { holder, caller } = socket.getUserData()
    this.options.gate.leave(caller)
    const { connection } = holder
    if (connection === null || !this.connections.delete(connection)) return
    this.options.counters.sockets--
    connection.closed()
    this.subscriptions.forget(connection)
  }

  pingAll(): void {
    for (const connection of this.connections) connection.ping()
  }

  closeAll(): void {
    this.closing = true
    for (const connection of [...this.connections]) {
      connection.end(CLOSE.goingAway, "the server is closing")
    }
  }
}

const idleSeconds = (pingSeconds: number): number =>
  Math.min(960, Math.max(8, Math.ceil(pingSeconds * IDLE_PINGS)))

/** Builds the socket's handlers; timers and the lanes' listeners live as long as the scope. */
export const makeLiveSocket = Effect.fnUntraced(function* (
  options: LiveOptions
): Effect.fn.Return<LiveSocket, never, Scope.Scope> {
  const { lanes, counters, nowMs, limits } = options
  let app: UwsApp | null = null
  const publish = (topic: string, frame: string): void => void app?.publish(topic, frame)
  const now = (): number => Math.floor(nowMs() / 1000)
  const reread = (subscription: Subscription): void => subscriptions.reread(subscription)
  const expire = (subscription: Subscription): void => subscriptions.expire(subscription)
  const hub = new LiveHub({ ...limits, counters, publish, reread, expire, now })
  const subscriptions = new Subscriptions({ ...options, ...limits, hub })
  const sockets = new Sockets(options, subscriptions)
  const { upgrade, open, message, control, drain, dropped, close } = sockets

  for (const lane of lanes.all) {
    yield* Effect.acquireRelease(
      Effect.sync(() => lane.onFrames(notice => hub.onFrames(lane, notice))),
      stop => Effect.sync(stop)
    )
  }
  const every = (ms: number, work: () => void) =>
    Effect.forkScoped(Effect.repeat(Effect.sync(work), Schedule.spaced(ms)))
  yield* every(limits.newestMs, () => hub.flushNewest())
  yield* every(limits.pingSeconds * 1000, () => sockets.pingAll())

  const configure = (served: UwsApp): void => {
    app = served
    const behavior = {
      maxPayloadLength: HARD_MESSAGE_BYTES,
      maxBackpressure: HARD_BUFFER_BYTES,
      idleTimeout: idleSeconds(limits.pingSeconds),
      sendPingsAutomatically: false,
      ...{ upgrade, open, message, ping: control, pong: control, drain, dropped, close }
    }
    for (const path of [LIVE_PATH, `${LIVE_PATH}/`]) served.ws<ConnectionData>(path, behavior)
  }
  return { configure, close: Effect.sync(() => sockets.closeAll()) }
})
