/** A reader's part in a topic. */
import type { Fiber } from "effect"
import type { LiveFrame } from "../../engine/frames.ts"
import type { MessageId } from "./message.ts"
import type { Reader } from "./reader.ts"
import type { Sub } from "./told-frame.ts"
import type { Topic } from "./topic.ts"

/**
 * `reading`: its past is being read, frames wait in `pending`. `waiting`: it has everything up to
 * `floor`, which the lane's notices have not reached, or which they have passed while nothing could
 * be sent. `joined`: published frames reach it.
 */
export type SubscriptionState = "reading" | "waiting" | "joined"

/** What the message said that began it, beside its topic. */
interface Asked {
  readonly id?: MessageId
  readonly log?: string | null
  readonly sub?: Sub
}

export class Subscription {
  readonly reader: Reader
  readonly topic: Topic
  state: SubscriptionState = "reading"
  pending: Array<LiveFrame> = []
  /** while reading: frames were missed meanwhile, so `pending` has a hole */
  broken = false
  /** position up to which the reader has everything; kept unless joined */
  floor = 0
  /** frames up to this position had gone out when the reader's past was asked for */
  told = 0
  /** version of the topic's newest frames that the reader has */
  seen = 0
  /** id of the log that its positions are of; null while none is known */
  log: string | null
  /** the client's own name of it */
  readonly sub: Sub
  /** reads the past */
  replay: Fiber.Fiber<void> | null = null

  private id: MessageId

  constructor(reader: Reader, topic: Topic, { id, log = null, sub }: Asked) {
    this.reader = reader
    this.topic = topic
    this.id = id
    this.log = log
    this.sub = sub
  }

  /** The id of the message that began it, for the one frame that answers that. */
  takeId(): MessageId {
    const { id } = this
    this.id = undefined
    return id
  }
}
