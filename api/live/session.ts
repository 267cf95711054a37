/** What the server does on a client's messages. */
import { Effect, Result } from "effect"
import { unready } from "../answering.ts"
import { CLOSE, type Connection } from "./connection.ts"
import type { LiveHub } from "./hub.ts"
import {
  CHANNELS,
  type Hello,
  idOf,
  type LiveError,
  type MessageId,
  parseMessage,
  type Subscribe,
  type Unsubscribe
} from "./message.ts"
import { anotherLog, oldestOf, replay, reread } from "./replay.ts"
import { Subscription } from "./subscription.ts"
import { LiveRefusal, type Topic, topicOf } from "./topic.ts"

export interface SessionOptions {
  readonly hub: LiveHub
  readonly version: string
  /** Unix milliseconds */
  readonly nowMs: () => number
  readonly maxChannels: number
  readonly maxMessageBytes: number
  readonly pingSeconds: number
}

const decoder = new TextDecoder()

export class Session {
  private readonly options: SessionOptions

  constructor(options: SessionOptions) {
    this.options = options
  }

  /** The first frame of a connection. */
  greet(connection: Connection): void {
    const { version, nowMs, pingSeconds } = this.options
    const hello: Hello = {
      type: "hello",
      engine: version,
      chains: connection.lanes.all.map(lane => ({
        chain: lane.config.id,
        key: lane.config.key,
        log: lane.log(),
        seq: lane.seq(),
        oldestSeq: oldestOf(lane)
      })),
      channels: CHANNELS,
      pingSeconds,
      at: Math.floor(nowMs() / 1000)
    }
    connection.sendValue(hello)
  }

  /** A message as it came; whatever is wrong with it is answered, except talking too fast. */
  receive(connection: Connection, bytes: ArrayBuffer): void {
    const { nowMs, maxMessageBytes } = this.options
    if (bytes.byteLength > maxMessageBytes) {
      connection.end(CLOSE.tooBig, `a message may have ${maxMessageBytes} bytes`)
      return
    }
    if (!connection.admits(nowMs())) {
      connection.end(CLOSE.tooFast, "too many messages a second")
      return
    }
    const text = decoder.decode(bytes)
    Result.match(parseMessage(text), {
      onFailure: message =>
        refuse(connection, { error: "INVALID_PARAMS", message }, { id: idOf(text) }),
      onSuccess: message => {
        if (message.op === "subscribe") this.subscribe(connection, message)
        else if (message.op === "unsubscribe") this.unsubscribe(connection, message)
        else connection.sendValue({ type: "pong", id: message.id, at: Math.floor(nowMs() / 1000) })
      }
    })
  }

  /** Reads again what a live reader missed. */
  readonly reread = (subscription: Subscription): void =>
    this.read(subscription, reread(this.options.hub, subscription))

  /** The log is another one: what the reader has is void. */
  readonly expire = (subscription: Subscription): void => {
    const { connection, topic } = subscription
    this.drop(subscription)
    refuse(connection, anotherLog(topic.lane), { ...topic.fields, id: subscription.takeId() })
  }

  /** Lets go of everything a connection was subscribed to. */
  forget(connection: Connection): void {
    for (const subscription of connection.subscriptions.values()) this.drop(subscription)
  }

  private subscribe(connection: Connection, message: Subscribe): void {
    const asked = Result.flatMap(topicOf(connection.lanes, message), topic =>
      this.admit(connection, topic)
    )
    if (Result.isFailure(asked)) {
      refuse(connection, asked.failure, message)
      return
    }
    const topic = asked.success
    const subscription = new Subscription(connection, topic, message.id, message.log ?? null)
    connection.subscriptions.set(topic.name, subscription)
    this.options.hub.add(subscription)
    this.read(subscription, replay(this.options.hub, subscription, message.from ?? null))
  }

  /** Reads a subscription's past; a refusal ends it, and the reader is told. */
  private read(subscription: Subscription, past: Effect.Effect<void, LiveRefusal>): void {
    const { connection, topic } = subscription
    const reading = past.pipe(
      Effect.catch(refusal =>
        Effect.sync(() => {
          this.drop(subscription)
          refuse(connection, refusal, { ...topic.fields, id: subscription.takeId() })
        })
      ),
      Effect.catchDefect(defect => {
        connection.end(CLOSE.internal, "the service failed; its log has the cause")
        return Effect.logError("a live subscription failed", topic.name, defect)
      })
    )
    subscription.replay = Effect.runFork(reading)
  }

  private admit(connection: Connection, topic: Topic): Result.Result<Topic, LiveRefusal> {
    const { subscriptions } = connection
    const no = (error: LiveError["error"], message: string) =>
      Result.fail(new LiveRefusal({ error, message }))
    if (subscriptions.has(topic.name)) return no("ALREADY_SUBSCRIBED", "subscribed to it already")
    if (subscriptions.size >= this.options.maxChannels) {
      return no("TOO_MANY_CHANNELS", `a connection may have ${this.options.maxChannels} channels`)
    }
    if (unready(topic.lane)) {
      return no("NOT_READY", `${topic.lane.config.key}: the tables are not built yet`)
    }
    return Result.succeed(topic)
  }

  private unsubscribe(connection: Connection, message: Unsubscribe): void {
    const topic = topicOf(connection.lanes, message)
    if (Result.isFailure(topic)) {
      refuse(connection, topic.failure, message)
      return
    }
    const { name, fields } = topic.success
    const subscription = connection.subscriptions.get(name)
    if (subscription === undefined) {
      const refusal = { error: "NOT_SUBSCRIBED", message: "not subscribed to it" } as const
      refuse(connection, refusal, { ...fields, id: message.id })
      return
    }
    this.drop(subscription)
    connection.sendValue({ type: "unsubscribed", id: message.id, ...fields })
  }

  private drop(subscription: Subscription): void {
    subscription.connection.subscriptions.delete(subscription.topic.name)
    this.options.hub.remove(subscription)
    subscription.replay?.interruptUnsafe()
  }
}

interface Named {
  readonly id?: MessageId
  readonly channel?: string
  readonly chain?: string | number
  readonly token?: string | null
  readonly tf?: string
}

const refuse = (connection: Connection, refusal: LiveError, about: Named = {}): void => {
  const { id, channel, chain, token, tf } = about
  const { error, message, oldestSeq, log } = refusal
  const topic = { channel, chain, token, tf }
  connection.sendValue({ type: "error", id, error, message, oldestSeq, log, ...topic })
}
