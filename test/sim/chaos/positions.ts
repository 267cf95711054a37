/** Where a log stands at each of its positions: what engines with different logs have in common. */

import type { Event } from "../../../streams/event.ts"
import { type GapMark, openGaps } from "../../../streams/open-gaps.ts"

/** What an answer of one position is an answer of. */
export interface Stand {
  /** of the newest block that is whole; null before the first, and within a block */
  readonly hash: string | null
  /** whether blocks up to there are declared missing */
  readonly hasGaps: boolean
}

interface Held extends Stand {
  readonly marks: ReadonlyArray<GapMark>
}

const markOf = (event: Event): GapMark | null => {
  if (event.kind !== "GapFound" && event.kind !== "GapFilled") return null
  const { fromBlock, toBlock, block } = event
  const open = event.kind === "GapFound"
  return { open, fromBlock, toBlock, reason: open ? event.reason : null, at: block.number }
}

const after = (held: Held, event: Event): Held => {
  const mark = markOf(event)
  const marks = mark === null ? held.marks : [...held.marks, mark]
  const hasGaps = mark === null ? held.hasGaps : openGaps(marks).length > 0
  if (event.kind === "BlockSealed") return { hash: event.block.hash, marks, hasGaps }
  return { hash: event.tx === null ? held.hash : null, marks, hasGaps }
}

/** The stands of a whole log: that of position `seq` is at index `seq`. */
export const standsOf = (events: ReadonlyArray<Event>): ReadonlyArray<Stand> => {
  const stands: Array<Held> = [{ hash: null, hasGaps: false, marks: [] }]
  for (const event of events) {
    const before = stands[stands.length - 1] as Held
    stands.push(event.kind === "Rollback" ? (stands[event.toSeq] ?? before) : after(before, event))
  }
  return stands
}
