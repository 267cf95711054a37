/** Which blocks marks leave missing, against a count of each block's marks. */
import { expect, it } from "vitest"
import { rounds } from "../test/support/rounds.ts"
import { random } from "../test/support/seed.ts"
import { fillsOf, type GapMark, openGaps } from "./open-gaps.ts"

const found = (fromBlock: number, toBlock: number, reason = "found"): GapMark => ({
  ...{ open: true, fromBlock, toBlock, reason, at: 100 }
})
const filled = (fromBlock: number, toBlock: number): GapMark => ({
  ...{ open: false, fromBlock, toBlock, reason: null, at: toBlock }
})
const gap = (fromBlock: number, toBlock: number, reason = "found") => ({
  ...{ fromBlock, toBlock, reason }
})

it("closes a gap in whatever order the two stand", () => {
  expect(openGaps([found(5, 9), filled(5, 9)])).toEqual([])
  expect(openGaps([filled(5, 9), found(5, 9)])).toEqual([])
  expect(openGaps([filled(6, 7), found(5, 9)])).toEqual([gap(5, 5), gap(8, 9)])
})

it("opens blocks again that were filled and are found missing once more", () => {
  const again = [found(5, 9, "first"), filled(5, 9), found(7, 8, "second")]
  expect(openGaps(again)).toEqual([gap(7, 8, "second")])
  expect(openGaps(again.toReversed())).toEqual([gap(7, 8, "first")])
  expect(fillsOf(again, { fromBlock: 7, toBlock: 8 })).toEqual([{ fromBlock: 7, toBlock: 8 }])
})

it("names a block once where several find it missing, and closes all of them", () => {
  const twice = [found(5, 9), found(8, 12)]
  expect(openGaps(twice)).toEqual([gap(5, 9), gap(10, 12)])
  const fills = fillsOf(twice, { fromBlock: 1, toBlock: 20 })
  expect(fills[0]).toEqual({ fromBlock: 5, toBlock: 12 })
  expect(fillsOf(twice, { fromBlock: 8, toBlock: 10 }).length).toBe(2)
  expect(
    openGaps([...twice, ...fills.map(range => filled(range.fromBlock, range.toBlock))])
  ).toEqual([])
})

it("is, block by block, what was found more often than it was filled", () => {
  const r = random("open gaps")
  for (let round = 0; round < rounds(300); round++) {
    const marks = Array.from({ length: r.integer(0, 8) }, () => {
      const from = r.integer(0, 15)
      const to = from + r.integer(0, 5)
      return r.boolean() ? found(from, to) : filled(from, to)
    })
    const balance = (block: number) =>
      marks
        .filter(({ fromBlock, toBlock }) => fromBlock <= block && block <= toBlock)
        .reduce((sum, { open }) => sum + (open ? 1 : -1), 0)
    const blocks = Array.from({ length: 24 }, (_, block) => block)
    const open = openGaps(marks)
    const isOpen = (block: number) =>
      open.filter(({ fromBlock, toBlock }) => fromBlock <= block && block <= toBlock).length
    expect(blocks.map(isOpen)).toEqual(blocks.map(block => (balance(block) > 0 ? 1 : 0)))
  }
})
