/** Begins and ends subscriptions, and says why where one is not begun or does not go on. */
import { Effect, Result } from "effect"
import type { Lanes } from "../../engine/lane/lanes.ts"
import { shownChain } from "../../src/domain/shown-chain.ts"
import { unready } from "../answering.ts"
import { type LiveRefusal, type PresentOf, refused } from "./channel.ts"
import type { LiveHub } from "./hub.ts"
import {
  CHANNELS,
  type Hello,
  type MessageId,
  type Subscribe,
  type Unsubscribe
} from "./message.ts"
import { CLOSE, type Reader } from "./reader.ts"
import type { LiveError } from "./refusals.ts"
import { anotherLog, oldestOf, replay, reread } from "./replay.ts"
import { Subscription } from "./subscription.ts"
import type { Sub } from "./told-frame.ts"
import { type Topic, topicOf } from "./topic.ts"
import { Watches } from "./watches.ts"
import { WORDS } from "./words.ts"

export interface SubscriptionsOptions {
  readonly hub: LiveHub
  readonly version: string
  /** Unix milliseconds */
  readonly nowMs: () => number
  readonly maxChannels: number
  readonly pingSeconds: number
  /** a reader further behind gets no newest present until it has caught up */
  readonly maxNewestBufferedBytes: number
}

export class Subscriptions {
  private readonly options: SubscriptionsOptions

  /** of channels whose present is asked for */
  readonly watches: Watches

  constructor(options: SubscriptionsOptions) {
    this.options = options
    const refuseWatch = (subscription: Subscription, message: string): void => {
      this.drop(subscription)
      const refusal = { error: "CHAIN_DATA_UNAVAILABLE", message } as const
      refuse(subscription.reader, refusal, aboutOf(subscription))
    }
    this.watches = new Watches({ ...options, refuse: refuseWatch })
  }

  /** Sends the first frame. */
  greet(reader: Reader): void {
    const { version, nowMs, pingSeconds } = this.options
    const hello: Hello = {
      type: "hello",
      engine: version,
      chains: reader.access.lanes.all.map(lane => ({
        chain: shownChain(lane.config),
        key: lane.config.key,
        log: lane.log(),
        seq: lane.seq(),
        oldestSeq: oldestOf(lane)
      })),
      channels: CHANNELS,
      pingSeconds,
      at: Math.floor(nowMs() / 1000)
    }
    reader.sendHello(hello)
  }

  /** The topic of a message, for one who reads those of these names. */
  admit(
    lanes: Lanes["Service"],
    asked: Omit<Unsubscribe, "op">,
    names: { readonly size: number; readonly has: (name: string) => boolean }
  ): Result.Result<Topic, LiveRefusal> {
    const { maxChannels } = this.options
    return Result.flatMap(topicOf(lanes, asked), topic => {
      if (names.has(topic.name)) return refused("ALREADY_SUBSCRIBED", "subscribed to it already")
      if (names.size >= maxChannels) {
        return refused("TOO_MANY_CHANNELS", `a connection may have ${maxChannels} channels`)
      }
      if (topic.channel.present?.ofTables !== false && unready(topic.lane)) {
        return refused("NOT_READY", `${topic.lane.config.key}: the tables are not built yet`)
      }
      return Result.succeed(topic)
    })
  }

  /** The topics of messages that begin together; the first that is not admitted fails all. */
  admitAll(lanes: Lanes["Service"], messages: ReadonlyArray<Subscribe>) {
    const topics = new Map<string, readonly [Topic, Subscribe]>()
    for (const message of messages) {
      const topic = this.admit(lanes, message, topics)
      if (Result.isFailure(topic)) return Result.fail(topic.failure)
      topics.set(topic.success.name, [topic.success, message])
    }
    return Result.succeed([...topics.values()])
  }

  subscribe(reader: Reader, message: Omit<Subscribe, "op">): void {
    const asked = this.admit(reader.access.lanes, message, reader.subscriptions)
    if (Result.isFailure(asked)) {
      refuse(reader, asked.failure, message)
      return
    }
    const topic = asked.success
    const subscription = new Subscription(reader, topic, message)
    reader.subscriptions.set(topic.name, subscription)
    const { present } = topic.channel
    if (present !== undefined) {
      this.watch(subscription, present)
      return
    }
    this.options.hub.add(subscription)
    this.read(subscription, replay(this.options.hub, subscription, message.from ?? null))
  }

  unsubscribe(reader: Reader, message: Unsubscribe): void {
    const topic = topicOf(reader.access.lanes, message)
    if (Result.isFailure(topic)) {
      refuse(reader, topic.failure, message)
      return
    }
    const { name, fields } = topic.success
    const subscription = reader.subscriptions.get(name)
    if (subscription === undefined) {
      const refusal = { error: "NOT_SUBSCRIBED", message: "not subscribed to it" } as const
      refuse(reader, refusal, { ...fields, id: message.id })
      return
    }
    this.drop(subscription)
    const { sub } = subscription
    reader.sendValue({ type: "unsubscribed", id: message.id, ...fields, sub })
  }

  /** Reads again what a live reader missed. */
  readonly reread = (subscription: Subscription): void =>
    this.read(subscription, reread(this.options.hub, subscription))

  /** The log is another one: what the reader has is void. */
  readonly expire = (subscription: Subscription): void => {
    const { reader, topic } = subscription
    this.drop(subscription)
    refuse(reader, anotherLog(topic.lane), aboutOf(subscription))
  }

  /** Lets go of everything that one was subscribed to who is gone. */
  forget(reader: Reader): void {
    for (const subscription of reader.subscriptions.values()) this.drop(subscription)
  }

  /** Begins with the present, whatever position the reader had. */
  private watch(subscription: Subscription, present: PresentOf): void {
    const { reader, topic } = subscription
    const { lane, fields } = topic
    const [seq, log, id] = [lane.seq(), lane.log(), subscription.takeId()]
    subscription.log = log
    const body = JSON.stringify({ type: "subscribed", id, ...fields, seq, log })
    reader.sendFrames(subscription, [{ body, seq }], null)
    this.watches.add(subscription, present)
  }

  /** Reads a subscription's past; a refusal ends it, and the reader is told. */
  private read(subscription: Subscription, past: Effect.Effect<void, LiveRefusal>): void {
    const { reader, topic } = subscription
    const reading = past.pipe(
      Effect.catch(refusal =>
        Effect.sync(() => {
          this.drop(subscription)
          refuse(reader, refusal, aboutOf(subscription))
        })
      ),
      Effect.catchDefect(defect => {
        reader.end(CLOSE.internal, "the service failed; its log has the cause")
        return Effect.logError("a live subscription failed", topic.name, defect)
      })
    )
    subscription.replay = Effect.runFork(reading)
  }

  private drop(subscription: Subscription): void {
    subscription.reader.subscriptions.delete(subscription.topic.name)
    if (subscription.topic.channel.present === undefined) this.options.hub.remove(subscription)
    else this.watches.remove(subscription)
    subscription.replay?.interruptUnsafe()
  }
}

interface Named {
  readonly id?: MessageId
  readonly sub?: Sub
  readonly channel?: string
  readonly chain?: string | number
}

/** What a refusal of a subscription says of it. */
const aboutOf = (subscription: Subscription) => {
  const { topic, sub } = subscription
  return { ...topic.fields, id: subscription.takeId(), sub }
}

const TOPIC_FIELDS = ["channel", "chain", ...Object.keys(WORDS)]

/** Says why a message is not followed, with what it named of a topic. */
export const refuse = (reader: Reader, refusal: LiveError, about: Named = {}): void => {
  const { error, message, oldestSeq, log } = refusal
  const named = Object.entries(about).filter(([name]) => TOPIC_FIELDS.includes(name))
  const topic = Object.fromEntries(named)
  const { id, sub } = about
  reader.sendValue({ type: "error", id, sub, error, message, oldestSeq, log, ...topic })
}
