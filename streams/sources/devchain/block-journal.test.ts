import { expect, test } from "vitest"
import { journalLine, readJournal } from "./block-journal.ts"

const block = (number: number, time: number, branch = 0) => ({ number, time, branch })

test("what was written is read back in order", () => {
  const blocks = [block(6, 100), block(7, 101), block(8, 105, 2)]
  const whole = { isTorn: false, damagedLine: null }
  expect(readJournal(blocks.map(journalLine).join(""))).toEqual({ blocks, ...whole })
  expect(readJournal("")).toEqual({ blocks: [], ...whole })
})

test("a retried number, and all after it, is what counts", () => {
  const lines = [block(6, 100), block(7, 101), block(8, 102), block(7, 110, 1), block(8, 111, 1)]
  expect(readJournal(lines.map(journalLine).join("")).blocks).toEqual([
    block(6, 100),
    block(7, 110, 1),
    block(8, 111, 1)
  ])
})

test("a last line that a crash cut short is left out, even where its number looks whole", () => {
  const torn = { isTorn: true, damagedLine: null }
  const blocks = [block(6, 100), block(7, 101)]
  expect(readJournal("6 100 0\n7 101 0\n8 10")).toEqual({ blocks, ...torn })
  expect(readJournal("6 100 0\n7 101 0")).toEqual({ blocks: [block(6, 100)], ...torn })
})

test("a line that is none is named, and nothing after it is read", () => {
  expect(readJournal("6 100 0\n7 1\n8 102 0\n")).toEqual({
    ...{ blocks: [block(6, 100)], isTorn: false, damagedLine: 2 }
  })
})
