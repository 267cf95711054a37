import { expect, it } from "vitest"
import { stretchesOf, uptimeWords } from "./uptime.js"

const DAY = 86_400
const today = 20_000 * DAY
const now = today + 3600
const uptime = {
  ...{ since: today - DAY, until: now },
  days: [
    {
      ...{ day: today - DAY, measuredS: 1000, okS: 900 },
      chains: [{ chain: "base", measuredS: 1000, okS: 1000 }]
    },
    { day: today, measuredS: 3600, okS: 3600, chains: [] }
  ]
}

it("counts what was not measured neither way", () => {
  expect(stretchesOf(uptime, now, 3, null)).toEqual([
    { day: today - 2 * DAY, ok: 0, bad: 0, unmeasured: DAY },
    { day: today - DAY, ok: 900, bad: 100, unmeasured: DAY - 1000 },
    { day: today, ok: 3600, bad: 0, unmeasured: 0 }
  ])
  expect(stretchesOf(uptime, now, 2, "base")).toEqual([
    { day: today - DAY, ok: 1000, bad: 0, unmeasured: DAY - 1000 },
    { day: today, ok: 0, bad: 0, unmeasured: 3600 }
  ])
})

it.each([
  [{ ok: 0, bad: 0, unmeasured: 10 }, "not measured"],
  [{ ok: 7200, bad: 0, unmeasured: 0 }, "up 100.00 % of 2 h measured"],
  [{ ok: 99_999, bad: 1, unmeasured: 60 }, "up 99.99 % of 28 h measured, 60 s not measured"]
])("says it in words: %j", (stretch, words) => {
  expect(uptimeWords([stretch])).toBe(words)
})
