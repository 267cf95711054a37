/** The readers of a topic, and how prices reach them: conflated, a few times a second. */
import { type PriceBoard, priceFrames } from "./price-board.ts"
import type { Subscription } from "./subscription.ts"
import type { Topic } from "./topic.ts"

export interface Audience {
  readonly topic: Topic
  readonly subscriptions: Set<Subscription>
  /** only on `prices` */
  board: PriceBoard | null
}

export interface FlushOptions {
  /** Unix seconds */
  readonly now: () => number
  /** a reader further behind gets none now, and the newest once it has caught up */
  readonly maxPriceBufferedBytes: number
}

/** Sends the readers of a price topic what they have not seen; forgets what all of them have. */
export const flushPrices = (audience: Audience, options: FlushOptions): void => {
  const { board, subscriptions, topic } = audience
  if (board === null || board.version === 0) return
  // Readers that have seen the same get the same frames, encoded once.
  const framesSince = new Map<number, ReadonlyArray<string>>()
  let oldestSeen = board.version
  for (const subscription of subscriptions) {
    const { state, connection, seen } = subscription
    if (state !== "joined" || seen === board.version) continue
    if (connection.buffered > options.maxPriceBufferedBytes) {
      oldestSeen = Math.min(oldestSeen, seen)
      continue
    }
    const frames =
      framesSince.get(seen) ?? priceFrames(board.since(seen), topic.fields, options.now())
    framesSince.set(seen, frames)
    subscription.seen = board.version
    connection.sendAll(frames)
  }
  board.forget(oldestSeen)
}
