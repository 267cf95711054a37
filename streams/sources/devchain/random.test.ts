import { expect, test } from "vitest"
import { seededRandom } from "./random.ts"

const many = <A>(n: number, draw: () => A): Array<A> => Array.from({ length: n }, draw)
const mean = (values: ReadonlyArray<number>) => values.reduce((a, b) => a + b, 0) / values.length

test("the same seed gives the same draws for ever, another seed others", () => {
  const random = seededRandom("swaptape", "base", 7)
  expect(many(4, () => random.between(0, 999_999))).toEqual([419_081, 160_459, 243_636, 818_385])
  const again = seededRandom("swaptape", "base", 7)
  const other = seededRandom("swaptape", "base", 8)
  expect(many(50, seededRandom("swaptape", "base", 7).next)).toEqual(many(50, again.next))
  expect(many(50, seededRandom("swaptape", "base", 7).next)).not.toEqual(many(50, other.next))
})

test("draws have the distributions they claim", () => {
  const random = seededRandom("distributions")
  const uniform = many(50_000, random.next)
  expect(Math.min(...uniform)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...uniform)).toBeLessThan(1)
  expect(mean(uniform)).toBeCloseTo(0.5, 2)
  const normal = many(50_000, random.normal)
  expect(mean(normal)).toBeCloseTo(0, 1)
  expect(mean(normal.map(x => x * x))).toBeCloseTo(1, 1)
  const dice = many(60_000, () => random.between(1, 6))
  for (let face = 1; face <= 6; face++) {
    expect(dice.filter(x => x === face).length / 60_000).toBeCloseTo(1 / 6, 2)
  }
  const sizes = many(20_001, () => random.logNormal(160, 1.5)).sort((a, b) => a - b)
  expect((sizes[10_000] as number) / 160).toBeCloseTo(1, 1)
  const weighted = many(30_000, () => random.weighted([1, 2, 3], n => n))
  expect(weighted.filter(n => n === 3).length / 30_000).toBeCloseTo(0.5, 2)
})

test("a shuffle keeps every item", () => {
  const list = many(50, () => 0).map((_, i) => i)
  const shuffled = seededRandom("shuffle").shuffled(list)
  expect(shuffled).not.toEqual(list)
  expect([...shuffled].sort((a, b) => a - b)).toEqual(list)
})
