/** `npm run replay -- --chain solana` as its user runs it; the whole of it is simulated beside. */
import { gzipSync } from "node:zlib"
import { afterAll, expect, it } from "vitest"
import { jsonOf } from "../../streams/solana/made-transaction.ts"
import { madeSwap } from "../../streams/solana/meteora-dlmm/made-swap.ts"
import { blockOn, newSolanaReplay } from "../../test/support/solana-replay.ts"

const folder = newSolanaReplay()
const { file, replay } = folder
afterAll(() => folder.remove())

/** In a block of which nothing but the block tells the slot and the time. */
const swapped = {
  ...jsonOf({
    instructions: [madeSwap(100n, 70n)],
    tokens: { X: ["mint X", 0n, 100n], Y: ["mint Y", 1_000n, 930n] }
  }),
  slot: null,
  blockTime: null
}

it("orders blocks by slots that later ones tell, and refuses what has no order", async () => {
  const lines = [
    blockOn(12, 203, { transactions: [swapped] }),
    blockOn(10, 202, { transactions: [swapped] }),
    swapped
  ]
  const path = file(
    "blocks.jsonl.gz",
    gzipSync(lines.map(line => `${JSON.stringify(line)}\n`).join(""))
  )
  const { code, stdout } = await replay("blocks", "--json", path)
  expect(code).toBe(0)
  // slot 12 of the one that follows it; of the last block nothing tells the slot
  expect(JSON.parse(stdout)).toMatchObject({ chain: "solana", transactions: 1, rejected: 2 })
  const untimed = file(
    "untimed.json",
    JSON.stringify(blockOn(20, 204, { slot: 21, blockTime: null, transactions: [swapped] }))
  )
  const refused = await replay("untimed", untimed)
  expect([refused.code, refused.output]).toEqual([
    1,
    expect.stringContaining("untimed.json:1: slot 21 has no time: give a file of block times")
  ])
})

it("refuses options of files of logs", async () => {
  const path = file("one.json", JSON.stringify(swapped))
  const { code, output } = await replay("none", "--find-removed", path)
  expect([code, output]).toEqual([1, expect.stringContaining("--find-removed is of files of logs")])
})
