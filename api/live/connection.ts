/**
 * One client's socket: what it is subscribed to, how fast it talks, and how it ends. A socket that
 * is closed may not be touched, so every use of it goes through here.
 */
import { Deferred, Effect } from "effect"
import type { Lanes } from "../../engine/lane/lanes.ts"
import type { UwsSocket } from "../../src/platform/uws.ts"
import type { Counters } from "../counters.ts"
import type { SocketCaller } from "../server/socket-gate.ts"
import type { Subscription } from "./subscription.ts"

/** Close codes of our own (4000 to 4999 are an application's). */
export const CLOSE = {
  goingAway: 1001,
  tooBig: 1009,
  internal: 1011,
  keyEnded: 4001,
  slowReader: 4008,
  tooFast: 4029
} as const

export interface ConnectionData {
  /** set at `open`: the upgrade copies this object, but not what is in it */
  readonly holder: { connection: Connection | null }
  /** whose place it takes */
  readonly caller: SocketCaller
  /** what it may read */
  readonly lanes: Lanes["Service"]
}

export interface ConnectionLimits {
  /** bytes a reader may be behind before it is closed */
  readonly maxBufferedBytes: number
  readonly maxMessagesPerSecond: number
}

export class Connection {
  readonly lanes: Lanes["Service"]
  readonly subscriptions = new Map<string, Subscription>()
  private readonly socket: UwsSocket<ConnectionData>
  private readonly limits: ConnectionLimits
  private readonly counters: Counters
  private isOpen = true
  private second = 0
  private messages = 0
  private waiting: Deferred.Deferred<void> | null = null

  constructor(socket: UwsSocket<ConnectionData>, limits: ConnectionLimits, counters: Counters) {
    this.socket = socket
    this.lanes = socket.getUserData().lanes
    this.limits = limits
    this.counters = counters
  }

  /** Whether the key that it came with, if any, opens anything still. */
  isOpenTo(nowMs: number): boolean {
    const { credential } = this.socket.getUserData().caller
    return credential === null || nowMs < credential.untilMs
  }

  get open(): boolean {
    return this.isOpen
  }

  /** Bytes accepted but not yet taken by the reader; 0 once closed. */
  get buffered(): number {
    return this.isOpen ? this.socket.getBufferedAmount() : 0
  }

  send(frame: string): void {
    if (this.isOpen) this.socket.send(frame)
  }

  /** Sends frames in one packet where they fit; closes a reader that falls too far behind. */
  sendAll(frames: ReadonlyArray<string>): void {
    if (!this.isOpen) return
    this.socket.cork(() => {
      for (const frame of frames) this.send(frame)
    })
    this.closeIfSlow()
  }

  sendValue(frame: object): void {
    this.send(JSON.stringify(frame))
  }

  ping(): void {
    if (this.isOpen) this.socket.ping()
  }

  /** Published frames of a topic reach this socket from now on. */
  join(topic: string): void {
    if (this.isOpen) this.socket.subscribe(topic)
  }

  leave(topic: string): void {
    if (this.isOpen) this.socket.unsubscribe(topic)
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

  /** Closes a reader that is further behind than allowed: dropping frames silently is worse. */
  closeIfSlow(): void {
    if (this.buffered > this.limits.maxBufferedBytes) this.closeSlow()
  }

  closeSlow(): void {
    if (!this.isOpen) return
    this.counters.slowClosed++
    this.end(CLOSE.slowReader, "slow reader: resume from the last seq you have")
  }

  /** Ends with a code and a reason, behind whatever is still buffered. */
  end(code: number, reason: string): void {
    if (!this.isOpen) return
    this.closed()
    this.socket.end(code, reason)
  }

  /** Waits until the reader is at most `bytes` behind, or gone. */
  drained(bytes: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.buffered <= bytes) return Effect.void
      this.waiting ??= Deferred.makeUnsafe<void>()
      return Effect.flatMap(Deferred.await(this.waiting), () => this.drained(bytes))
    })
  }

  /** The socket has sent some of what it held. */
  onDrain(): void {
    this.wake()
  }

  /** The socket is closed, by whomever. */
  closed(): void {
    this.isOpen = false
    this.wake()
  }

  private wake(): void {
    const { waiting } = this
    this.waiting = null
    if (waiting !== null) Deferred.doneUnsafe(waiting, Effect.void)
  }
}
