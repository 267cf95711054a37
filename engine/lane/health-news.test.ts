import { expect, it } from "vitest"
import { HealthNews } from "./health-news.ts"
import type { LaneHealth } from "./lane-health.ts"

const NOW = 1_800_000_000_000
const well: LaneHealth = {
  ...{ ok: true, state: "live", problem: null, part: null, sourceState: "live" }
}
const bad: LaneHealth = {
  ...{ ok: false, state: "stalled", problem: "refused", part: "source", sourceState: "failed" }
}

it("lines come when trouble begins and ends, and rarer and rarer while it lasts", () => {
  const news = new HealthNews("base")
  const lines: Array<string> = []
  const look = (health: LaneHealth, seconds: number) => {
    const line = news.next(health, NOW + seconds * 1000)
    if (line !== null) lines.push(`${seconds} ${line.isTrouble} ${line.text}`)
  }
  look(well, 0)
  for (let at = 1; at <= 600; at++) look(bad, at)
  look(well, 601)
  for (let at = 602; at < 700; at++) look(at % 2 === 0 ? bad : well, at)
  expect(lines).toEqual([
    "1 true base: refused",
    "61 true base: refused",
    "181 true base: refused",
    "421 true base: refused",
    "601 false base: well again after 10 min"
  ])
  // what comes back and stays is told, however lately it was
  for (let at = 700; at < 712; at++) look(bad, at)
  look(well, 712)
  expect(lines.slice(5)).toEqual([
    "710 true base: refused",
    "712 false base: well again after 12 s"
  ])
})
