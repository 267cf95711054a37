/**
 * A reader of server-sent events. Each event's id says where the reader stands in all its topics,
 * so a browser that comes back goes on there by itself. uWebSockets keeps what its reader does not
 * take and tells nothing of how much, so it gets one piece at a time, and the rest waits here.
 */
import type { Effect } from "effect"
import type { UwsResponse } from "../../src/platform/uws.ts"
import { type Counters, sentFrame } from "../counters.ts"
import { Backlog } from "./backlog.ts"
import type { Subscribe } from "./message.ts"
import type { Access, LiveBody, Reader } from "./reader.ts"
import { eventId, type Place } from "./stream-request.ts"
import type { Subscription } from "./subscription.ts"
import { hasMore, toldFrame } from "./told-frame.ts"
import type { Topic } from "./topic.ts"

export interface StreamOptions {
  /** of those opened before it */
  readonly number: number
  readonly access: Access
  readonly maxBufferedBytes: number
  readonly counters: Counters
  /** runs once, when the reader is gone */
  readonly onClosed: (reader: StreamReader) => void
}

/** Handed to uWebSockets at once. */
const PIECE_BYTES = 64 * 1024
/** The shortest that may be sent at any time, to learn whether the reader takes more. */
const PROBE = ":\n"

export class StreamReader implements Reader {
  readonly subscriptions = new Map<string, Subscription>()
  readonly isPublishedTo = false
  readonly number: number
  readonly access: Access
  private readonly response: UwsResponse
  private readonly options: StreamOptions
  /** where it stands in its topics, by their names, in the order of its query */
  private readonly places: Map<string, Place | null>
  private readonly backlog = new Backlog(() => this.buffered)
  private waiting: Array<string> = []
  private waitingBytes = 0
  /** bytes of the piece that was not taken at once; 0 while the reader takes all */
  private stuckBytes = 0
  private isOpen = true

  constructor(
    response: UwsResponse,
    topics: ReadonlyArray<readonly [Topic, Subscribe]>,
    options: StreamOptions
  ) {
    this.response = response
    this.options = options
    this.number = options.number
    this.access = options.access
    this.places = new Map(
      topics.map(([{ name }, { from, log = null }]) => [
        name,
        from === undefined ? null : { seq: from, log }
      ])
    )
    response.onAborted(() => this.closed())
    response.onWritable(() => {
      this.onWritable()
      return true
    })
  }

  get buffered(): number {
    return this.isOpen ? this.waitingBytes + this.stuckBytes : 0
  }

  /** Tells when to come back after the stream breaks off. */
  retryAfter(milliseconds: number): void {
    this.write(`retry: ${milliseconds}\n\n`)
  }

  sendValue(frame: object): void {
    const body = JSON.stringify(frame)
    this.write(`data: ${body}\n\n`)
    sentFrame(this.options.counters, body)
  }

  sendHello(frame: object): void {
    this.sendValue(frame)
  }

  sendFrames(
    subscription: Subscription,
    frames: ReadonlyArray<LiveBody>,
    upTo: number | null
  ): void {
    if (!this.isOpen) return
    const { sub } = subscription
    for (const [place, frame] of frames.entries()) {
      // the id says which positions are whole
      const { body } = toldFrame(frame, { sub, more: false })
      const more = hasMore(frames, place, upTo)
      const has = more ? null : frames.length === place + 1 ? upTo : frame.seq
      this.write(`data: ${body}\n${has === null ? "" : this.idAt(subscription, has)}\n`)
      sentFrame(this.options.counters, body)
    }
    this.closeIfSlow()
  }

  /** Tells that it still lives, and where it stands in topics that are quiet. */
  beat(heardOf: (topic: Topic) => number): void {
    let id = ""
    for (const subscription of this.subscriptions.values()) {
      const { topic, state } = subscription
      const heard = heardOf(topic)
      // of the newest more may have come than the reader was sent
      const isTold = state === "joined" && topic.channel.newest === null
      if (isTold && heard >= 0) id = this.idAt(subscription, heard)
    }
    this.write(`:\n${id}\n`)
  }

  join(): void {}

  leave(): void {}

  closeIfSlow(): void {
    if (this.buffered > this.options.maxBufferedBytes) this.closeSlow()
  }

  closeSlow(): void {
    if (!this.isOpen) return
    this.options.counters.slowClosed++
    // `closed` runs within
    this.response.close()
  }

  end(_: number, reason: string): void {
    if (!this.isOpen) return
    this.closed()
    this.response.cork(() => this.response.end(`: ${reason}\n\n`))
  }

  drained(bytes: number): Effect.Effect<void> {
    return this.backlog.drained(bytes)
  }

  /** The line of the id where the reader has a topic up to a position; it remembers that. */
  private idAt({ topic, log }: Subscription, seq: number): string {
    this.places.set(topic.name, { seq, log })
    return `id: ${eventId([...this.places.values()])}\n`
  }

  private write(text: string): void {
    if (!this.isOpen) return
    this.waiting.push(text)
    this.waitingBytes += text.length
    this.pump()
  }

  /** Hands pieces over until one is not taken whole. */
  private pump(): void {
    if (this.stuckBytes > 0 || this.waiting.length === 0) return
    this.response.cork(() => {
      while (this.stuckBytes === 0 && this.waiting.length > 0) {
        const piece = this.nextPiece()
        if (!this.response.write(piece)) this.stuckBytes = piece.length
      }
    })
  }

  private nextPiece(): string {
    let [size, count] = [0, 0]
    while (count < this.waiting.length && (count === 0 || size < PIECE_BYTES)) {
      size += (this.waiting[count] as string).length
      count++
    }
    this.waitingBytes -= size
    return this.waiting.splice(0, count).join("")
  }

  private onWritable(): void {
    if (this.stuckBytes > 0 && !this.response.write(PROBE)) return
    this.stuckBytes = 0
    this.pump()
    this.backlog.wake()
  }

  private closed(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.waiting = []
    this.backlog.wake()
    this.options.onClosed(this)
  }
}
