/** `npm run solana:check` as its user runs it. */
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, expect, it } from "vitest"
import { jsonOf } from "../../streams/solana/made-transaction.ts"
import { madeSwap } from "../../streams/solana/meteora-dlmm/made-swap.ts"
import { Command } from "../../test/support/engine.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { describeWithSharedData, sharedData } from "../../test/support/shared-data.ts"

const folder = temporaryFolder()
afterAll(() => folder.remove())

const run = async (...args: ReadonlyArray<string>) => {
  const command = new Command("solana-check", args)
  const { code } = await command.exited
  return { code, lines: command.output.trimEnd().split("\n") }
}

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder.path, name)
  writeFileSync(path, content)
  return path
}

const swapped = (y: bigint) =>
  jsonOf({
    instructions: [madeSwap(100n, 70n)],
    tokens: { X: ["mint X", 0n, 100n], Y: ["mint Y", 1_000n, 1_000n - y] }
  })

it("reads files of lines, of one document, and packed ones, and says what they hold", async () => {
  const lines = [swapped(70n), { jsonrpc: "2.0", id: 1, result: swapped(70n) }]
  const text = lines.map(line => JSON.stringify(line)).join("\n")
  const { code, lines: printed } = await run(
    file("lines.jsonl.gz", gzipSync(`${text}\n\n{"meta"`)),
    file("block.json", JSON.stringify({ transactions: [swapped(70n)] }, null, 2))
  )
  expect(code).toBe(0)
  expect(printed.slice(0, 2)).toEqual([
    "    venue              events  swaps  ok  bad  unchecked  noParent  otherEvents",
    " 1  raydium-amm-v4          0      0   0    0          0         0            0"
  ])
  expect(printed.slice(6, 7)).toEqual([
    " 6  meteora-dlmm            3      3   3    0          0         0            0"
  ])
  expect(printed.slice(12)).toEqual([
    "    all                     3      3   3    0          0         0            0",
    `malformed: ${join(folder.path, "lines.jsonl.gz")}:4: no JSON`,
    "3 transactions, 0 of them failed, 0 swaps by aggregators"
  ])
})

it("ends with 1 where a swap is bad, and says which", async () => {
  const { code, lines } = await run(file("bad.json", JSON.stringify(swapped(69n))))
  expect([code, lines.at(-2)]).toEqual([
    1,
    "bad: meteora-dlmm signature 0: vault Y gained 1 more than its swaps say"
  ])
})

it.each([
  [[], "error: at least one FILE is needed: npm run solana:check -- --help tells more"],
  [["--bogus"], "error: Unknown option '--bogus': npm run solana:check -- --help tells more"],
  [["missing"], "error: the file of transactions, missing: there is no such file"]
])("refuses %j", async (args, message) => {
  expect(await run(...args)).toEqual({ code: 1, lines: [message] })
})

it("refuses files without a transaction", async () => {
  const path = file("empty.jsonl", "\n")
  const other = file("other.json", "{}")
  expect(await run(path)).toEqual({
    code: 1,
    lines: ["error: there is no transaction in the files"]
  })
  expect((await run(other)).lines).toEqual([
    `error: there is no transaction in the files (${other}:1: no message)`
  ])
})

describeWithSharedData("real files", ["solana/tx", "solana/tx-parsed"], () => {
  it("finds nothing bad", async () => {
    const files = ["tx", "tx-parsed"].flatMap(part => {
      const path = join(sharedData, "solana", part)
      return readdirSync(path).map(name => join(path, name))
    })
    const block = join(sharedData, "solana/block-100356971.json.gz")
    const { code, lines } = await run(...files, block)
    expect([code, ...lines.slice(12)]).toEqual([
      0,
      "    all                    59     48  48    0          0         0            8",
      "1,161 transactions, 108 of them failed, 31 swaps by aggregators"
    ])
  })
})
