/** Each side of each threshold of smart traders, and the score by a formula of the test's own. */
import { describe, expect, it } from "vitest"
import {
  dayFlagsOf,
  type Habits,
  habitFlagsOf,
  isEligible,
  isSuspect,
  isUnpriced,
  type Made,
  scoreOf,
  smartTraderRule
} from "./trader-rules.ts"

const calm: Habits = {
  ...{ burstMinutes: 0, activeDays: 3, sells: 100, quickSells: 0, arbTransactions: 0 },
  ...{ medianHoldS: 600, closedTokens: 10, launchTokens: 0 }
}
const made: Made = {
  ...{ closedTokens: 5, winningTokens: 3, trades: 10, volumeUsd: 2_000, realizedPnlUsd: 1_000 },
  ...{ activeDays: 4, profitableDays: 2, bestShare: 0.5, lastTrade: 1_000_000 }
}
const position = {
  ...{ bought: 50, sold: 40, unpriced: 0, soldUsd: 1_000, costSoldUsd: 10, payoutUsd: 1_000 }
}

describe("flags", () => {
  it.each([
    [{ swaps: 500, tokens: 150 }, []],
    [{ swaps: 501, tokens: 150 }, ["cadence"]],
    [{ swaps: 500, tokens: 151 }, ["sniper"]]
  ])("of a busiest day %o are %o", (day, flags) => {
    expect(dayFlagsOf(day)).toEqual(flags)
  })

  it.each<readonly [Partial<Habits>, ReadonlyArray<string>]>([
    [{}, []],
    [{ burstMinutes: 3 }, []],
    [{ burstMinutes: 4 }, ["burst"]],
    [{ quickSells: 4, sells: 4 }, []],
    [{ quickSells: 5, sells: 101 }, []],
    [{ quickSells: 5, sells: 100 }, ["sameslot"]],
    [{ arbTransactions: 1 }, ["arb"]],
    [{ medianHoldS: 60 }, []],
    [{ medianHoldS: 59.9 }, ["scalp"]],
    [{ medianHoldS: null }, []],
    [{ launchTokens: 5 }, []],
    [{ launchTokens: 6 }, ["launch"]]
  ])("of habits %o are %o", (habits, flags) => {
    expect(habitFlagsOf({ ...calm, ...habits })).toEqual(flags)
  })
})

describe("positions", () => {
  it("are left out with over a tenth of their amount unpriced", () => {
    expect(isUnpriced({ ...position, unpriced: 10 })).toBe(false)
    expect(isUnpriced({ ...position, unpriced: 10.1 })).toBe(true)
  })

  it("are suspect over 1,000 times their cost, or beyond what the deepest pool could pay", () => {
    expect(isSuspect(position)).toBe(false)
    expect(isSuspect({ ...position, costSoldUsd: 1 })).toBe(false)
    expect(isSuspect({ ...position, costSoldUsd: 0.999 })).toBe(true)
    expect(isSuspect({ ...position, payoutUsd: 999 })).toBe(true)
    expect(isSuspect({ ...position, payoutUsd: null })).toBe(false)
  })
})

describe("a wallet", () => {
  it.each<readonly [Partial<Made>, boolean]>([
    [{}, true],
    [{ closedTokens: 4 }, false],
    [{ trades: 9 }, false],
    [{ volumeUsd: 1_999.99 }, false],
    [{ realizedPnlUsd: 999.99 }, false],
    [{ closedTokens: 10 }, true],
    [{ closedTokens: 11 }, false]
  ])("with %o is eligible: %s", (over, eligible) => {
    expect(isEligible({ ...made, ...over })).toBe(eligible)
  })

  it.each([
    [0.6, 1],
    [0.61, 0.75],
    [0.8, 0.75],
    [0.81, 0.5]
  ])("of which one token made %d has a factor of %d", (bestShare, factor) => {
    const wins = 0.35 + 0.65 * ((3 + 10) / (5 + 20))
    const expected = 1_000 * wins * (0.5 + 0.5 * (2 / 4)) * factor * Math.exp(-24 / 48)
    expect(scoreOf({ ...made, bestShare }, 1_000_000 + 24 * 3600)).toBeCloseTo(expected, 9)
  })
})

it("tells a text for each rule", () => {
  expect(smartTraderRule.texts).toHaveLength(7)
})
