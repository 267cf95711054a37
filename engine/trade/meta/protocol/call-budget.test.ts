import { expect, it } from "vitest"
import { type CallBudget, fullBudget, spend } from "./call-budget.ts"

const rate = { burst: 3, everyMs: 100 }

/** How long the calls at these times have to wait; null of those that do not go out. */
const waits = (times: ReadonlyArray<number>, patienceMs = 0): ReadonlyArray<number | null> => {
  let budget: CallBudget = fullBudget(rate, 0)
  return times.map(ms => {
    const spent = spend(budget, rate, ms, patienceMs)
    budget = spent?.left ?? budget
    return spent === null ? null : spent.waitMs
  })
}

it("lets a burst out, and then one call in each span", () => {
  expect(waits([0, 0, 0, 0, 99, 100, 150, 200])).toEqual([0, 0, 0, null, null, 0, null, 0])
})

it("keeps no more than the burst, however long nobody asks, nor gains by a clock set back", () => {
  expect(waits([10_000, 10_000, 10_000, 10_000, 0, 10_050])).toEqual([0, 0, 0, null, null, null])
})

it("promises calls ahead of their time, each a span later, as far as patience goes", () => {
  expect(waits([0, 0, 0, 0, 0, 0, 50], 250)).toEqual([0, 0, 0, 100, 200, null, 250])
})
