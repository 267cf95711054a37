import { expect, it } from "vitest"
import { random, seed } from "../../test/support/seed.ts"
import { HolderOrder } from "./holder-order.ts"

it("keeps what a sorted list keeps, whatever comes and goes", () => {
  console.log(`holder order: SEED=${seed}`)
  const r = random("holder order")
  const size = 3_000
  const rank = Float64Array.from({ length: size }, () => r.integer(0, 40))
  const before = (a: number, b: number): boolean =>
    rank[a] === rank[b] ? a < b : (rank[a] as number) > (rank[b] as number)
  const order = new HolderOrder(before)
  const inside = new Set<number>()
  const entries = (): Array<number> => {
    const found: Array<number> = []
    order.walk(entry => found.push(entry) > 0)
    return found
  }
  const check = (): void => {
    expect(order.size).toBe(inside.size)
    expect(entries()).toEqual([...inside].sort((a, b) => (before(a, b) ? -1 : 1)))
  }
  order.fill(Uint32Array.from({ length: 1_000 }, (_, i) => i * 2))
  for (let i = 0; i < 1_000; i++) inside.add(i * 2)
  check()
  // grows, moves, then shrinks to nothing
  for (const goal of [0.8, 0.5, 0]) {
    for (let step = 0; step < 6_000; step++) {
      const entry = r.integer(0, size - 1)
      if (inside.delete(entry)) order.remove(entry)
      if (r.boolean(goal)) {
        rank[entry] = r.integer(0, 40)
        inside.add(entry)
        order.insert(entry)
      }
    }
    check()
  }
  for (const entry of inside) order.remove(entry)
  inside.clear()
  check()
  const some: Array<number> = []
  order.insert(7)
  order.insert(3)
  order.walk(entry => some.push(entry) < 1)
  expect(some.length).toBe(1)
})

it("refuses to take out what is not in its place", () => {
  const order = new HolderOrder((a, b) => a < b)
  order.insert(1)
  expect(() => order.remove(2)).toThrow("entry 2 is not in its place")
})
