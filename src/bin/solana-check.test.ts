/** `npm run solana:check` as its user runs it. */
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { addressOf, jsonOf } from "../../streams/solana/made-transaction.ts"
import { madeSwap } from "../../streams/solana/meteora-dlmm/made-swap.ts"
import { solanaVenues } from "../../streams/solana/venues.ts"
import { Command, eventually } from "../../test/support/engine.ts"
import { FakeSolana, fakeNode } from "../../test/support/fake-solana.ts"
import type { LocalServer } from "../../test/support/local-http.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { describeWithSharedData, sharedData } from "../../test/support/shared-data.ts"

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** Lines of what venues told, with those that head them. */
const ROWS = 1 + solanaVenues.length

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
  expect(printed.slice(ROWS)).toEqual([
    "    all                     3      3   3    0          0         0            0",
    `malformed: ${join(folder.path, "lines.jsonl.gz")}:4: no JSON`,
    "3 transactions, 0 of them failed, 0 swaps by aggregators"
  ])
})

it("ends with 1 where a swap is bad, and says which", async () => {
  const { code, lines } = await run(file("bad.json", JSON.stringify(swapped(69n))))
  expect([code, lines.at(-2)]).toEqual([
    1,
    "bad: signature: vaults contradict the swap: vault Y gained 1 more than its swaps say " +
      `(meteora-dlmm, pool ${addressOf(1)}, instruction 0: 100 of mint X in, 70 of mint Y out)`
  ])
})

it.each([
  [[], "error: at least one FILE is needed, or --rpc: npm run solana:check -- --help tells more"],
  [["--bogus"], "error: Unknown option '--bogus': npm run solana:check -- --help tells more"],
  [["missing"], "error: the file of transactions, missing: there is no such file"]
])("refuses %j", async (args, message) => {
  expect(await run(...args)).toEqual({ code: 1, lines: [message] })
})

it.each([
  [["--rpc", "nonsense"], "part 1 of --rpc is no http or ws URL"],
  [["--rpc", "http://127.0.0.1:1", "file"], "FILE and --rpc are two ways"],
  [["--rpc", "http://127.0.0.1:1", "--from", "x"], "--from x is no slot"],
  [["--rpc", "http://127.0.0.1:1", "--to", "5"], "--to needs a --from that is not after it"],
  [
    ["--rpc", "http://127.0.0.1:1", "--from", "6", "--to", "5"],
    "--to needs a --from that is not after it"
  ]
])("refuses %j as well", async (args, problem) => {
  const message = `error: ${problem}: npm run solana:check -- --help tells more`
  expect(await run(...args)).toEqual({ code: 1, lines: [message] })
})

describe("of nodes", () => {
  const chain = new FakeSolana()
  for (let i = 0; i < 40; i++) chain.produce(i % 5 === 0 ? 1 : 0)
  const gone = chain.blocks[5]!.slot
  let nodes: ReadonlyArray<LocalServer>
  beforeAll(async () => {
    const without = await fakeNode(chain, ({ method, params }) =>
      method === "getBlock" && params[0] === gone
        ? { error: { code: -32001, message: "cleaned up" } }
        : null
    )
    nodes = [without, await fakeNode(chain)]
  })
  afterAll(() => Promise.all(nodes.map(node => node.close())))

  const range = ["--from", `${chain.blocks[2]!.slot}`, "--to", `${chain.blocks[20]!.slot}`]
  const urls = () => nodes.map(({ url }) => url)

  it("reads a range, of whichever node has its blocks", async () => {
    const { code, lines } = await run("--rpc", urls().join(), ...range)
    expect([code, lines.slice(-2)]).toEqual([
      0,
      ["57 transactions, 0 of them failed, 0 swaps by aggregators", "19 blocks"]
    ])
  })

  it("ends with 1 where slots could not be read, and says which", async () => {
    const { code, lines } = await run("--rpc", urls()[0]!, ...range)
    const { host } = new URL(urls()[0]!)
    expect([code, lines.at(-1)]).toEqual([
      1,
      `not read: slots ${range[1]} to ${range[3]}: slot ${gone}: no endpoint has its block: ` +
        `${host} getBlock: cleaned up (-32001)`
    ])
  })

  it("follows the head and reads what lies before it, until it is interrupted", async () => {
    const from = chain.blocks[3]!.slot
    const asked = (slot: number) =>
      nodes.some(({ requests }) =>
        requests.some(({ body }) => body.includes(`"params":[${slot},{`))
      )
    const command = new Command("solana-check", ["--rpc", urls().join(), "--from", `${from}`])
    await eventually("history that is read", () => asked(from))
    const { slot } = chain.produce()
    await eventually("a block that came meanwhile", () => asked(slot))
    expect(await command.end("SIGINT")).toEqual({ code: 130, signal: null })
    expect(command.output).toContain("0 forks")
  })
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
    expect([code, ...lines.slice(ROWS)]).toEqual([
      0,
      "    all                    59     48  48    0          0         0            8",
      "1,161 transactions, 108 of them failed, 31 swaps by aggregators"
    ])
  })
})
