import { expect, it } from "vitest"
import { random } from "../../../test/support/seed.ts"
import { TickMap } from "./tick-map.ts"
import { MAX_TICK, MIN_TICK } from "./tick-math.ts"

/** The same questions answered from a sorted list. */
const model = (spacing: number, ticks: ReadonlyArray<number>) => {
  const wordOf = (tick: number): number => Math.floor(Math.floor(tick / spacing) / 256)
  return {
    initialized: (tick: number, down: boolean): number | undefined =>
      down ? ticks.findLast(t => t <= tick) : ticks.find(t => t > tick),
    withinWord: (tick: number, down: boolean): number => {
      const word = wordOf(down ? tick : (Math.floor(tick / spacing) + 1) * spacing)
      const inWord = ticks.filter(t => wordOf(t) === word)
      const found = down ? inWord.findLast(t => t <= tick) : inWord.find(t => t > tick)
      return found ?? (down ? word * 256 * spacing : (word * 256 + 255) * spacing)
    }
  }
}

it("holds what was put in and answers as a sorted list does", () => {
  const { integer, pick, bits } = random("tick-map")
  for (let run = 0; run < 40; run++) {
    const spacing = pick([1, 10, 60, 200, 19_800])
    const most = Math.floor(MAX_TICK / spacing)
    const wide = run % 2 === 0 ? most : Math.min(most, 700)
    const known = new Map<number, bigint>()
    let map = TickMap.empty(spacing)
    for (let i = 0; i < 120; i++) {
      const tick = integer(-wide, wide) * spacing
      const gross = i % 5 === 4 ? -(known.get(tick) ?? 0n) : bits(40) + 1n
      const next = map.adjusted(tick, gross, -gross)
      if (next === null) continue
      map = next
      known.set(tick, (known.get(tick) ?? 0n) + gross)
      if (known.get(tick) === 0n) known.delete(tick)
    }
    const ticks = [...known.keys()].sort((a, b) => a - b)
    expect([...map.entries()]).toEqual(
      ticks.map(tick => ({ tick, gross: known.get(tick), net: -(known.get(tick) as bigint) }))
    )
    expect(map.size).toBe(ticks.length)
    const { initialized, withinWord } = model(spacing, ticks)
    const probes = [MIN_TICK, MAX_TICK - 1, ...ticks, ...ticks.map(t => t - 1)]
    for (let i = 0; i < 60; i++) probes.push(integer(-wide * spacing, wide * spacing))
    for (const tick of probes) {
      for (const down of [true, false]) {
        expect(map.nextInitialized(tick, down)).toBe(initialized(tick, down))
        expect(map.nextWithinWord(tick, down) + 0).toBe(withinWord(tick, down) + 0)
      }
      expect(map.net(tick)).toBe(-(known.get(tick) ?? 0n))
      const to = tick + integer(0, 300 * spacing)
      const between = ticks.filter(one => one > tick && one <= to)
      expect(map.netBetween(tick, to)).toBe(between.reduce((sum, one) => sum + map.net(one), 0n))
    }
  }
})

it("never changes an earlier version", () => {
  const empty = TickMap.empty(10)
  const one = empty.adjusted(-20, 5n, 5n) as TickMap
  const two = one.adjusted(-20, 2n, -2n) as TickMap
  const none = one.adjusted(-20, -5n, -5n) as TickMap
  expect([...empty.entries()]).toEqual([])
  expect([...one.entries()]).toEqual([{ tick: -20, gross: 5n, net: 5n }])
  expect([...two.entries()]).toEqual([{ tick: -20, gross: 7n, net: 3n }])
  expect([...none.entries()]).toEqual([])
  expect(one.adjusted(-20, -6n, 0n)).toBeNull()
  expect(TickMap.of(10, two.entries()).get(-20)).toEqual({ tick: -20, gross: 7n, net: 3n })
})

it("tells no sum of ticks that are not all known", () => {
  const map = TickMap.of(60, [{ tick: 120, gross: 3n, net: 3n }], { low: 0, high: 15_300 })
  expect([map.netBetween(0, 15_300), map.netBetween(120, 240)]).toEqual([3n, 0n])
  expect([map.netBetween(-1, 240), map.netBetween(0, 15_301)]).toEqual([null, null])
})

it("accepts the ticks a position may end at", () => {
  const map = TickMap.empty(60)
  expect(map.accepts(-887_220) && map.accepts(0) && map.accepts(60)).toBe(true)
  expect(map.accepts(30) || map.accepts(-1) || map.accepts(887_280)).toBe(false)
})
