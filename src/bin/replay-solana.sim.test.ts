/** A history of Solana that is replayed, looked at, served, replayed again and verified. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { signature } from "../../streams/solana/made-block.ts"
import { addressOf, jsonOf } from "../../streams/solana/made-transaction.ts"
import { madeSwap } from "../../streams/solana/meteora-dlmm/made-swap.ts"
import { solanaVenues } from "../../streams/solana/venues.ts"
import { runCommand } from "../../test/support/command.ts"
import { type Engine, startEngine } from "../../test/support/engine.ts"
import { describeWithSharedData, sharedData } from "../../test/support/shared-data.ts"
import { blockOn, newSolanaReplay } from "../../test/support/solana-replay.ts"
import { solana } from "../domain/chains/solana.ts"

/** A line of `log cat`. */
interface Logged {
  readonly kind: string
  readonly block: { readonly number: number; readonly time: number }
}

const folder = newSolanaReplay()
const { file, replay } = folder
let served: Engine | null = null
afterAll(async () => {
  await served?.end("SIGKILL")
  folder.remove()
})

/** Dollars, which the registry has, for a mint that no list knows; of accounts that are some. */
const MINT = addressOf(62)
const DOLLAR = solana.anchors.find(({ symbol }) => symbol === "USDC")?.address ?? ""
const trade = (n: number) => {
  const { transaction, ...rest } = jsonOf({
    instructions: [madeSwap(4_000_000n, 2_000_000n)],
    tokens: { X: [MINT, 0n, 4_000_000n], Y: [DOLLAR, 9_000_000n, 7_000_000n] }
  })
  const named = new Map([
    ["payer", addressOf(60)],
    ["me", addressOf(61)]
  ])
  const accountKeys = transaction.message.accountKeys.map(key => named.get(key) ?? key)
  const message = { ...transaction.message, accountKeys }
  const signatures = [signature(n)]
  return { ...rest, slot: null, blockTime: null, transaction: { signatures, message } }
}

/** Slot 21, of which the block does not tell the time, and slot 22. */
const untimed = () =>
  file(
    "two.jsonl",
    [
      blockOn(20, 204, { slot: 21, blockTime: null, transactions: [trade(1)] }),
      blockOn(21, 205, { slot: 22, transactions: [trade(2)] })
    ]
      .map(line => `${JSON.stringify(line)}\n`)
      .join("")
  )

const logged = async (data: string): Promise<ReadonlyArray<Logged>> => {
  const args = ["cat", "--chain", "solana", "--data", join(folder.path, data)]
  const { stdout } = await runCommand("log", args)
  return stdout
    .trim()
    .split("\n")
    .map(line => JSON.parse(line))
}

it("takes times of blocks and facts of tokens of files", async () => {
  const times = file("times.jsonl", '{"number":21,"timestamp":1700000005}\n')
  const tokens = file("tokens.csv", `address,symbol,name,decimals\n${MINT},MINE,My Own,6\n`)
  const options = ["--blocks", times, "--tokens", tokens, "--json", untimed()]
  const { code, stdout } = await replay("timed", ...options)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ transactions: 2, rejected: 0, swaps: 2 })
  const events = await logged("timed")
  const seen = events.filter(({ kind }) => kind === "TokenSeen")
  expect(seen).toMatchObject([
    { token: MINT, symbol: "MINE", name: "My Own", decimals: 6, source: "file" },
    { token: DOLLAR, symbol: "USDC", decimals: 6, source: "registry" }
  ])
  const sealed = events.filter(({ kind }) => kind === "BlockSealed")
  expect(sealed.map(({ block }) => [block.number, block.time])).toEqual([
    [21, 1_700_000_005],
    [22, 1_700_000_021]
  ])
  const other = file("other.jsonl", '{"number":22,"timestamp":1700000005}\n')
  const refused = await replay("other", "--blocks", other, "--skip-untimed", untimed())
  expect([refused.code, refused.output]).toEqual([
    1,
    expect.stringContaining("two.jsonl:2: slot 22 has another time in the file of block times")
  ])
})

it("leaves out one by one what has no time, where it may", async () => {
  const { code, stdout } = await replay("skipped", "--skip-untimed", "--no-report", untimed())
  expect(code).toBe(0)
  expect(stdout.replace(/in [0-9.]+ s/, "in no time")).toBe(
    "solana: 1 transactions read in no time " +
      "(0 failed, 0 told twice, 0 events that the log had, 1 rejected)\n" +
      "log and tables stand at seq 6: 6 events, 1 swaps\n" +
      "rejected: two.jsonl:1: slot 21 has no time\n"
  )
})

it("serves what it replayed", async () => {
  const dataDir = join(folder.path, "served")
  const args = ["--chain", "solana", "--no-report", "--skip-untimed", "--serve", untimed()]
  served = await startEngine({ dataDir, command: ["replay", ...args] })
  await served.ready()
  await expect
    .poll(() => served?.lane("solana"))
    .toMatchObject({
      ...{ state: "history", problem: null, source: null, seq: 6, logSeq: 6, swaps: 1 },
      ...{ block: 22, blockTime: 1_700_000_021, assurance: "word" }
    })
  const { body } = await served.get(`/chains/solana/token/${MINT}/trades`)
  expect(body).toMatchObject({
    ...{ chain: "solana", token: MINT, nextBefore: null, updatedAt: 1_700_000_021 },
    trades: [
      {
        ...{ tx: signature(2), logIndex: 0, dex: "meteora_dlmm", side: "sell", block: 22 },
        ...{ tokenAmt: 4, quoteAmount: 2, usd: 2, priceUsd: 0.5, ts: 1_700_000_021 },
        ...{ pool: addressOf(1) },
        ...{ wallet: addressOf(60), walletBy: "direct" }
      }
    ]
  })
  expect(body.trades.length).toBe(1)
  expect(await served.end("SIGTERM")).toEqual({ code: 0, signal: null })
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
