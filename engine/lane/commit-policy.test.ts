import { expect, it } from "vitest"
import { type CommitFacts, isCommitDue } from "./commit-policy.ts"

/** Just behind the end of a log that nobody reads. */
const behind: CommitFacts = {
  ...{ events: 10, sinceMs: 10, hasMore: true, behind: 1000, left: -1, inPlaceEvents: 20_000 },
  roomEvents: 1_600_000,
  ...{ held: Number.POSITIVE_INFINITY, isAwaited: false, unreadMs: Number.POSITIVE_INFINITY }
}
const far = { ...behind, behind: 400_001 }

/** The first of growing numbers of which it is due. */
const firstDue = (name: "events" | "sinceMs", facts: CommitFacts): number => {
  let [low, high] = [0, 10_000_000]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isCommitDue({ ...facts, [name]: middle })) high = middle
    else low = middle + 1
  }
  return low
}

it("is due at once where nothing more can be folded", () => {
  expect(isCommitDue({ ...behind, hasMore: false })).toBe(true)
  expect(isCommitDue({ ...far, hasMore: false })).toBe(true)
  expect(isCommitDue(behind)).toBe(false)
})

it("is due after a second, far from the log's end after forty, and soon where it is awaited", () => {
  expect(firstDue("sinceMs", behind)).toBe(1000)
  expect(firstDue("sinceMs", far)).toBe(40_000)
  for (const facts of [behind, far]) {
    expect(firstDue("sinceMs", { ...facts, isAwaited: true })).toBe(100)
  }
})

it("is as often due far from the log's end as near it while somebody reads", () => {
  expect(firstDue("sinceMs", { ...far, unreadMs: 5000 })).toBe(1000)
  expect(firstDue("events", { ...far, unreadMs: 5000 })).toBe(400_000)
  expect(firstDue("sinceMs", { ...far, unreadMs: 5001 })).toBe(40_000)
  expect(firstDue("events", { ...far, unreadMs: 5001 })).toBe(1_600_000)
})

it("holds no more events than the lane's memory lets it", () => {
  const facts = { ...behind, roomEvents: 300_000 }
  expect(firstDue("events", facts)).toBe(300_000)
  expect(firstDue("events", { ...facts, behind: 400_001 })).toBe(300_000)
})

it("holds no more events than are left to the end as it was at the beginning", () => {
  expect(firstDue("events", { ...behind, left: 100_000 })).toBe(100_000)
  expect(firstDue("events", { ...behind, left: 1000 })).toBe(5000)
  expect(firstDue("events", { ...behind, left: 2_000_000 })).toBe(400_000)
  expect(firstDue("events", { ...far, left: 900_000 })).toBe(900_000)
})

it("is due before memory lets go of what it would commit, while somebody reads", () => {
  const facts = { ...behind, held: 200_000 }
  expect(firstDue("events", { ...facts, unreadMs: 5000 })).toBe(100_000)
  expect(firstDue("events", { ...facts, behind: 400_001, unreadMs: 5000 })).toBe(100_000)
  expect(firstDue("events", { ...facts, unreadMs: 5001 })).toBe(400_000)
})

it("is due where the clock was set back since the first of it was folded", () => {
  expect(isCommitDue({ ...behind, sinceMs: -3_600_000 })).toBe(true)
})
