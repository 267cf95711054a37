import { describe, expect, it } from "vitest"
import { random } from "../../test/support/seed.ts"
import { descending, KeptDescending, withLast } from "./descending.ts"

describe("descending", () => {
  it("is the stable order of a sort that compares", () => {
    const r = random("descending")
    for (const count of [0, 1, 2, 100, 511, 512, 3000]) {
      const keys = Float64Array.from({ length: count }, () =>
        r.pick([
          () => r.integer(0, 20),
          () => -r.integer(0, 20) / 7,
          () => r.integer(0, 1_000_000) * 1e12,
          () => r.integer(1, 1_000_000) / 1e300,
          () => r.pick([0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324])
        ])()
      )
      const places = Uint32Array.from({ length: count }, (_, place) => place).filter(() =>
        r.boolean(0.9)
      )
      const expected = [...places].sort((a, b) => {
        const [x, y] = [keys[a] as number, keys[b] as number]
        return x === y ? a - b : y - x
      })
      expect([...descending(places, keys)]).toEqual(expected)
    }
  })

  it("is the same where an order is kept and few or many of its keys change", () => {
    const r = random("kept descending")
    const kept = new KeptDescending()
    const keys = new Float64Array(5000)
    let count = 0
    for (let round = 0; round < 60; round++) {
      count = Math.min(keys.length, count + r.integer(0, 300))
      const changes = r.pick([0, 1, 20, 300, 5000])
      for (let i = 0; i < changes; i++) {
        keys[r.integer(0, keys.length - 1)] = r.pick([
          0,
          -0,
          r.integer(-5, 5),
          r.integer(1, 1_000_000) / 7,
          Number.NEGATIVE_INFINITY
        ])
      }
      const share = r.pick([0.02, 0.9, 1])
      const places = Uint32Array.from({ length: count }, (_, place) => place).filter(() =>
        r.boolean(share)
      )
      const found = kept.of(places, count, place => keys[place] as number)
      expect(found).toEqual(descending(places, keys))
    }
  })

  it("puts some behind all others", () => {
    const last = Uint8Array.from([0, 1, 0, 1, 0])
    expect([...withLast(Uint32Array.from([4, 3, 2, 1, 0]), last)]).toEqual([4, 2, 0, 3, 1])
  })
})
