/**
 * Who reads which topic, and the way of frames from the lanes to them. A frame is encoded once, by
 * its lane; uWebSockets copies it to every reader that has joined the topic.
 *
 * No hole, no repeat: a reader joins only where the lane's notices stand at or past the position up
 * to which it has everything. A lane may answer from a commit whose notice is still to come, or,
 * where its tables are filled again, from one before what was told; and a notice may be lost with
 * its worker or carry no frames. All are told by positions.
 *
 * Readers of prices want the present: what a rollback takes back is not among the frames, so they
 * read again.
 */
import type { Lane } from "../../engine/lane/lanes.ts"
import type { FramesNotice, LiveFrame } from "../../engine/lane/protocol.ts"
import { PRESENT } from "../../engine/projection.ts"
import type { Counters } from "../counters.ts"
import { type Audience, flushPrices } from "./audience.ts"
import { PriceBoard, priceFrames } from "./price-board.ts"
import type { Subscription } from "./subscription.ts"
import { type Topic, topicName } from "./topic.ts"

export interface HubOptions {
  readonly counters: Counters
  /** sends a frame to every socket that joined the topic */
  readonly publish: (topic: string, frame: string) => void
  /** reads again what came after the reader's `floor` */
  readonly reread: (subscription: Subscription) => void
  /** ends a subscription, the log of which is another one now */
  readonly expire: (subscription: Subscription) => void
  /** Unix seconds */
  readonly now: () => number
  /** frames a reader may miss while its past is read */
  readonly maxPending: number
  /** a reader further behind gets no prices until it has caught up */
  readonly maxPriceBufferedBytes: number
}

/** Published between two looks at how far behind the readers are. */
const CHECK_EVERY_BYTES = 1024 * 1024

export class LiveHub {
  private readonly options: HubOptions
  private readonly audiences = new Map<string, Audience>()
  private readonly waiting = new Set<Subscription>()
  /** position up to which notices have come, by lane and channel */
  private readonly heard = new Map<Lane, Map<string, number>>()
  /** ids of the logs that these are of, as far as known */
  private readonly logs = new Map<Lane, string>()

  constructor(options: HubOptions) {
    this.options = options
  }

  /** Adds a reader whose past is yet to be read. */
  add(subscription: Subscription): void {
    const { topic } = subscription
    let audience = this.audiences.get(topic.name)
    if (audience === undefined) {
      const board = topic.channel === "prices" ? new PriceBoard() : null
      audience = { topic, subscriptions: new Set(), board }
      this.audiences.set(topic.name, audience)
      topic.lane.wantFrames(topic.channel, topic.key, true)
    }
    audience.subscriptions.add(subscription)
    subscription.told = this.heardOf(topic)
  }

  /** Removes a reader; a topic's last one also stops the lane's work for it. */
  remove(subscription: Subscription): void {
    const { topic, connection } = subscription
    const audience = this.audiences.get(topic.name)
    if (audience === undefined || !audience.subscriptions.delete(subscription)) return
    this.waiting.delete(subscription)
    connection.leave(topic.name)
    if (audience.subscriptions.size > 0) return
    this.audiences.delete(topic.name)
    topic.lane.wantFrames(topic.channel, topic.key, false)
  }

  /** Sends frames of the past; of prices the newest of each token. */
  sendPast({ connection, topic }: Subscription, frames: ReadonlyArray<LiveFrame>): void {
    if (topic.channel !== "prices") {
      connection.sendAll(frames.map(({ body }) => body))
      return
    }
    const past = new PriceBoard()
    for (const frame of frames) past.add(frame.body, frame.seq)
    connection.sendAll(priceFrames(past.since(0), topic.fields, this.options.now()))
  }

  /**
   * Sends the last page of the past, which goes up to `seq`, and what came meanwhile, in one turn,
   * so nothing can come between. False where frames were missed meanwhile: read on from `seq`.
   */
  goLive(subscription: Subscription, page: ReadonlyArray<LiveFrame>, seq: number): boolean {
    const { topic } = subscription
    const audience = this.audiences.get(topic.name)
    if (audience === undefined || !audience.subscriptions.has(subscription)) return true
    const heard = this.heardOf(topic)
    const isWhole = !subscription.broken && seq >= subscription.told
    const meanwhile = isWhole ? subscription.pending.filter(frame => frame.seq > seq) : []
    subscription.broken = false
    subscription.pending = []
    const frames = [...page, ...meanwhile]
    if (audience.board !== null) subscription.seen = audience.board.version
    this.sendPast(subscription, frames)
    subscription.floor = seq
    if (!isWhole) {
      subscription.told = heard
      return false
    }
    if (heard >= seq) this.join(subscription)
    else this.wait(subscription)
    return true
  }

  /** Hands a commit's frames on. */
  onFrames(lane: Lane, notice: FramesNotice): void {
    const log = lane.log()
    if (log !== null && log !== (this.logs.get(lane) ?? log)) this.startAnew(lane)
    if (log !== null) this.logs.set(lane, log)
    for (const channel of notice.channels) this.onChannel(lane, channel, notice)
  }

  private onChannel(lane: Lane, channel: string, { since, seq, frames }: FramesNotice): void {
    const known = this.heard.get(lane) ?? new Map<string, number>()
    this.heard.set(lane, known)
    const heard = known.get(channel) ?? since
    if (frames === null || since > heard) this.breakOff(lane, channel, heard)
    known.set(channel, Math.max(heard, seq))
    if (frames === null) return
    // What stands at or before `heard` came before: tables that were restored are filled again.
    const fresh = frames.filter(frame => frame.channel === channel && frame.seq > heard)
    this.publish(lane, fresh)
    if (channel === "prices" && fresh.some(({ undo }) => undo)) this.startOver(lane, heard)
    for (const subscription of this.waiting) {
      const { topic } = subscription
      if (topic.lane !== lane || topic.channel !== channel) continue
      this.catchUp(subscription, { since, seq }, frames)
    }
  }

  private heardOf({ lane, channel }: Topic): number {
    return this.heard.get(lane)?.get(channel) ?? -1
  }

  /** Sends what is new on the price boards to the readers that can take it. */
  flushPrices(): void {
    for (const audience of this.audiences.values()) flushPrices(audience, this.options)
  }

  private join(subscription: Subscription): void {
    const { connection, topic } = subscription
    this.waiting.delete(subscription)
    subscription.state = "joined"
    if (topic.channel !== "prices") connection.join(topic.name)
  }

  private wait(subscription: Subscription): void {
    subscription.state = "waiting"
    this.waiting.add(subscription)
  }

  /**
   * Frames after `heard` are missed: whoever has joined must read them; a reader of prices the
   * present, as what the board kept for him is void too.
   */
  private breakOff(lane: Lane, channel: string, heard: number): void {
    for (const { topic, subscriptions, board } of this.audiences.values()) {
      if (topic.lane !== lane || topic.channel !== channel) continue
      for (const subscription of subscriptions) {
        if (subscription.state === "reading") subscription.broken = true
        if (subscription.state !== "joined") continue
        subscription.connection.leave(topic.name)
        subscription.floor = board === null ? Math.max(subscription.floor, heard) : PRESENT
        this.wait(subscription)
      }
    }
  }

  /** Lets all readers of prices, who have what came up to `heard`, read what a rollback left. */
  private startOver(lane: Lane, heard: number): void {
    for (const { topic, subscriptions } of this.audiences.values()) {
      if (topic.lane !== lane || topic.channel !== "prices") continue
      for (const subscription of subscriptions) {
        if (subscription.state === "joined") subscription.floor = heard
        if (subscription.state === "reading") subscription.broken = true
        else this.readAgain(subscription)
      }
    }
  }

  /** The log is another one: who reads prices gets the present ones, others are told. */
  private startAnew(lane: Lane): void {
    this.heard.delete(lane)
    for (const audience of [...this.audiences.values()]) {
      if (audience.topic.lane !== lane) continue
      if (audience.board !== null) audience.board = new PriceBoard()
      for (const subscription of [...audience.subscriptions]) {
        if (audience.board === null) this.options.expire(subscription)
        else if (subscription.state === "reading") subscription.broken = true
        else {
          subscription.floor = PRESENT
          this.readAgain(subscription)
        }
      }
    }
  }

  private readAgain(subscription: Subscription): void {
    this.waiting.delete(subscription)
    subscription.state = "reading"
    subscription.told = this.heardOf(subscription.topic)
    this.options.reread(subscription)
  }

  /** Lets a waiting reader join where this commit meets what it has; else it reads again. */
  private catchUp(
    subscription: Subscription,
    notice: Pick<FramesNotice, "since" | "seq">,
    frames: ReadonlyArray<LiveFrame>
  ): void {
    const { floor, topic, connection } = subscription
    if (floor >= notice.seq) {
      if (floor === notice.seq) this.join(subscription)
      return
    }
    if (floor < notice.since) {
      this.readAgain(subscription)
      return
    }
    const mine = frames.filter(
      frame => frame.channel === topic.channel && frame.key === topic.key && frame.seq > floor
    )
    if (topic.channel !== "prices") connection.sendAll(mine.map(({ body }) => body))
    this.join(subscription)
  }

  private publish(lane: Lane, frames: ReadonlyArray<LiveFrame>): void {
    const touched = new Set<Audience>()
    let unchecked = 0
    for (const frame of frames) {
      const audience = this.audiences.get(topicName(lane.config.id, frame.channel, frame.key))
      if (audience === undefined) continue
      this.options.counters.framesPublished++
      // readers of prices find it in what they read again
      if (audience.board !== null && frame.undo) continue
      this.keepForReading(audience, frame)
      if (audience.board !== null) {
        audience.board.add(frame.body, frame.seq)
        continue
      }
      this.options.publish(audience.topic.name, frame.body)
      touched.add(audience)
      unchecked += frame.body.length
      if (unchecked < CHECK_EVERY_BYTES) continue
      closeSlow(touched)
      unchecked = 0
    }
    closeSlow(touched)
  }

  private keepForReading(audience: Audience, frame: LiveFrame): void {
    for (const { state, pending, connection } of audience.subscriptions) {
      if (state !== "reading") continue
      if (pending.length < this.options.maxPending) pending.push(frame)
      else connection.closeSlow()
    }
  }
}

const closeSlow = (audiences: ReadonlySet<Audience>): void => {
  for (const { subscriptions } of audiences) {
    for (const { connection } of subscriptions) connection.closeIfSlow()
  }
}
