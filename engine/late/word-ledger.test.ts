/** How many blocks are one node's word, whichever process put them into the log. */
import { expect, it } from "vitest"
import { ethereum } from "../../src/domain/chains/ethereum.ts"
import { solana } from "../../src/domain/chains/solana.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf } from "../../streams/event-objects.ts"
import { blockRef } from "../../test/support/block-batches.ts"
import { GapLedger } from "./gap-ledger.ts"
import { WordLedger } from "./word-ledger.ts"

const seal = (number: number, grade: string): Event => ({
  ...{ kind: "BlockSealed", block: blockRef(number), tx: null, logIndex: 0 },
  ...{ logs: 1, grade }
})

const rollback = (toBlock: number): Event => ({
  ...{ kind: "Rollback", block: blockRef(toBlock), tx: null, logIndex: 0 },
  ...{ toSeq: 1, toBlock, toHash: null, fromBlock: toBlock + 1, reason: "reorg" }
})

const proven = (number: number, fromBlock: number, blocks: number): Event => ({
  ...{ kind: "BlocksProven", block: blockRef(number), tx: null, logIndex: 0 },
  ...{ fromBlock, toBlock: fromBlock + blocks - 1, blocks, was: "range", grade: "root" }
})

it("counts what the tables knew at the start and what came since, and not what is proven", () => {
  const runs = [
    { fromBlock: 1, toBlock: 9, grade: "range", blocks: 7 },
    { fromBlock: 10, toBlock: 12, grade: "second", blocks: 3 },
    { fromBlock: 13, toBlock: 19, grade: "file", blocks: 7 }
  ]
  const ledger = new WordLedger(ethereum, runs)
  expect(ledger.blocks).toBe(7)
  ledger.observe(batchOf([seal(20, "range"), seal(21, "root"), seal(22, "range")]))
  expect(ledger.blocks).toBe(9)
  // blocks are proven by events of the log that is read, and by outcomes of this process
  ledger.observe(batchOf([proven(23, 1, 7), seal(23, "root")]))
  expect(ledger.blocks).toBe(2)
  const check = { fromBlock: 20, toBlock: 22, was: "range", grade: "root", blocks: 2 }
  ledger.tell({ ...check, differences: [] }, ledger.epoch)
  ledger.tellIn(batchOf([seal(24, "root")]), new GapLedger())
  expect(ledger.blocks).toBe(0)
})

it("has two that tell the same to look at only where a block can be proven", () => {
  const runs = [
    { fromBlock: 10, toBlock: 12, grade: "second", blocks: 3 },
    { fromBlock: 13, toBlock: 13, grade: "word", blocks: 1 }
  ]
  const looks = [ethereum, solana].map(chain => {
    const ledger = new WordLedger(chain, runs)
    const begins = [ledger.from]
    ledger.done(13, ledger.epoch)
    ledger.observe(batchOf([seal(14, "second"), seal(15, "word"), seal(16, "second")]))
    begins.push(ledger.from)
    ledger.done(15, ledger.epoch)
    const grades = ["word", "second", "root", "file", "unproven"]
    return [...begins, ledger.from, grades.filter(grade => ledger.mayImprove(grade))]
  })
  expect(looks).toEqual([
    [10, 14, 16, ["word", "second"]],
    [13, 15, null, ["word"]]
  ])
})

const CHECK = { was: "range", grade: "root", blocks: 1, differences: [] }

const wordsAt = (...numbers: ReadonlyArray<number>) => {
  const ledger = new WordLedger(ethereum)
  ledger.observe(batchOf(numbers.map(number => seal(number, "range"))))
  return ledger
}

it("is looked at again where words were placed while all others were", () => {
  const ledger = wordsAt(20)
  const { epoch } = ledger
  ledger.placed(wordsAt(3))
  ledger.done(19, epoch)
  expect(ledger.from).toBe(3)
  ledger.done(19, ledger.epoch)
  expect(ledger.from).toBe(20)
})

it("is looked at again where an outcome waited when blocks were placed", () => {
  const ledger = wordsAt(3, 20)
  ledger.tell({ ...CHECK, fromBlock: 3, toBlock: 3 }, ledger.epoch)
  ledger.done(19, ledger.epoch)
  expect(ledger.from).toBe(20)
  ledger.placed(new WordLedger(ethereum))
  expect(ledger.from).toBe(3)
})

it("is looked at again where the block of an outcome is undone", () => {
  const ledger = wordsAt(3, 20)
  ledger.tell({ ...CHECK, fromBlock: 3, toBlock: 3 }, ledger.epoch)
  ledger.done(19, ledger.epoch)
  ledger.tellIn(batchOf([seal(24, "root")]), new GapLedger())
  ledger.observe(batchOf([rollback(24), seal(25, "root")]))
  expect(ledger.from).toBe(20)
  ledger.observe(batchOf([rollback(23), seal(24, "root")]))
  expect(ledger.from).toBe(3)
})

it("is looked at as a whole where a rollback goes back before the start", () => {
  const runs = [{ fromBlock: 10, toBlock: 10, grade: "range", blocks: 1 }]
  const ledger = new WordLedger(ethereum, runs, 20)
  ledger.done(15, ledger.epoch)
  ledger.observe(batchOf([rollback(20), seal(21, "root")]))
  expect(ledger.from).toBe(null)
  ledger.observe(batchOf([rollback(19), seal(20, "root")]))
  expect(ledger.from).toBe(0)
})
