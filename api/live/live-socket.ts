/** The live socket's place on the server: `/v1/ws/live`. */
import { Result } from "effect"
import type {
  UwsApp,
  UwsRequest,
  UwsResponse,
  UwsSocket,
  UwsSocketContext
} from "../../src/platform/uws.ts"
import { sentFrame } from "../counters.ts"
import { Connection, type ConnectionData, packedTopic } from "./connection.ts"
import type { LiveOptions } from "./live.ts"
import { packFrame } from "./packed-frames.ts"
import { LIVE_PATH } from "./plain-request.ts"
import { accessOf, CLOSE, endWithoutKey, type LiveBody, ofPart } from "./reader.ts"
import { receive } from "./session.ts"
import type { Subscriptions } from "./subscriptions.ts"

/** Two missed pings; uWebSockets counts in steps of four seconds. */
const IDLE_PINGS = 2.4
/**
 * Hard stops, far over our own bounds: past them uWebSockets drops frames, one that says goodbye
 * too, or cuts the socket without a word. What it has of a message it keeps in memory until the
 * message is there.
 */
const HARD_BUFFER_BYTES = 64 * 1024 * 1024
const HARD_MESSAGE_BYTES = 1024 * 1024

const FORMATS = ["json", "msgpack"] as const

/** The form of frames that an upgrade's query asks for; what is wrong with it, in words. */
const formatIn = (query: string): Result.Result<(typeof FORMATS)[number], string> => {
  const given = new URLSearchParams(query)
  const other = [...given.keys()].find(name => name !== "format")
  if (other !== undefined) {
    return Result.fail(`there is no parameter ${other.slice(0, 64)} here; the socket takes format`)
  }
  const named = given.get("format") ?? "json"
  const format = FORMATS.find(each => each === named)
  return format === undefined
    ? Result.fail(`format must be ${FORMATS.join(" or ")}`)
    : Result.succeed(format)
}

const idleSeconds = (pingSeconds: number): number =>
  Math.min(960, Math.max(8, Math.ceil(pingSeconds * IDLE_PINGS)))

type Socket = UwsSocket<ConnectionData>

const upgrade = (
  response: UwsResponse,
  request: UwsRequest,
  context: UwsSocketContext,
  data: Omit<ConnectionData, "holder">
): void =>
  response.upgrade<ConnectionData>(
    { holder: { connection: null }, ...data },
    request.getHeader("sec-websocket-key"),
    request.getHeader("sec-websocket-protocol"),
    request.getHeader("sec-websocket-extensions"),
    context
  )

/** The sockets that are open, and what uWebSockets tells of them. */
export class Sockets {
  private readonly connections = new Set<Connection>()
  /** no upgrades any more */
  private closing = false
  private opened = 0
  private app: UwsApp | null = null
  private readonly options: LiveOptions
  private readonly subscriptions: Subscriptions

  constructor(options: LiveOptions, subscriptions: Subscriptions) {
    this.options = options
    this.subscriptions = subscriptions
  }

  configure(app: UwsApp): void {
    this.app = app
    const { upgrade, open, message, control, drain, dropped, close } = this
    const behavior = {
      maxPayloadLength: HARD_MESSAGE_BYTES,
      maxBackpressure: HARD_BUFFER_BYTES,
      idleTimeout: idleSeconds(this.options.limits.pingSeconds),
      sendPingsAutomatically: false,
      ...{ upgrade, open, message, ping: control, pong: control, drain, dropped, close }
    }
    for (const path of [LIVE_PATH, `${LIVE_PATH}/`]) app.ws<ConnectionData>(path, behavior)
  }

  /** Sends a frame to every socket that joined the topic. */
  publish(topic: string, frame: LiveBody): void {
    const { app } = this
    if (app === null) return
    const { counters } = this.options
    const plain = app.numSubscribers(topic)
    if (plain > 0) {
      app.publish(topic, frame.body)
      sentFrame(counters, frame.body, plain)
    }
    const packed = packedTopic(topic)
    const others = app.numSubscribers(packed)
    if (others === 0) return
    const bytes = packFrame(frame)
    app.publish(packed, bytes, true)
    sentFrame(counters, bytes, others)
  }

  private readonly upgrade = (
    response: UwsResponse,
    request: UwsRequest,
    context: UwsSocketContext
  ): void => {
    const { socketGate: gate, limits, lanes } = this.options
    if (this.closing) return gate.refuse(response, request, "the server is closing")
    if (this.connections.size >= limits.maxConnections) {
      return gate.refuse(response, request, `all ${limits.maxConnections} connections are taken`)
    }
    const admission = gate.admit(response, request)
    if (admission === null) return
    const { caller, from, left } = admission
    const access = accessOf(lanes, caller)
    // Its types say that it is empty where there is none; it is undefined.
    const query: string | undefined = request.getQuery()
    const format = formatIn(query ?? "")
    if (Result.isSuccess(format)) {
      upgrade(response, request, context, { caller, access, format: format.success })
      return
    }
    gate.leave(caller)
    const refusal = { status: 400, code: "INVALID_PARAMS", message: format.failure } as const
    gate.answer(response, refusal, from, left)
  }

  private readonly open = (socket: Socket): void => {
    const { limits, counters } = this.options
    const forget = (gone: Connection): void => this.subscriptions.forget(gone)
    const connection = new Connection(socket, this.opened++, limits, counters, forget)
    socket.getUserData().holder.connection = connection
    this.connections.add(connection)
    counters.sockets++
    this.subscriptions.greet(connection)
  }

  private readonly message = (socket: Socket, bytes: ArrayBuffer): void => {
    const { connection } = socket.getUserData().holder
    if (connection?.isOpen !== true) return
    const { subscriptions } = this
    const { nowMs, limits } = this.options
    receive({ subscriptions, nowMs, maxMessageBytes: limits.maxMessageBytes }, connection, bytes)
  }

  /** A ping or pong of the client's: counted as a message, for each costs as much. */
  private readonly control = (socket: Socket): void => {
    const { connection } = socket.getUserData().holder
    if (connection?.admits(this.options.nowMs()) === false) {
      connection.end(CLOSE.tooFast, "too many pings")
    }
  }

  private readonly drain = (socket: Socket): void =>
    socket.getUserData().holder.connection?.onDrain()

  /** Past the hard stop. It happens in the middle of publishing, so the socket is closed after. */
  private readonly dropped = (socket: Socket): void => {
    const { connection } = socket.getUserData().holder
    queueMicrotask(() => connection?.closeSlow())
  }

  private readonly close = (socket: Socket): void => {
    const { holder, caller } = socket.getUserData()
    this.options.socketGate.leave(caller)
    const { connection } = holder
    if (connection === null || !this.connections.delete(connection)) return
    this.options.counters.sockets--
    connection.closed()
  }

  endWithoutKey(nowMs: number): void {
    endWithoutKey(this.connections, nowMs)
  }

  pingPart(part: number): void {
    for (const connection of ofPart(this.connections, part)) connection.ping()
  }

  closeAll(): void {
    this.closing = true
    for (const connection of [...this.connections]) {
      connection.end(CLOSE.goingAway, "the server is closing")
    }
  }
}
