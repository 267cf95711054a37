import { expect, it } from "vitest"
import { random, seed } from "../../test/support/seed.ts"
import type { Wallets } from "./distinct-wallets.ts"
import { KeptWallets } from "./kept-wallets.ts"
import { frameOf } from "./time-frame.ts"

const frame = frameOf("5m")
const WIDTH = frame.seconds

/** What there is in truth: of some buckets nothing. */
const truthOf = (name: string, t: number): Wallets | null => {
  const n = (t / WIDTH + name.length) % 7
  return n < 2 ? null : { buyers: n, sellers: n + name.length }
}

const truthIn = (name: string, from: number, to: number) => {
  const found: Array<readonly [number, Wallets]> = []
  for (let t = from; t < to; t += WIDTH) {
    const one = truthOf(name, t)
    if (one !== null) found.push([t, one])
  }
  return found
}

it("knows of a stretch all of it or nothing, however it was asked for", () => {
  console.log(`kept wallets: SEED=${seed}`)
  const r = random("kept wallets")
  const kept = new KeptWallets(400)
  let known = 0
  for (let i = 0; i < 3000; i++) {
    const name = r.pick(["a", "bb", "ccc"])
    const from = r.integer(0, 300) * WIDTH
    const over = { from, to: from + r.integer(0, 60) * WIDTH }
    const found = kept.of(name, over)
    const told = new Map<number, Wallets>()
    const missing =
      found === null
        ? [over]
        : [
            { from: over.from, to: found.from },
            { from: found.to, to: over.to }
          ]
    for (const { from, to } of missing) {
      for (const [t, one] of truthIn(name, from, to)) told.set(t, one)
    }
    kept.keep(name, frame, over, told)
    if (found !== null) {
      known++
      for (const [t, one] of found.counts) if (t >= found.from && t < found.to) told.set(t, one)
    }
    const expected = new Map(truthIn(name, over.from, over.to))
    expect(new Map([...told].sort(([a], [b]) => a - b))).toEqual(expected)
  }
  expect(known).toBeGreaterThan(300)
  kept.clear()
  expect(kept.of("a", { from: 0, to: 1000 * WIDTH })).toBe(null)
})

it("keeps no part of a bucket", () => {
  const kept = new KeptWallets()
  const one = { buyers: 1, sellers: 0 }
  kept.keep("a", frame, { from: WIDTH, to: 2 * WIDTH + 1 }, [[WIDTH, one]])
  kept.keep("a", frame, { from: WIDTH - 1, to: 2 * WIDTH }, [[WIDTH, one]])
  expect(kept.of("a", { from: 0, to: 10 * WIDTH })).toBe(null)
  kept.keep("a", frame, { from: WIDTH, to: 2 * WIDTH }, [[WIDTH, one]])
  expect(kept.of("a", { from: 0, to: 10 * WIDTH })).toEqual({
    from: WIDTH,
    to: 2 * WIDTH,
    counts: new Map([[WIDTH, one]])
  })
})

it("keeps nothing of what was over when time went back", () => {
  const kept = new KeptWallets()
  const counts = new Map([[0, { buyers: 1, sellers: 2 }]])
  const first = { from: 0, to: WIDTH }
  const second = { from: WIDTH, to: 2 * WIDTH }
  kept.reached(2 * WIDTH + 1)
  kept.keep("a", frame, first, counts)
  // the fold is ahead of who answers
  kept.answeredAt(WIDTH + 3)
  expect(kept.of("a", first)).toEqual({ ...first, counts })
  kept.reached(2 * WIDTH + 1)
  expect(kept.of("a", first)).toEqual({ ...first, counts })
  kept.reached(WIDTH - 1)
  expect(kept.of("a", first)).toBe(null)
  // counted before that, or before it is committed
  kept.keep("a", frame, first, counts)
  kept.keep("a", frame, second, counts)
  expect([kept.of("a", first), kept.of("a", second)]).toEqual([null, null])
  const later = { from: 3 * WIDTH, to: 4 * WIDTH }
  kept.keep("a", frame, later, new Map())
  expect(kept.of("a", later)).toEqual({ ...later, counts: new Map() })
  kept.clear()
  kept.keep("a", frame, first, counts)
  expect(kept.of("a", first)).toEqual({ ...first, counts })
})

it("hears of time that goes back after a start from who answers", () => {
  const kept = new KeptWallets()
  kept.answeredAt(2 * WIDTH)
  kept.keep("a", frame, { from: 0, to: WIDTH }, new Map())
  kept.reached(WIDTH - 1)
  expect(kept.of("a", { from: 0, to: WIDTH })).toBe(null)
})
