/** `npm run replay -- --chain solana` as its user runs it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, expect, it } from "vitest"
import { addressOf, jsonOf } from "../../streams/solana/made-transaction.ts"
import { madeSwap } from "../../streams/solana/meteora-dlmm/made-swap.ts"
import { solanaVenues } from "../../streams/solana/venues.ts"
import { runCommand } from "../../test/support/command.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { describeWithSharedData, sharedData } from "../../test/support/shared-data.ts"

const folder = temporaryFolder()
afterAll(() => folder.remove())

const replay = (data: string, ...args: ReadonlyArray<string>) =>
  runCommand("replay", ["--chain", "solana", "--data", join(folder.path, data), ...args])

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder.path, name)
  writeFileSync(path, content)
  return path
}

/** In a block of which nothing but the block tells the slot and the time. */
const swapped = {
  ...jsonOf({
    instructions: [madeSwap(100n, 70n)],
    tokens: { X: ["mint X", 0n, 100n], Y: ["mint Y", 1_000n, 930n] }
  }),
  slot: null,
  blockTime: null
}

const blockOn = (parentSlot: number, hash: number, more: object = {}) => ({
  ...{ blockhash: addressOf(hash), previousBlockhash: addressOf(hash - 1), parentSlot },
  ...{ blockTime: 1_700_000_000 + parentSlot, transactions: [swapped], ...more }
})

it("orders blocks by slots that later ones tell, and refuses what has no order", async () => {
  const lines = [blockOn(12, 203), blockOn(10, 202), swapped]
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
    JSON.stringify(blockOn(20, 204, { slot: 21, blockTime: null }))
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

interface Expected {
  readonly signature: string
  readonly slot: number | null
  readonly failed: boolean
  readonly venue: string
}

const VENUE = 1
const SWAPS = 3
const BAD = 5

describeWithSharedData("real transactions", ["solana/tx", "solana/expected.jsonl"], () => {
  const path = (name: string) => join(sharedData, "solana", name)
  const files = ["tx", "tx-parsed"].flatMap(part =>
    readdirSync(path(part)).map(name => join(path(part), name))
  )

  it("are in the log with every swap whose slot is known, and verify", async () => {
    const { code, output, stdout } = await replay("real", ...files)
    expect(code, output).toBe(0)
    const expected = readFileSync(path("expected.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map(line => JSON.parse(line) as Expected)
      .filter(({ failed, slot }) => !failed && slot !== null)
    const isSwap = (one: string) => expected.some(({ signature }) => one.includes(signature))
    const rows = stdout
      .split("\n")
      .map(line => line.trim().split(/\s+/))
      .filter(cells => cells.length === 9)
    expect(rows.map(cells => cells[VENUE])).toEqual(solanaVenues.map(({ name }) => name))
    for (const cells of rows) {
      const swaps = expected.filter(({ venue }) => venue === cells[VENUE]).length
      expect([cells[VENUE], Number(cells[SWAPS]), cells[BAD]]).toEqual([cells[VENUE], swaps, "0"])
    }
    expect(stdout).toContain(` events, ${expected.length} swaps\n`)
    expect(stdout).toContain("json:1: a transaction without a slot has no place")
    const again = JSON.parse((await replay("real", "--json", ...files)).stdout)
    expect(again).toMatchObject({ swaps: expected.length, transactions: files.length - 1 })
    const slotOf = (one: string) => JSON.parse(readFileSync(one, "utf8")).slot ?? -1
    const [later, earlier] = files.toSorted((a, b) => slotOf(b) - slotOf(a)).filter(isSwap)
    expect((await replay("late", later ?? "")).code).toBe(0)
    const refused = await replay("late", earlier ?? "")
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining("lies before the end of the log")
    ])
    const data = join(folder.path, "real")
    expect(await runCommand("verify", ["--data", data])).toMatchObject({ code: 0 })
  })
})
