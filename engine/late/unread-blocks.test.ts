import { expect, it } from "vitest"
import { without } from "../../streams/open-gaps.ts"
import type { Gap } from "../../streams/source.ts"
import { nextPart } from "./history-plan.ts"
import { UnreadBlocks } from "./unread-blocks.ts"

const HEAD = 1_000

/** Looks through what is missing once, of which some blocks cannot be read; counts the parts. */
const look = (
  unread: UnreadBlocks,
  missing: ReadonlyArray<Gap>,
  bad: (block: number) => boolean
) => {
  let left = missing
  let parts = 0
  for (;;) {
    const open = unread.untried(left)
    const cut = { order: "newest", head: HEAD, minPart: 100, most: unread.most } as const
    const part = nextPart(open, cut, null)
    if (part === null) return { left, parts }
    parts++
    const numbers = Array.from(
      { length: part.toBlock - part.fromBlock + 1 },
      (_, i) => part.fromBlock + i
    )
    if (numbers.some(bad)) {
      unread.failed(part, open, `block ${numbers.find(bad)}`)
      continue
    }
    left = without(left, [part])
    unread.placed(part)
  }
}

const whole = [{ fromBlock: 5, toBlock: 999, reason: "backfill" }]

it("finds where a node has forgotten its past in few questions, and asks little again", () => {
  const unread = new UnreadBlocks()
  const first = look(unread, whole, block => block <= 800)
  expect(first.left).toEqual([{ fromBlock: 5, toBlock: 800, reason: "backfill" }])
  expect(unread.runs).toEqual([{ fromBlock: 5, toBlock: 800, reason: "block 800" }])
  expect(first.parts).toBeLessThan(40)
  unread.again()
  // until the next look has tried the blocks they count as unread
  expect(unread.runs).toEqual([{ fromBlock: 5, toBlock: 800, reason: "block 800" }])
  const second = look(unread, first.left, block => block <= 800)
  expect(second.left).toEqual(first.left)
  expect(second.parts).toBeLessThan(15)
  unread.again()
  expect(look(unread, first.left, () => false).left).toEqual([])
  expect(unread.runs).toEqual([])
})

it("asks few questions where the past is not all forgotten", () => {
  const unread = new UnreadBlocks()
  const { left, parts } = look(unread, whole, block => block <= 800 && block % 2 === 0)
  expect(left.at(-1)?.toBlock).toBe(800)
  expect(parts).toBeLessThan(80)
})

it("leaves out one block that nobody can prove", () => {
  const unread = new UnreadBlocks()
  const { left } = look(unread, whole, block => block === 431)
  expect(left).toEqual([{ fromBlock: 431, toBlock: 431, reason: "backfill" }])
  expect(unread.runs).toEqual([{ fromBlock: 431, toBlock: 431, reason: "block 431" }])
})
