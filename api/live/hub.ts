/**
 * Who reads which topic, and the way of frames from the lanes to them. A frame is encoded once, by
 * its lane; uWebSockets copies it to every socket that has joined the topic.
 *
 * No hole, no repeat: a reader joins only where the lane's notices stand at or past the position up
 * to which it has everything. A lane may answer from a commit whose notice is still to come, or,
 * where its tables are filled again, from one before what was told; and a notice may be lost with
 * its worker or carry no frames. All are told by positions.
 *
 * Readers of the newest want the present: what a rollback takes back is not among the frames, so
 * they read again.
 */
import { Effect, Semaphore } from "effect"
import { type FramesNotice, type LiveFrame, PRESENT } from "../../engine/frames.ts"
import type { Lane } from "../../engine/lane/lanes.ts"
import { nextTurn } from "../../src/platform/turn.ts"
import type { Counters } from "../counters.ts"
import { type Asking, Audience, flushNewest } from "./audience.ts"
import { NewestFrames } from "./newest-frames.ts"
import { bodiesOf, PAGE_FRAMES, pastOf } from "./past.ts"
import type { LiveBody } from "./reader.ts"
import type { Subscription, SubscriptionState } from "./subscription.ts"
import { hasMore, type Sub, toldFrame } from "./told-frame.ts"
import { type Topic, topicName } from "./topic.ts"

export interface HubOptions {
  readonly counters: Counters
  /** sends a frame to all that joined the topic under this name and are published to */
  readonly publish: (topic: string, sub: Sub, frame: LiveBody) => void
  /** reads again what came after the reader's `floor` */
  readonly reread: (subscription: Subscription) => void
  /** ends a subscription, the log of which is another one now */
  readonly expire: (subscription: Subscription) => void
  /** Unix seconds */
  readonly now: () => number
  /** Unix milliseconds */
  readonly nowMs: () => number
  /** frames a reader may miss while its past is read */
  readonly maxPending: number
  /** a reader further behind gets none of the newest until it has caught up */
  readonly maxNewestBufferedBytes: number
}

export class LiveHub {
  private readonly options: HubOptions
  private readonly audiences = new Map<string, Audience>()
  private readonly waiting = new Set<Subscription>()
  /** position up to which notices have come, by lane and channel */
  private readonly heard = new Map<Lane, Map<string, number>>()
  /** ids of the logs that these are of, as far as known */
  private readonly logs = new Map<Lane, string>()
  /** held by the reader whose past is sent next */
  private readonly turns = Semaphore.makeUnsafe(1)

  constructor(options: HubOptions) {
    this.options = options
  }

  /** Adds a reader whose past is yet to be read. */
  add(subscription: Subscription): void {
    const { topic } = subscription
    let audience = this.audiences.get(topic.name)
    if (audience === undefined) {
      audience = new Audience(topic)
      this.audiences.set(topic.name, audience)
      topic.lane.wantFrames(topic.channel.name, topic.key, true)
    }
    audience.add(subscription)
    subscription.told = this.heardOf(topic)
  }

  /** Removes a reader; a topic's last one also stops the lane's work for it. */
  remove(subscription: Subscription): void {
    const { topic, reader } = subscription
    const audience = this.audiences.get(topic.name)
    if (audience === undefined || !audience.remove(subscription)) return
    this.waiting.delete(subscription)
    reader.leave(subscription)
    if (audience.subscriptions.size > 0) return
    this.audiences.delete(topic.name)
    topic.lane.wantFrames(topic.channel.name, topic.key, false)
  }

  /** Asks what came after `since`, once for all readers of the topic who ask it meanwhile. */
  past(topic: Topic, since: number): Asking {
    const { lane, channel, key } = topic
    const ask = () =>
      Effect.map(lane.history(channel.name, key, since, PAGE_FRAMES), page =>
        pastOf(topic, page, this.options.now())
      )
    return this.audiences.get(topic.name)?.once(since, ask) ?? ask()
  }

  /**
   * Runs the sending of one piece in a turn of the event loop of its own: hundreds of readers who
   * resume together are sent one behind the other, and others are answered in between.
   */
  inTurn<A>(send: () => A): Effect.Effect<A> {
    return this.turns.withPermit(Effect.andThen(nextTurn, Effect.sync(send)))
  }

  /**
   * Sends the last piece of the past, which goes up to `seq`, and what came meanwhile, in one turn,
   * so nothing can come between. False where frames were missed meanwhile: read on from `seq`.
   */
  goLive(subscription: Subscription, last: ReadonlyArray<LiveBody>, seq: number): boolean {
    const { topic, reader } = subscription
    const audience = this.audiences.get(topic.name)
    if (audience === undefined || !audience.subscriptions.has(subscription)) return true
    const heard = this.heardOf(topic)
    const isWhole = !subscription.broken && seq >= subscription.told
    const meanwhile = isWhole ? subscription.pending.filter(frame => frame.seq > seq) : []
    subscription.broken = false
    subscription.pending = []
    const bodies = [...last, ...bodiesOf(topic, meanwhile, this.options.now())]
    if (audience.newest !== null) subscription.seen = audience.newest.version
    reader.sendFrames(subscription, bodies, isWhole ? Math.max(heard, seq) : seq)
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

  private onChannel(lane: Lane, channel: string, notice: FramesNotice): void {
    const { since, seq, frames, readAtMs } = notice
    const known = this.heard.get(lane) ?? new Map<string, number>()
    this.heard.set(lane, known)
    const heard = known.get(channel) ?? since
    if (frames === null || since > heard) this.breakOff(lane, channel, heard)
    known.set(channel, Math.max(heard, seq))
    if (frames === null) return
    // What stands at or before `heard` came before: tables that were restored are filled again.
    const fresh = frames.filter(frame => frame.channel === channel && frame.seq > heard)
    this.publish(lane, fresh, { seq, readAtMs })
    if (fresh.some(({ undo }) => undo)) this.startOver(lane, channel, heard)
    for (const subscription of this.waiting) {
      const { topic } = subscription
      if (topic.lane !== lane || topic.channel.name !== channel) continue
      this.catchUp(subscription, { since, seq }, frames)
    }
  }

  /** Position up to which the frames of a topic's channel have come; -1 before any. */
  heardOf({ lane, channel }: Topic): number {
    return this.heard.get(lane)?.get(channel.name) ?? -1
  }

  /** Sends the newest of topics to the readers that can take it. */
  flushNewest(): void {
    for (const audience of this.audiences.values()) flushNewest(audience, this.options)
  }

  private join(subscription: Subscription): void {
    const { reader, topic } = subscription
    this.waiting.delete(subscription)
    this.move(subscription, "joined")
    if (topic.channel.newest === null) reader.join(subscription)
  }

  private wait(subscription: Subscription): void {
    this.move(subscription, "waiting")
    this.waiting.add(subscription)
  }

  private move(subscription: Subscription, state: SubscriptionState): void {
    this.audiences.get(subscription.topic.name)?.move(subscription, state)
  }

  /**
   * Frames after `heard` are missed: whoever has joined must read them; a reader of the newest
   * the present, as what was kept for him is void too.
   */
  private breakOff(lane: Lane, channel: string, heard: number): void {
    for (const { topic, subscriptions, newest } of this.audiences.values()) {
      if (topic.lane !== lane || topic.channel.name !== channel) continue
      for (const subscription of subscriptions) {
        if (subscription.state === "reading") subscription.broken = true
        if (subscription.state !== "joined") continue
        subscription.reader.leave(subscription)
        subscription.floor = newest === null ? Math.max(subscription.floor, heard) : PRESENT
        this.wait(subscription)
      }
    }
  }

  /** Lets all readers of the newest, who have all up to `heard`, read what a rollback left. */
  private startOver(lane: Lane, channel: string, heard: number): void {
    for (const { topic, subscriptions, newest } of this.audiences.values()) {
      if (newest === null || topic.lane !== lane || topic.channel.name !== channel) continue
      for (const subscription of subscriptions) {
        if (subscription.state === "joined") subscription.floor = heard
        if (subscription.state === "reading") subscription.broken = true
        else this.readAgain(subscription)
      }
    }
  }

  /** The log is another one: who reads the newest gets the present, others are told. */
  private startAnew(lane: Lane): void {
    this.heard.delete(lane)
    for (const audience of [...this.audiences.values()]) {
      if (audience.topic.lane !== lane) continue
      if (audience.newest !== null) audience.newest = new NewestFrames()
      for (const subscription of [...audience.subscriptions]) {
        if (audience.newest === null) this.options.expire(subscription)
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
    this.move(subscription, "reading")
    subscription.told = this.heardOf(subscription.topic)
    this.options.reread(subscription)
  }

  /** Lets a waiting reader join where this commit meets what it has; else it reads again. */
  private catchUp(
    subscription: Subscription,
    notice: Pick<FramesNotice, "since" | "seq">,
    frames: ReadonlyArray<LiveFrame>
  ): void {
    const { floor, topic, reader } = subscription
    if (floor >= notice.seq) {
      if (floor === notice.seq) this.join(subscription)
      return
    }
    if (floor < notice.since) {
      this.readAgain(subscription)
      return
    }
    if (topic.channel.newest === null) {
      const isMine = (frame: LiveFrame): boolean =>
        frame.channel === topic.channel.name && frame.key === topic.key && frame.seq > floor
      reader.sendFrames(subscription, frames.filter(isMine), notice.seq)
    }
    this.join(subscription)
  }

  /** Hands the frames of a notice to the readers of each topic. */
  private publish(
    lane: Lane,
    frames: ReadonlyArray<LiveFrame>,
    { seq, readAtMs }: Pick<FramesNotice, "seq"> & { readonly readAtMs: number | undefined }
  ): void {
    for (const [audience, mine] of this.byAudience(lane, frames)) {
      this.options.counters.framesPublished += mine.length
      const { newest } = audience
      if (newest === null) {
        for (const frame of mine) this.keepForReading(audience, frame)
        this.publishTo(audience, mine, seq)
        this.timed(mine.length, readAtMs)
        continue
      }
      // readers of the newest find a rollback in what they read again
      for (const frame of mine.filter(({ undo }) => undo !== true)) {
        this.keepForReading(audience, frame)
        newest.add(frame.body, frame.seq)
      }
    }
  }

  /** So many frames were handed on of what was read from the log then. */
  private timed(frames: number, readAtMs: number | undefined): void {
    if (readAtMs === undefined) return
    const { counters, nowMs } = this.options
    // a lane on another machine may have a clock that is ahead
    counters.frameSeconds.took(Math.max(0, nowMs() - readAtMs) / 1000, frames)
  }

  /** The frames that somebody reads, by their topics' readers. */
  private byAudience(lane: Lane, frames: ReadonlyArray<LiveFrame>) {
    const byAudience = new Map<Audience, Array<LiveFrame>>()
    for (const frame of frames) {
      const audience = this.audiences.get(topicName(lane.config.id, frame.channel, frame.key))
      if (audience === undefined) continue
      const mine = byAudience.get(audience)
      if (mine === undefined) byAudience.set(audience, [frame])
      else mine.push(frame)
    }
    return byAudience
  }

  private publishTo(audience: Audience, frames: ReadonlyArray<LiveFrame>, upTo: number): void {
    const { topic, subs, unpublished } = audience
    for (const [place, frame] of frames.entries()) {
      const more = hasMore(frames, place, upTo)
      for (const sub of subs) {
        this.options.publish(topic.name, sub, toldFrame(frame, { sub, more }))
      }
      audience.sent(frame.body.length)
    }
    for (const subscription of [...unpublished]) {
      subscription.reader.sendFrames(subscription, frames, upTo)
    }
  }

  private keepForReading(audience: Audience, frame: LiveFrame): void {
    for (const { pending, reader } of [...audience.reading]) {
      if (pending.length < this.options.maxPending) pending.push(frame)
      else reader.closeSlow()
    }
  }
}
