import { expect, it } from "vitest"
import { Seldom } from "./seldom.ts"

it("lets each kind be said once in a span, and again later", () => {
  const seldom = new Seldom<string>(500)
  const due = (kind: string, ...times: ReadonlyArray<number>) =>
    times.map(now => seldom.isDue(kind, now))
  expect(due("a", 1_000, 1_499, 1_500, 1_999)).toEqual([true, false, true, false])
  expect(due("b", 1_501, 1_502)).toEqual([true, false])
  // another one goes on with what was said
  const next = new Seldom<string>(500, seldom.said)
  expect([next.isDue("a", 1_999), next.isDue("b", 2_001)]).toEqual([false, true])
})

it("forgets the kinds that were said longest ago, where they are many", () => {
  const seldom = new Seldom<number>(500)
  for (let kind = 0; kind <= 100; kind++) seldom.isDue(kind, kind)
  expect([0, 1].map(kind => seldom.isDue(kind, 101))).toEqual([true, true])
  expect(seldom.isDue(100, 101)).toBe(false)
})
