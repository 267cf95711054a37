import { expect, it } from "vitest"
import { roomFor } from "./room.ts"

it("grows at least twofold and to the id, of the same kind, with empty places", () => {
  const short = Uint32Array.of(1, 2, 3)
  expect(roomFor(short, 2)).toBe(short)
  expect(roomFor(short, 3, 9)).toEqual(Uint32Array.of(1, 2, 3, 9, 9, 9))
  expect(roomFor(Float64Array.of(1), 4)).toEqual(Float64Array.of(1, 0, 0, 0, 0))
})
