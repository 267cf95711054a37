/**
 * The past of a topic as readers are sent it. Readers who come all at once, as they do after a
 * restart, ask for the same: its pieces are made once for all of them.
 */
import type { HistoryAnswer, LiveFrame } from "../../engine/frames.ts"
import { NewestFrames } from "./newest-frames.ts"
import type { LiveBody } from "./reader.ts"
import type { Topic } from "./topic.ts"

/** Frames that a lane is asked for at once, and frames in a piece at most. */
export const PAGE_FRAMES = 1000

/** Frames that are sent before the reader is looked at again. */
export interface Piece {
  readonly bodies: ReadonlyArray<LiveBody>
  /** the position up to which these are all; null where more of the last one's is to come */
  readonly upTo: number | null
}

export interface Past extends Omit<HistoryAnswer, "frames"> {
  readonly pieces: ReadonlyArray<Piece>
  /** position of its newest frame; null where it has none */
  readonly newest: number | null
  /** whether the lane has no frames so old any more */
  readonly isGone: boolean
}

/** Returns what a reader of the newest gets who has seen a version of them. `now`: Unix seconds. */
export const newestBodies = (
  { channel, fields }: Topic,
  newest: NewestFrames,
  seen: number,
  now: number
): ReadonlyArray<LiveBody> => {
  const { seq } = newest
  return channel.newest?.(newest.since(seen), fields, now).map(body => ({ body, seq })) ?? []
}

/** Returns what readers of a topic get of frames: of a channel of the newest only those. */
export const bodiesOf = (
  topic: Topic,
  frames: ReadonlyArray<LiveFrame>,
  now: number
): ReadonlyArray<LiveBody> => {
  if (topic.channel.newest === null) return frames
  const past = new NewestFrames()
  for (const frame of frames) past.add(frame.body, frame.seq)
  return newestBodies(topic, past, 0, now)
}

/** Returns the past that a page of a lane tells. `now`: Unix seconds. */
export const pastOf = (topic: Topic, page: HistoryAnswer, now: number): Past => {
  const { frames, ...rest } = page
  const all = frames ?? []
  const pieces: Array<Piece> = []
  for (let at = 0; at < all.length; at += PAGE_FRAMES) {
    const part = all.slice(at, at + PAGE_FRAMES)
    const [last, next] = [part[part.length - 1], all[at + PAGE_FRAMES]]
    const upTo = last === undefined || last.seq === next?.seq ? null : last.seq
    pieces.push({ bodies: bodiesOf(topic, part, now), upTo })
  }
  return { ...rest, pieces, newest: all.at(-1)?.seq ?? null, isGone: frames === null }
}
