/** What a frame says to its reader beside what it tells all readers of its topic. */
import type { LiveBody } from "./reader.ts"

/** A reader's own name for a subscription; undefined where it gave none. */
export type Sub = string | number | undefined

export interface Told {
  readonly sub: Sub
  /** whether more frames of its position follow: a reader has the position once none does */
  readonly more: boolean
}

/** The frame with what it says to these readers alone. */
export const toldFrame = (frame: LiveBody, { sub, more }: Told): LiveBody => {
  if (sub === undefined && !more) return frame
  const name = sub === undefined ? "" : `,"sub":${JSON.stringify(sub)}`
  const { body, seq } = frame
  return { body: `${body.slice(0, -1)}${name}${more ? ',"more":true' : ""}}`, seq }
}

/** Whether more frames of its position follow the frame at this place; `upTo`: as of a reader. */
export const hasMore = (
  frames: ReadonlyArray<LiveBody>,
  place: number,
  upTo: number | null
): boolean => {
  const next = frames[place + 1]
  return next === undefined ? upTo === null : next.seq === frames[place]?.seq
}
