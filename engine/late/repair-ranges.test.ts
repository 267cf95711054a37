import { expect, it } from "vitest"
import { without } from "../../streams/open-gaps.ts"
import type { BlockRange } from "../../streams/source.ts"
import { deepRestMs, RepairRanges } from "./repair-ranges.ts"

/** Tries what is due, a millisecond each, until nothing is; gives what is left and the tries. */
const tryAll = (
  ranges: RepairRanges,
  open: ReadonlyArray<BlockRange>,
  bad: (block: number) => boolean,
  fromMs = 0
) => {
  let left = open
  const tries: Array<BlockRange> = []
  for (let now = fromMs; ; now++) {
    const range = ranges.next(left, now)
    if (range === null) return { left, tries }
    tries.push(range)
    const { fromBlock, toBlock } = range
    const blocks = Array.from({ length: toBlock - fromBlock + 1 }, (_, i) => fromBlock + i)
    if (blocks.some(bad)) ranges.failed(range, now)
    else {
      left = without(left, [range])
      ranges.read(range)
    }
  }
}

it("leaves open only the blocks that nobody can prove", () => {
  const bad = new Set([100, 131, 132])
  const open = [{ fromBlock: 100, toBlock: 299 }]
  const { left, tries } = tryAll(new RepairRanges(10_000, 60_000), open, block => bad.has(block))
  expect(left).toEqual([
    { fromBlock: 100, toBlock: 100 },
    { fromBlock: 131, toBlock: 132 }
  ])
  expect(tries.length).toBe(33)
})

it("tries what is new before what failed, and that after rests that grow", () => {
  const ranges = new RepairRanges(100, 150)
  const never = () => true
  const first = tryAll(ranges, [{ fromBlock: 7, toBlock: 8 }], never)
  expect(first.tries).toEqual([
    { fromBlock: 7, toBlock: 8 },
    { fromBlock: 7, toBlock: 7 },
    { fromBlock: 8, toBlock: 8 }
  ])
  const open = [...first.left, { fromBlock: 20, toBlock: 20 }]
  // block 7 rests until 101, block 8 until 102
  expect(ranges.next(first.left, 100)).toBe(null)
  expect(ranges.next(first.left, 101)).toEqual({ fromBlock: 7, toBlock: 7 })
  expect(ranges.next(open, 101)).toEqual({ fromBlock: 20, toBlock: 20 })
  ranges.failed({ fromBlock: 7, toBlock: 7 }, 200)
  expect(ranges.next([{ fromBlock: 7, toBlock: 7 }], 349)).toBe(null)
  expect(ranges.next([{ fromBlock: 7, toBlock: 7 }], 350)).toEqual({ fromBlock: 7, toBlock: 7 })
})

it("reads many together again once a node is back", () => {
  const ranges = new RepairRanges(500, 500)
  const gap = [{ fromBlock: 1, toBlock: 64 }]
  const { left } = tryAll(ranges, gap, () => true)
  expect(left).toEqual(gap)
  const { left: none, tries } = tryAll(ranges, left, () => false, 1_000)
  expect(none).toEqual([])
  expect(tries.map(({ fromBlock, toBlock }) => toBlock - fromBlock + 1)).toEqual([
    1, 2, 4, 8, 16, 32, 1
  ])
})

it("tries one that pauses every five seconds, and all at once where that can be read", () => {
  const ranges = new RepairRanges(2_000, 600_000)
  const open = Array.from({ length: 34 }, (_, i) => ({ fromBlock: 2 * i, toBlock: 2 * i }))
  // so often that each pauses for minutes
  for (let tries = 0; tries < 12; tries++) for (const one of open) ranges.failed(one, 0)
  const probes = (atMs: number) => tryAll(ranges, open, () => true, atMs).tries
  expect(probes(4_000)).toEqual([])
  expect(probes(5_000)).toEqual([open[0]])
  expect(probes(9_000)).toEqual([])
  expect(probes(10_000)).toEqual([open[1]])
  // endpoints agree again but for one block
  const { left, tries } = tryAll(ranges, open, block => block === 20, 15_000)
  expect(left).toEqual([{ fromBlock: 20, toBlock: 20 }])
  // the last of them is tried some times more, half as many each time
  expect(tries.length).toBe(38)
})

it("rests after old blocks by what was moved, not by how long a busy machine took", () => {
  expect(deepRestMs(24_000, 7_000, 0.05)).toBe(14_000)
  expect(deepRestMs(500, 7_000, 0.05)).toBe(10_000)
  expect(deepRestMs(24_000, null, 0.05)).toBe(480_000)
})
