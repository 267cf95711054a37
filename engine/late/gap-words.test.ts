/** Of each kind of gap readers are told what is true of it. */
import { expect, it } from "vitest"
import { BACKFILL_GAP, DOUBTED_GAP } from "../../streams/source.ts"
import { retoldReason } from "./gap-words.ts"
import { gapWarnings } from "./word-runs.ts"

const gap = (block: number, reason: string) => ({ fromBlock: block, toBlock: block + 1, reason })

it("warns of each kind by itself: of blocks told with other times not that they lack anything", () => {
  const gaps = [
    gap(1, BACKFILL_GAP),
    gap(5, retoldReason("times")),
    gap(10, "they differ"),
    gap(15, retoldReason("transactions, times")),
    gap(20, retoldReason("times")),
    gap(25, DOUBTED_GAP)
  ]
  const until = "They are read again until an endpoint proves them"
  expect(gapWarnings(gaps, {})).toEqual([
    "blocks 5..6 and 1 other stretch may have wrong times: other times were told of some of " +
      `them first. ${until}`,
    `blocks 10..11 may lack logs: they differ. ${until}`,
    "blocks 15..16 may have wrong logs, times: other transactions, times were told of some of " +
      `them first. ${until}`,
    `blocks 25..26 may have wrong logs: ${DOUBTED_GAP}. ${until}`
  ])
  const [, ...ofSolana] = gapWarnings(gaps.slice(2, 4), { family: "solana" })
  expect(ofSolana).toEqual([
    "blocks 15..16 may have wrong transactions, times: other transactions, times were told of " +
      "some of them first. They are read again until endpoints tell them alike"
  ])
})
