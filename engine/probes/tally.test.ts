import { expect, it } from "vitest"
import type { ProbeRecord } from "./probe-record.ts"
import { type Probe, Tally } from "./tally.ts"
import { UptimeBook } from "./uptime.ts"

const DAY = 86_400
const MIDNIGHT = 20_000 * DAY

const well = new Map([["base", true]])
const unwell = new Map([["base", false]])

/** The records of probes ten seconds apart from a time on, and of what is left at the end. */
const recordsOf = (from: number, found: ReadonlyArray<Probe["chains"]>) => {
  const tally = new Tally(10)
  const records = found.flatMap((chains, i) => tally.add({ at: from + 10 * i, chains }))
  return [...records, ...tally.flush()]
}

/** A record's span relative to a time, and its numbers. */
const short = (from: number) => (record: ProbeRecord) => {
  const { probes, ok } = record.chains["base"] ?? { probes: 0, ok: 0 }
  const span = [record.from - from, record.to - from]
  return [...span, record.probes, record.answered, probes, ok]
}

it("tells a new outcome at once, and an unchanged one every five minutes", () => {
  const from = MIDNIGHT + 1000
  const minutes = (count: number, chains: Probe["chains"]) =>
    Array.from({ length: 6 * count }, () => chains)
  const found = [...minutes(6, well), ...minutes(1, null), ...minutes(1, unwell)]
  expect(recordsOf(from, found).map(short(from))).toEqual([
    [0, 0, 1, 1, 1, 1],
    [10, 300, 30, 30, 30, 30],
    [310, 350, 5, 5, 5, 5],
    [360, 360, 1, 0, 1, 0],
    [370, 410, 5, 0, 5, 0],
    [420, 420, 1, 1, 1, 0],
    [430, 470, 5, 5, 5, 0]
  ])
})

it("knows no chain before the first answer, and makes no record over midnight", () => {
  const from = MIDNIGHT - 25
  const found = [null, null, well, well, well, well, well]
  expect(recordsOf(from, found).map(short(from))).toEqual([
    [0, 0, 1, 0, 0, 0],
    [10, 10, 1, 0, 0, 0],
    [20, 20, 1, 1, 1, 1],
    [30, 60, 4, 4, 4, 4]
  ])
})

it("sums days, keeps the newest, and counts what nobody measured neither way", () => {
  const book = new UptimeBook(2)
  expect(book.told()).toBe(null)
  for (const day of [0, 1, 3]) {
    const found = [well, well, null, unwell]
    for (const record of recordsOf(MIDNIGHT + day * DAY, found)) book.apply(record)
  }
  const dayOf = (day: number) => ({
    ...{ day: MIDNIGHT + day * DAY, measuredS: 40, okS: 30 },
    chains: [{ chain: "base", measuredS: 40, okS: 20 }]
  })
  expect(book.told()).toEqual({
    since: MIDNIGHT,
    until: MIDNIGHT + 3 * DAY + 30,
    days: [dayOf(1), dayOf(3)]
  })
})
