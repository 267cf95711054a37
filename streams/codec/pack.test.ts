import { describe, expect, it } from "vitest"
import { random } from "../../test/support/seed.ts"
import { ByteReader, MalformedSegment } from "./byte-reader.ts"
import { ByteWriter } from "./byte-writer.ts"
import { packUints, unpackUints } from "./pack.ts"

/** Reads it back from memory that ends where the column does, at an odd place. */
const roundTrip = (values: ReadonlyArray<number>) => {
  const out = new ByteWriter()
  out.u8(7)
  packUints(out, values, values.length)
  const bytes = out.finish().slice()
  const input = new ByteReader(bytes)
  expect(input.u8()).toBe(7)
  const read = unpackUints(input, values.length)
  expect(input.at).toBe(bytes.length)
  return { bytes, values: Array.from(read) }
}

const widths = Array.from({ length: 33 }, (_, bits) => bits)

describe("a packed column", () => {
  it.each(widths)("of values of %i bits is read as it was written", bits => {
    const r = random(`pack ${bits}`)
    for (let n = 0; n <= 70; n++) {
      const range = 2 ** bits
      const low = Math.floor(r.next() * (2 ** 32 - range))
      const values = Array.from({ length: n }, () => low + Math.floor(r.next() * range))
      expect(roundTrip(values).values).toEqual(values)
    }
  })

  it.each(widths)("of steps of %i bits is read as it was written", bits => {
    const r = random(`steps ${bits}`)
    for (let n = 1; n <= 70; n++) {
      const values = [Math.floor(r.next() * 2 ** 32)]
      while (values.length < n) {
        const step = Math.floor((r.next() - 0.4) * 2 ** bits)
        const next = (values[values.length - 1] as number) + step
        values.push(next < 0 || next >= 2 ** 32 ? Math.floor(r.next() * 2 ** 32) : next)
      }
      expect(roundTrip(values).values).toEqual(values)
    }
  })

  it("takes two bits a value for steps of one and none", () => {
    const values = Array.from({ length: 1000 }, (_, i) => 4_000_000_000 + ((i * 7) >> 4))
    const { bytes, values: read } = roundTrip(values)
    expect(read).toEqual(values)
    expect(bytes.length).toBe(8 + 1000 / 4)
  })

  it("that is cut short is malformed", () => {
    const { bytes } = roundTrip([1, 5, 900, 12, 7, 3])
    for (let length = 1; length < bytes.length; length++) {
      const input = new ByteReader(bytes.subarray(1, length))
      expect(() => unpackUints(input, 6)).toThrow(MalformedSegment)
    }
  })
})
