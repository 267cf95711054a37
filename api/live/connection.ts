/**
 * One client's socket: what it is subscribed to, how fast it talks, and how it ends. A socket that
 * is closed may not be touched, so every use of it goes through here.
 */
import { Effect, type Fiber } from "effect"
import type { UwsSocket } from "../../src/platform/uws.ts"
import { type Counters, sentFrame } from "../counters.ts"
import type { SocketCaller } from "../server/socket-gate.ts"
import { Backlog } from "./backlog.ts"
import { packedNames, packFrame, packValue } from "./packed-frames.ts"
import { type Access, CLOSE, type LiveBody, type Reader } from "./reader.ts"
import type { Subscription } from "./subscription.ts"
import { hasMore, type Sub, toldFrame } from "./told-frame.ts"

export interface ConnectionData {
  /** set at `open`: the upgrade copies this object, but not what is in it */
  readonly holder: { connection: Connection | null }
  /** whose place it takes */
  readonly caller: SocketCaller
  /** what it may read */
  readonly access: Access
  readonly format: Format
}

/** How frames are encoded. */
export type Format = "json" | "msgpack"

/** The topic under which frames are published to those that gave a subscription this name. */
export const subTopic = (topic: string, sub: Sub): string =>
  sub === undefined ? topic : `${topic}#${JSON.stringify(sub)}`

/** The topic under which packed frames are published. */
export const packedTopic = (topic: string): string => `${topic}#msgpack`

export interface ConnectionLimits {
  /** bytes a reader may be behind before it is closed */
  readonly maxBufferedBytes: number
  readonly maxMessagesPerSecond: number
  /** how long one that was ended may take what it was sent before */
  readonly lingerMs: number
}

/** Closed is also what has yet to take the rest: nothing more is sent to it. */
type Stand = "open" | "ending" | "closed"

export class Connection implements Reader {
  readonly isPublishedTo = true
  /** of those opened before it */
  readonly number: number
  readonly access: Access
  readonly subscriptions = new Map<string, Subscription>()
  private readonly socket: UwsSocket<ConnectionData>
  private readonly format: Format
  private readonly limits: ConnectionLimits
  private readonly counters: Counters
  private readonly forget: (connection: Connection) => void
  private stand: Stand = "open"
  private goodbye = { code: 0, reason: "" }
  private cutting: Fiber.Fiber<void> | null = null
  private second = 0
  private messages = 0
  private readonly backlog = new Backlog(() => this.buffered)

  constructor(
    socket: UwsSocket<ConnectionData>,
    number: number,
    limits: ConnectionLimits,
    counters: Counters,
    forget: (connection: Connection) => void
  ) {
    this.forget = forget
    this.socket = socket
    this.number = number
    this.access = socket.getUserData().access
    this.format = socket.getUserData().format
    this.limits = limits
    this.counters = counters
  }

  /** False once it was ended, by whomever. */
  get isOpen(): boolean {
    return this.stand === "open"
  }

  /** Bytes accepted but not yet taken by the reader; 0 once it was ended. */
  get buffered(): number {
    return this.isOpen ? this.socket.getBufferedAmount() : 0
  }

  sendFrames(
    { sub, topic }: Subscription,
    frames: ReadonlyArray<LiveBody>,
    upTo: number | null
  ): void {
    if (!this.isOpen) return
    const isEach = topic.channel.newest === null && topic.channel.present === undefined
    this.socket.cork(() => {
      for (const [place, frame] of frames.entries()) {
        const told = toldFrame(frame, { sub, more: isEach && hasMore(frames, place, upTo) })
        this.send(this.isPacked ? packFrame(told) : told.body)
      }
    })
    this.closeIfSlow()
  }

  sendValue(frame: object): void {
    this.send(this.isPacked ? packValue(frame) : JSON.stringify(frame))
  }

  /** Sends the first frame; where frames are packed, it tells how, as text. */
  sendHello(frame: object): void {
    const told = this.isPacked ? { ...frame, names: packedNames() } : frame
    this.send(JSON.stringify(told))
  }

  ping(): void {
    if (this.isOpen) this.socket.ping()
  }

  /** Published frames of a topic reach this socket from now on. */
  join(subscription: Subscription): void {
    if (this.isOpen) this.socket.subscribe(this.nameOf(subscription))
  }

  leave(subscription: Subscription): void {
    if (this.stand !== "closed") this.socket.unsubscribe(this.nameOf(subscription))
  }

  /** Counts a message; false where the client talks too fast. */
  admits(nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000)
    if (second !== this.second) {
      this.second = second
      this.messages = 0
    }
    this.messages++
    return this.messages <= this.limits.maxMessagesPerSecond
  }

  closeIfSlow(): void {
    if (this.buffered > this.limits.maxBufferedBytes) this.closeSlow()
  }

  closeSlow(): void {
    if (!this.isOpen) return
    this.counters.slowClosed++
    this.end(CLOSE.slowReader, "slow reader: resume from the last seq you have")
  }

  /**
   * Ends it behind what it was sent. What a reader does not take is waited for, but not for ever:
   * uWebSockets would keep it for one who takes a byte now and then, and call the socket closed.
   */
  end(code: number, reason: string): void {
    if (!this.isOpen) return
    this.stand = "ending"
    this.goodbye = { code, reason }
    this.forget(this)
    this.backlog.wake()
    if (this.socket.getBufferedAmount() === 0) return this.sayGoodbye()
    const cut = Effect.sync(() => this.socket.close())
    this.cutting = Effect.runFork(Effect.delay(cut, this.limits.lingerMs))
  }

  drained(bytes: number): Effect.Effect<void> {
    return this.backlog.drained(bytes)
  }

  /** The socket has sent some of what it held. */
  onDrain(): void {
    this.backlog.wake()
    if (this.stand === "ending" && this.socket.getBufferedAmount() === 0) this.sayGoodbye()
  }

  /** The socket is closed, by whomever. */
  closed(): void {
    this.stand = "closed"
    this.cutting?.interruptUnsafe()
    this.backlog.wake()
    this.forget(this)
  }

  private sayGoodbye(): void {
    const { code, reason } = this.goodbye
    this.socket.end(code, reason)
  }

  private get isPacked(): boolean {
    return this.format === "msgpack"
  }

  private nameOf({ topic, sub }: Subscription): string {
    const name = subTopic(topic.name, sub)
    return this.isPacked ? packedTopic(name) : name
  }

  private send(frame: string | Uint8Array): void {
    if (!this.isOpen) return
    this.socket.send(frame, typeof frame !== "string")
    sentFrame(this.counters, frame)
  }
}
