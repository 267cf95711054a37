/**
 * The readers of a topic by what they are at, so that a frame costs the server what is done with it
 * and no look at each of them; and how the newest reaches them: conflated, a few times a second.
 */
import { Effect, Fiber } from "effect"
import type { LaneUnavailable } from "../../engine/lane/lanes.ts"
import { NewestFrames } from "./newest-frames.ts"
import { newestBodies, type Past } from "./past.ts"
import type { LiveBody } from "./reader.ts"
import type { Subscription, SubscriptionState } from "./subscription.ts"
import type { Sub } from "./told-frame.ts"
import type { Topic } from "./topic.ts"

/** What came of a topic after a position. */
export type Asking = Effect.Effect<Past, LaneUnavailable>
type Answered = Fiber.Fiber<Past, LaneUnavailable>

/** Published to a topic between two looks at how far behind each of its readers is. */
const LOOK_EVERY_BYTES = 64 * 1024

export class Audience {
  readonly topic: Topic
  readonly subscriptions = new Set<Subscription>()
  /** those whose past is being read */
  readonly reading = new Set<Subscription>()
  /** those who have joined, but whom nothing reaches that is published */
  readonly unpublished = new Set<Subscription>()
  /** only of a channel that tells the newest */
  newest: NewestFrames | null
  /** how many have joined whom it reaches, by the name that they have for the topic */
  private readonly published = new Map<Sub, number>()
  private readonly asked = new Map<number, Answered>()
  private unlookedBytes = 0

  constructor(topic: Topic) {
    this.topic = topic
    this.newest = topic.channel.newest === null ? null : new NewestFrames()
  }

  /** The names that published readers have for the topic. */
  get subs(): ReadonlyArray<Sub> {
    return [...this.published.keys()]
  }

  add(subscription: Subscription): void {
    this.subscriptions.add(subscription)
    this.count(subscription, 1)
  }

  /** False where it is not among them. */
  remove(subscription: Subscription): boolean {
    if (!this.subscriptions.delete(subscription)) return false
    this.count(subscription, -1)
    return true
  }

  move(subscription: Subscription, state: SubscriptionState): void {
    this.count(subscription, -1)
    subscription.state = state
    this.count(subscription, 1)
  }

  /**
   * Asks what came after `since`. Who asks it while the answer is on its way gets the same: readers
   * who come all at once, as they do after a restart, are one question to the lane.
   */
  once(since: number, ask: () => Asking): Asking {
    return Effect.suspend(() => {
      const known = this.asked.get(since)
      if (known !== undefined) return Fiber.join(known)
      const fiber = Effect.runFork(
        Effect.ensuring(
          ask(),
          Effect.sync(() => this.asked.delete(since))
        )
      )
      // one that has its answer at once is over before it is remembered
      if (fiber.pollUnsafe() === undefined) this.asked.set(since, fiber)
      return Fiber.join(fiber)
    })
  }

  /** Takes note of what was published, and closes readers who fell too far behind. */
  sent(bytes: number): void {
    this.unlookedBytes += bytes
    if (this.unlookedBytes < LOOK_EVERY_BYTES) return
    this.unlookedBytes = 0
    for (const { reader } of [...this.subscriptions]) reader.closeIfSlow()
  }

  private count(subscription: Subscription, by: 1 | -1): void {
    const { state, sub, reader } = subscription
    if (state === "waiting") return
    if (state === "joined" && reader.isPublishedTo) {
      const readers = (this.published.get(sub) ?? 0) + by
      if (readers > 0) this.published.set(sub, readers)
      else this.published.delete(sub)
      return
    }
    const among = state === "joined" ? this.unpublished : this.reading
    if (by > 0) among.add(subscription)
    else among.delete(subscription)
  }
}

export interface FlushOptions {
  /** Unix seconds */
  readonly now: () => number
  /** a reader further behind gets none now, and the newest once it has caught up */
  readonly maxNewestBufferedBytes: number
}

/** Sends the readers of a topic the newest that they have not; forgets what all of them have. */
export const flushNewest = (
  { newest, subscriptions, topic }: Audience,
  { now, maxNewestBufferedBytes }: FlushOptions
): void => {
  if (newest === null || newest.version === 0) return
  // Readers that have seen the same get the same frames, encoded once.
  const framesSince = new Map<number, ReadonlyArray<LiveBody>>()
  let oldestSeen = newest.version
  for (const subscription of subscriptions) {
    const { state, reader, seen } = subscription
    if (state !== "joined" || seen === newest.version) continue
    if (reader.buffered > maxNewestBufferedBytes) {
      oldestSeen = Math.min(oldestSeen, seen)
      continue
    }
    const frames = framesSince.get(seen) ?? newestBodies(topic, newest, seen, now())
    framesSince.set(seen, frames)
    subscription.seen = newest.version
    reader.sendFrames(subscription, frames, newest.seq)
  }
  newest.forget(oldestSeen)
}
