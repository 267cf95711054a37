/** One who reads live frames, over a socket or as a stream of events. */
import type { Effect } from "effect"
import type { Credential } from "../../engine/keys/key-book.ts"
import type { Lanes } from "../../engine/lane/lanes.ts"
import type { AudienceLanes } from "../server/audiences.ts"
import type { Subscription } from "./subscription.ts"

/** A frame of a topic, encoded, with its log position. */
export interface LiveBody {
  readonly body: string
  readonly seq: number
}

/** What a reader may read, and for how long. */
export interface Access {
  readonly lanes: Lanes["Service"]
  /** null where it came without a key */
  readonly credential: Credential | null
}

export const accessOf = (
  { open, keyed }: AudienceLanes,
  { credential }: Pick<Access, "credential">
): Access => ({ lanes: credential === null ? open : keyed, credential })

/** Ends those whose key was revoked or replaced: what it opened is not theirs any more. */
export const endWithoutKey = (readers: Iterable<Reader>, nowMs: number): void => {
  for (const reader of [...readers]) {
    const { credential } = reader.access
    if (credential === null || nowMs < credential.untilMs) continue
    reader.end(CLOSE.keyEnded, "the API key was revoked or replaced")
  }
}

/** Signs of life go to one part of the readers after the other: all at once hold up frames. */
export const BEAT_PARTS = 50

/** The readers of a part. */
export function* ofPart<R extends { readonly number: number }>(
  readers: Iterable<R>,
  part: number
): Iterable<R> {
  for (const reader of readers) if (reader.number % BEAT_PARTS === part) yield reader
}

export interface Reader {
  readonly access: Access
  /** by the names of topics */
  readonly subscriptions: Map<string, Subscription>
  /** bytes accepted but not yet taken by the reader; 0 once it is gone */
  readonly buffered: number
  /** sends a frame that answers a message */
  readonly sendValue: (frame: object) => void
  /** sends the first frame */
  readonly sendHello: (frame: object) => void
  /**
   * Sends frames of a topic, in one packet where they fit, and ends a reader that falls too far
   * behind. With the last of them the reader has all of the topic up to `upTo`; null where more of
   * that position is to come.
   */
  readonly sendFrames: (
    subscription: Subscription,
    frames: ReadonlyArray<LiveBody>,
    upTo: number | null
  ) => void
  /** whether what is published of a topic reaches it by itself, once it has joined */
  readonly isPublishedTo: boolean
  readonly join: (subscription: Subscription) => void
  readonly leave: (subscription: Subscription) => void
  /** ends a reader that is further behind than allowed: to drop frames silently is worse */
  readonly closeIfSlow: () => void
  readonly closeSlow: () => void
  /** ends it with a code and a reason, behind whatever is still buffered */
  readonly end: (code: number, reason: string) => void
  /** waits until the reader is at most `bytes` behind, or gone */
  readonly drained: (bytes: number) => Effect.Effect<void>
}

/** Close codes of our own (4000 to 4999 are an application's). */
export const CLOSE = {
  goingAway: 1001,
  tooBig: 1009,
  internal: 1011,
  keyEnded: 4001,
  slowReader: 4008,
  tooFast: 4029
} as const
