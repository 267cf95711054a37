import { Result } from "effect"
import { expect, it } from "vitest"
import { randomEvents } from "../../test/support/random-events.ts"
import { seed } from "../../test/support/seed.ts"
import { decodeSegment, encodeSegment } from "../codec/segment-codec.ts"
import { batchOf, eventsOf } from "../event-objects.ts"
import type { EventBatch } from "./batch.ts"
import { packBatch, unpackBatch } from "./packed-batch.ts"

/** Sends it to nobody, the way another thread would get it. */
const sent = (batch: EventBatch): EventBatch => {
  const packed = packBatch(batch)
  const { memory } = packed
  const arrived = structuredClone(packed, { transfer: [memory] })
  expect(memory.byteLength).toBe(0)
  return unpackBatch(arrived)
}

it("gives back the batches that decoding made", () => {
  for (let run = 0; run < 200; run++) {
    const events = randomEvents(seed, run, run % 60)
    const bytes = encodeSegment(batchOf(events))
    const batch = sent(Result.getOrThrow(decodeSegment(bytes)))
    expect(eventsOf(batch)).toEqual(events)
    expect(encodeSegment(batch)).toEqual(bytes)
  }
})

it("leaves out the room that a batch grew for", () => {
  const events = randomEvents(seed, 5, 40)
  const batch = batchOf(events)
  expect(eventsOf(sent(batch))).toEqual(events)
  const again = sent(sent(batch))
  expect(eventsOf(again)).toEqual(events)
  // the batch that was sent is whole
  expect(eventsOf(batch)).toEqual(events)
  const { byteLength } = packBatch(again).memory
  expect(packBatch(batch).memory.byteLength).toBe(byteLength)
})
