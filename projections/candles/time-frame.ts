/** Time frames: width, and where buckets begin. Weeks begin on Monday 00:00 UTC. */

export interface TimeFrame {
  readonly seconds: number
  /** a bucket start, from which all others are whole widths away */
  readonly origin: number
  /** the base table it is folded from */
  readonly base: "candles_1m" | "candles_1h"
}

/** 1970-01-05 was a Monday. */
const MONDAY = 4 * 86_400

export const timeFrames: { readonly [tf: string]: TimeFrame } = {
  "1m": { seconds: 60, origin: 0, base: "candles_1m" },
  "5m": { seconds: 300, origin: 0, base: "candles_1m" },
  "15m": { seconds: 900, origin: 0, base: "candles_1m" },
  "1h": { seconds: 3600, origin: 0, base: "candles_1h" },
  "4h": { seconds: 14_400, origin: 0, base: "candles_1h" },
  "1d": { seconds: 86_400, origin: 0, base: "candles_1h" },
  "1w": { seconds: 604_800, origin: MONDAY, base: "candles_1h" }
}

/** Frames below a minute, which no table holds: they are folded from prints. */
export interface PrintFrame extends Omit<TimeFrame, "base"> {
  readonly base: null
}

export type AnyFrame = TimeFrame | PrintFrame

const below = (seconds: number): PrintFrame => ({ seconds, origin: 0, base: null })

const printFrames: { readonly [tf: string]: PrintFrame } = {
  "1s": below(1),
  "5s": below(5),
  "15s": below(15),
  "30s": below(30)
}

/** The frame of a name that the API has checked. */
export const frameOf = (tf: string): AnyFrame => (timeFrames[tf] ?? printFrames[tf]) as AnyFrame

/** Where buckets begin, and how long they are. */
export type Grid = Pick<TimeFrame, "seconds" | "origin">

/** SQL of the start of the bucket that holds a time. */
export const bucketSql = ({ seconds, origin }: Grid, time = "t"): string =>
  `(${time} - ${origin})::BIGINT // ${seconds} * ${seconds} + ${origin}`

/** Start of the bucket that holds `ts`. */
export const bucketStart = (frame: Grid, ts: number): number =>
  Math.floor((ts - frame.origin) / frame.seconds) * frame.seconds + frame.origin

/** `ts` itself where it is a bucket's start, else the next one. */
export const bucketCeil = (frame: Grid, ts: number): number =>
  -Math.floor((frame.origin - ts) / frame.seconds) * frame.seconds + frame.origin
