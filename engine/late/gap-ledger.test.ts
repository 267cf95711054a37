/** Late blocks close what was missing when they were asked for, and nothing found since. */
import { expect, it } from "vitest"
import { batchOf } from "../../streams/event-objects.ts"
import type { GapMark } from "../../streams/open-gaps.ts"
import { BACKFILL_GAP, type BlockRange } from "../../streams/source.ts"
import { GapLedger } from "./gap-ledger.ts"

const found = (reason: string, { fromBlock, toBlock }: BlockRange, number: number) => {
  const block = { number, time: number, hash: `0x${number}`, parentHash: `0x${number - 1}` }
  const fact = { block, tx: null, logIndex: 0 } as const
  return batchOf([{ kind: "GapFound", ...fact, fromBlock, toBlock, reason }])
}

const range = { fromBlock: 10, toBlock: 19 }
const place = (ledger: GapLedger, fills: ReadonlyArray<BlockRange>): ReadonlyArray<GapMark> => {
  const marks = ledger.closing(range, fills)
  ledger.replaced(range, marks)
  return marks
}

it("leaves open what was found while blocks were read", () => {
  const ledger = new GapLedger()
  ledger.observe(found("lost", { fromBlock: 5, toBlock: 19 }, 30))
  ledger.observe(found("lost", { fromBlock: 12, toBlock: 14 }, 31))
  const early = ledger.closer(range)
  ledger.observe(found("doubt", { fromBlock: 14, toBlock: 15 }, 32))
  place(ledger, early())
  expect(ledger.open).toEqual([
    { fromBlock: 5, toBlock: 9, reason: "lost" },
    { fromBlock: 14, toBlock: 15, reason: "doubt" }
  ])
  place(ledger, ledger.closer(range)())
  expect(ledger.open).toEqual([{ fromBlock: 5, toBlock: 9, reason: "lost" }])
})

it("leaves blocks of history open that were found missing besides", () => {
  const ledger = new GapLedger()
  ledger.observe(found(BACKFILL_GAP, { fromBlock: 1, toBlock: 29 }, 30))
  ledger.observe(found("doubt", { fromBlock: 18, toBlock: 20 }, 31))
  place(ledger, ledger.openIn(range))
  expect(ledger.open).toEqual([
    { fromBlock: 1, toBlock: 9, reason: BACKFILL_GAP },
    { fromBlock: 18, toBlock: 19, reason: "doubt" },
    { fromBlock: 20, toBlock: 29, reason: BACKFILL_GAP }
  ])
})
