/** The readers of a topic, and how the newest reaches them: conflated, a few times a second. */
import type { NewestFrames } from "./newest-frames.ts"
import type { LiveBody } from "./reader.ts"
import type { Subscription } from "./subscription.ts"
import type { Topic } from "./topic.ts"

export interface Audience {
  readonly topic: Topic
  readonly subscriptions: Set<Subscription>
  /** only of a channel that tells the newest */
  newest: NewestFrames | null
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
  const { newest: framesOf } = topic.channel
  if (framesOf === null || newest === null || newest.version === 0) return
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
    const frames =
      framesSince.get(seen) ??
      framesOf(newest.since(seen), topic.fields, now()).map(body => ({ body, seq: newest.seq }))
    framesSince.set(seen, frames)
    subscription.seen = newest.version
    reader.sendFrames(subscription, frames, newest.seq)
  }
  newest.forget(oldestSeen)
}
