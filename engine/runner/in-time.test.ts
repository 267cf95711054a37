import { expect, it } from "vitest"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { sealed } from "../../test/support/small-lane.ts"
import type { Segment } from "../log/segment.ts"
import { inTime } from "./in-time.ts"

/** A segment of blocks that are told these times. */
const blocksAt = (...times: ReadonlyArray<number>): Segment =>
  new MemoryLog().append(
    times.map((time, i) => {
      const event = sealed(i + 1)
      return { ...event, block: { ...event.block, time } }
    })
  )

const timesIn = ({ batch }: Segment) =>
  Array.from({ length: batch.blocks.count }, (_, place) => batch.blocks.time.get(place))

it("lets no block of a range be earlier than what is before it", () => {
  const told = blocksAt(90, 100, 70, 120, 110)
  const whole = inTime(told, { from: 1, to: 5 }, 95)
  expect([timesIn(whole), whole.header.lastBlockTime]).toEqual([[95, 100, 100, 120, 120], 120])
  // those beside the range are none of it
  const part = inTime(told, { from: 3, to: 3 }, 80)
  expect([timesIn(part), part.header.lastBlockTime]).toEqual([[90, 100, 80, 120, 110], 80])
  const none = inTime(told, { from: 6, to: 5 }, 80)
  expect([timesIn(none), none.header.lastBlockTime]).toEqual([[90, 100, 70, 120, 110], 80])
  expect(timesIn(told)).toEqual([90, 100, 70, 120, 110])
})

it("takes a segment as it is whose time goes on", () => {
  const told = blocksAt(90, 100, 100)
  expect(inTime(told, { from: 1, to: 3 }, 90).batch).toBe(told.batch)
})
