import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { randomEvents } from "../../test/support/random-events.ts"
import { seed } from "../../test/support/seed.ts"
import { batchOf, eventsOf } from "../event-objects.ts"
import { decodeSegment, encodeSegment } from "./segment-codec.ts"

const roundTrip = (bytes: Uint8Array) => Result.getOrThrow(decodeSegment(bytes))

describe("segment codec", () => {
  it("gives back every event it was given", () => {
    for (let run = 0; run < 300; run++) {
      const events = randomEvents(seed, run, run % 60)
      const batch = batchOf(events)
      expect(eventsOf(batch)).toEqual(events)
      expect(eventsOf(roundTrip(encodeSegment(batch)))).toEqual(events)
    }
  })

  it("gives the same bytes for the same events", () => {
    const events = randomEvents(seed, 7, 200)
    const bytes = encodeSegment(batchOf(events))
    expect(encodeSegment(roundTrip(bytes))).toEqual(bytes)
  })

  it("answers cut and damaged bytes with a reason, never a crash", () => {
    const bytes = encodeSegment(batchOf(randomEvents(seed, 11, 40)))
    for (let length = 0; length < bytes.length; length++) {
      expect(Result.isFailure(decodeSegment(bytes.slice(0, length)))).toBe(true)
    }
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.slice()
      damaged[at] = (damaged[at] as number) ^ (1 + ((at * 37) % 255))
      decodeSegment(damaged)
    }
    expect(Result.isFailure(decodeSegment(Uint8Array.of(...bytes, 0)))).toBe(true)
  })

  it("refuses a version it does not know", () => {
    const bytes = encodeSegment(batchOf(randomEvents(seed, 3, 3)))
    bytes[0] = 99
    const failure = decodeSegment(bytes)
    expect(Result.isFailure(failure) && failure.failure.message).toBe(
      "schema version 99 is newer than this engine"
    )
  })
})
