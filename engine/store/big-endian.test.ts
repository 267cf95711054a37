import { expect, it } from "vitest"
import { random, seed } from "../../test/support/seed.ts"
import { numberAt, writeNumber } from "./big-endian.ts"

it("reads and writes what hex says", () => {
  console.log(`big-endian numbers: SEED=${seed}`)
  const r = random(`${seed}/big-endian`)
  for (let round = 0; round < 500; round++) {
    const width = r.pick([4, 12, 16])
    const from = r.integer(0, 8)
    const bytes = Uint8Array.from({ length: 24 }, () => r.pick([0, 0, 1, 127, 128, 255]))
    const value = BigInt(`0x${Buffer.from(bytes.subarray(from, from + width)).toString("hex")}`)
    expect(BigInt(numberAt(new DataView(bytes.buffer), from, width))).toBe(value)
    const written = new Uint8Array(24)
    writeNumber(new DataView(written.buffer), from, width, width === 4 ? Number(value) : value)
    const expected = new Uint8Array(24)
    expected.set(bytes.subarray(from, from + width), from)
    expect(written).toEqual(expected)
  }
})
