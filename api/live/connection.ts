/**
 * One client's socket: what it is subscribed to, how fast it talks, and how it ends. A socket that
 * is closed may not be touched, so every use of it goes through here.
 */
import type { Effect } from "effect"
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
}

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
  private isOpen = true
  private second = 0
  private messages = 0
  private readonly backlog = new Backlog(() => this.buffered)

  constructor(
    socket: UwsSocket<ConnectionData>,
    number: number,
    limits: ConnectionLimits,
    counters: Counters
  ) {
    this.socket = socket
    this.number = number
    this.access = socket.getUserData().access
    this.format = socket.getUserData().format
    this.limits = limits
    this.counters = counters
  }

  /** Bytes accepted but not yet taken by the reader; 0 once closed. */
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
    if (this.isOpen) this.socket.unsubscribe(this.nameOf(subscription))
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

  end(code: number, reason: string): void {
    if (!this.isOpen) return
    this.closed()
    this.socket.end(code, reason)
  }

  drained(bytes: number): Effect.Effect<void> {
    return this.backlog.drained(bytes)
  }

  /** The socket has sent some of what it held. */
  onDrain(): void {
    this.backlog.wake()
  }

  /** The socket is closed, by whomever. */
  closed(): void {
    this.isOpen = false
    this.backlog.wake()
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
