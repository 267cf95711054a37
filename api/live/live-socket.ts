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
import { CLOSE, Connection, type ConnectionData } from "./connection.ts"
import { LiveHub } from "./hub.ts"
import { LIVE_PATH } from "./plain-request.ts"
import { Session } from "./session.ts"
import type { Subscription } from "./subscription.ts"

export interface LiveLimits {
  readonly maxConnections: number
  /** channels a connection */
  readonly maxChannels: number
  readonly maxMessageBytes: number
  readonly maxMessagesPerSecond: number
  /** bytes a reader of trades or candles may be behind before it is closed */
  readonly maxBufferedBytes: number
  /** bytes a reader may be behind and still get prices */
  readonly maxPriceBufferedBytes: number
  /** frames that may wait while a reader's past is read */
  readonly maxPending: number
  readonly pingSeconds: number
  readonly pricesMs: number
}

export const LIVE_LIMITS: LiveLimits = {
  maxConnections: 500,
  maxChannels: 8,
  maxMessageBytes: 4096,
  maxMessagesPerSecond: 20,
  maxBufferedBytes: 1024 * 1024,
  maxPriceBufferedBytes: 64 * 1024,
  maxPending: 20_000,
  pingSeconds: 25,
  pricesMs: 400
}

export interface LiveOptions {
  /** of callers without a key, and of those with one */
  readonly lanes: { readonly open: Lanes["Service"]; readonly keyed: Lanes["Service"] }
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

/** Milliseconds between two looks at whether the keys of open sockets still stand. */
const KEYS_MS = 500

type Socket = UwsSocket<ConnectionData>

const upgrade = (
  response: UwsResponse,
  request: UwsRequest,
  context: UwsSocketContext,
  { caller, lanes }: Pick<ConnectionData, "caller" | "lanes">
): void =>
  response.upgrade<ConnectionData>(
    { holder: { connection: null }, caller, lanes },
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
  private readonly session: Session

  constructor(options: LiveOptions, session: Session) {
    this.options = options
    this.session = session
  }

  readonly upgrade = (
    response: UwsResponse,
    request: UwsRequest,
    context: UwsSocketContext
  ): void => {
    const { gate, limits, lanes } = this.options
    if (this.closing) return gate.refuse(response, request, "the server is closing")
    if (this.connections.size >= limits.maxConnections) {
      return gate.refuse(response, request, `all ${limits.maxConnections} connections are taken`)
    }
    const caller = gate.admit(response, request)
    if (caller === null) return
    const may = caller.credential === null ? lanes.open : lanes.keyed
    upgrade(response, request, context, { caller, lanes: may })
  }

  readonly open = (socket: Socket): void => {
    const { limits, counters } = this.options
    const connection = new Connection(socket, limits, counters)
    socket.getUserData().holder.connection = connection
    this.connections.add(connection)
    counters.sockets++
    this.session.greet(connection)
  }

  readonly message = (socket: Socket, bytes: ArrayBuffer): void => {
    const { connection } = socket.getUserData().holder
    if (connection !== null) this.session.receive(connection, bytes)
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
    this.session.forget(connection)
  }

  /** Ends those whose key was revoked or replaced: what it opened is not theirs any more. */
  closeEnded(): void {
    for (const connection of [...this.connections]) {
      if (connection.isOpenTo(this.options.nowMs())) continue
      connection.end(CLOSE.keyEnded, "the API key was revoked or replaced")
    }
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
  const reread = (subscription: Subscription): void => session.reread(subscription)
  const expire = (subscription: Subscription): void => session.expire(subscription)
  const hub = new LiveHub({ ...limits, counters, publish, reread, expire, now })
  const session = new Session({ ...options, ...limits, hub })
  const sockets = new Sockets(options, session)
  const { upgrade, open, message, control, drain, dropped, close } = sockets

  for (const lane of lanes.keyed.all) {
    yield* Effect.acquireRelease(
      Effect.sync(() => lane.onFrames(notice => hub.onFrames(lane, notice))),
      stop => Effect.sync(stop)
    )
  }
  const every = (ms: number, work: () => void) =>
    Effect.forkScoped(Effect.repeat(Effect.sync(work), Schedule.spaced(ms)))
  yield* every(limits.pricesMs, () => hub.flushPrices())
  yield* every(KEYS_MS, () => sockets.closeEnded())
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
