/**
 * Topics of which the present is asked for again and again, once for all readers: a new reader gets
 * all of it, then the parts that changed. One that is too slow skips to the newest.
 */

import { Effect, type Fiber } from "effect"
import type { LaneUnavailable } from "../../engine/lane/lanes.ts"
import { hasPassed } from "../../src/platform/elapsed.ts"
import type { Present, PresentOf } from "./channel.ts"
import type { Subscription } from "./subscription.ts"
import type { Topic } from "./topic.ts"

export interface WatchesOptions {
  /** Unix milliseconds */
  readonly nowMs: () => number
  /** ends a subscription whose present cannot be had at first */
  readonly refuse: (subscription: Subscription, message: string) => void
  /** a reader further behind gets none now, and the newest once it has caught up */
  readonly maxNewestBufferedBytes: number
}

interface Part {
  readonly text: string
  /** which reading changed it */
  readonly version: number
}

interface Watch {
  readonly topic: Topic
  readonly of: PresentOf
  readonly subscriptions: Set<Subscription>
  parts: ReadonlyMap<string, Part>
  /** readings that changed something */
  version: number
  seq: number
  at: number
  /** where the lane stood at the newest reading, and when that began */
  stood: string
  readAtMs: number
  isReading: boolean
  /** of the newest reading */
  fiber: Fiber.Fiber<void> | null
}

export class Watches {
  private readonly options: WatchesOptions
  private readonly watches = new Map<string, Watch>()

  constructor(options: WatchesOptions) {
    this.options = options
  }

  /** Adds a reader, who gets the present as soon as it is there. */
  add(subscription: Subscription, of: PresentOf): void {
    const { topic } = subscription
    const watch = this.watches.get(topic.name) ?? newWatch(topic, of)
    this.watches.set(topic.name, watch)
    watch.subscriptions.add(subscription)
    subscription.state = "joined"
    if (watch.version === 0) this.read(watch)
    else this.flush(watch)
  }

  remove(subscription: Subscription): void {
    const watch = this.watches.get(subscription.topic.name)
    if (watch === undefined || !watch.subscriptions.delete(subscription)) return
    if (watch.subscriptions.size > 0) return
    this.watches.delete(subscription.topic.name)
    watch.fiber?.interruptUnsafe()
  }

  /** Asks for what may have changed, and sends what did to readers that can take it. */
  tick(): void {
    const nowMs = this.options.nowMs()
    for (const watch of this.watches.values()) {
      const isDue = hasPassed(watch.readAtMs, nowMs, watch.of.everyMs)
      const stands = watch.of.stands(watch.topic.lane)
      if (isDue && (stands === "" || stands !== watch.stood)) this.read(watch)
      this.flush(watch)
    }
  }

  private read(watch: Watch): void {
    if (watch.isReading) return
    watch.isReading = true
    const { of, topic } = watch
    watch.stood = of.stands(topic.lane)
    watch.readAtMs = this.options.nowMs()
    const asking = of.read(topic.lane, topic.key, watch.readAtMs).pipe(
      Effect.match({
        onSuccess: present => this.take(watch, present),
        onFailure: failure => this.fail(watch, failure)
      }),
      Effect.ensuring(
        Effect.sync(() => {
          watch.isReading = false
        })
      )
    )
    watch.fiber = Effect.runFork(asking)
  }

  private take(watch: Watch, { parts, seq, at }: Present): void {
    const version = watch.version + 1
    let isNew = parts.size !== watch.parts.size
    const taken = new Map<string, Part>()
    for (const [name, text] of parts) {
      const known = watch.parts.get(name)
      const isSame = known?.text === text
      taken.set(name, isSame ? known : { text, version })
      if (!isSame) isNew = true
    }
    if (!isNew) return
    Object.assign(watch, { parts: taken, version, seq, at })
    this.flush(watch)
  }

  /** Readers that have a present keep it, and the next reading follows; others have nothing. */
  private fail(watch: Watch, { message }: LaneUnavailable): void {
    watch.stood = ""
    for (const subscription of [...watch.subscriptions]) {
      if (subscription.seen === 0) this.options.refuse(subscription, message)
    }
  }

  private flush({ topic, of, subscriptions, parts, version, seq, at }: Watch): void {
    if (version === 0) return
    const bodies = new Map<number, string>()
    for (const subscription of subscriptions) {
      const { reader, seen } = subscription
      const isBehind = reader.buffered > this.options.maxNewestBufferedBytes
      if (seen === version || isBehind) continue
      const changed = [...parts].filter(([, part]) => part.version > seen)
      const texts = new Map(changed.map(([name, { text }]) => [name, text]))
      const body = bodies.get(seen) ?? of.frameOf(texts, topic.fields, { seq, at, all: seen === 0 })
      bodies.set(seen, body)
      subscription.seen = version
      reader.sendFrames(subscription, [{ body, seq }], seq)
    }
  }
}

const newWatch = (topic: Topic, of: PresentOf): Watch => ({
  topic,
  of,
  subscriptions: new Set(),
  parts: new Map(),
  version: 0,
  seq: 0,
  at: 0,
  stood: "",
  readAtMs: 0,
  isReading: false,
  fiber: null
})
