/** How many blocks are one node's word, whichever process put them into the log. */
import { expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import { batchOf } from "../../streams/event-objects.ts"
import { blockRef } from "../../test/support/block-batches.ts"
import { GapLedger } from "./gap-ledger.ts"
import { WordLedger } from "./word-ledger.ts"

const seal = (number: number, grade: string): Event => ({
  ...{ kind: "BlockSealed", block: blockRef(number), tx: null, logIndex: 0 },
  ...{ logs: 1, grade }
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
  const ledger = new WordLedger(runs)
  expect(ledger.blocks).toBe(7)
  ledger.observe(batchOf([seal(20, "range"), seal(21, "root"), seal(22, "range")]))
  expect(ledger.blocks).toBe(9)
  // blocks are proven by events of the log that is read, and by outcomes of this process
  ledger.observe(batchOf([proven(23, 1, 7), seal(23, "root")]))
  expect(ledger.blocks).toBe(2)
  const check = { fromBlock: 20, toBlock: 22, was: "range", grade: "root", blocks: 2 }
  ledger.tell({ ...check, differing: 0 }, ledger.epoch)
  ledger.tellIn(batchOf([seal(24, "root")]), new GapLedger())
  expect(ledger.blocks).toBe(0)
})
