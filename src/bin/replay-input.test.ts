import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { runCommand } from "../../test/support/command.ts"
import { temporaryFolder } from "../../test/support/nats.ts"

const folder = temporaryFolder()
afterAll(() => folder.remove())

const word = (digit: string, bytes: number) => `0x${digit.repeat(bytes * 2)}`

const logLine = (block: number, fields: object = {}) =>
  JSON.stringify({
    address: word("a", 20),
    topics: [word("b", 32)],
    data: "0x",
    blockNumber: `0x${block.toString(16)}`,
    blockTimestamp: `0x${(1_700_000_000 + block).toString(16)}`,
    transactionHash: word("c", 32),
    transactionIndex: "0x0",
    logIndex: "0x0",
    ...fields
  })

/** Replays a file of these lines into the one data folder. */
const replay = async (lines: ReadonlyArray<string>, ...args: ReadonlyArray<string>) => {
  const file = join(folder.path, "logs.jsonl")
  writeFileSync(file, lines.map(line => `${line}\n`).join(""))
  const data = ["--data", join(folder.path, "data")]
  const command = await runCommand("replay", ["--chain", "base", ...data, ...args, file])
  const errors = command.output.split("\n").filter(line => line.startsWith("error: "))
  return { ...command, errors, lines: command.stdout.split("\n") }
}

const nothing = (why: string) =>
  `error: nothing in the files could be used, ${why}: give files of raw logs of base (8453)`

it("fails where nothing could be used, and says why", async () => {
  const none = await replay(["rubbish", logLine(1, { removed: true }), logLine(2, { chainId: 1 })])
  const why = "2 lines rejected (logs.jsonl:1: not JSON), 1 log of other chains"
  expect(none).toMatchObject({ code: 1, errors: [nothing(why)] })
  expect(none.lines).toContain("rejected: logs.jsonl:2: removed by a reorg")
})

it.runIf(process.env["SWAPTAPE_LONG"] === "1")("says so of each reason alone", async () => {
  const garbage = await replay(["so", "much", "rubbish"], "--json")
  expect(garbage).toMatchObject({
    code: 1,
    errors: [nothing("3 lines rejected (logs.jsonl:1: not JSON)")]
  })
  expect(JSON.parse(garbage.stdout)).toMatchObject({ logs: 0, rejected: 3, seq: 0 })
  const removed = await replay([logLine(1, { removed: true })])
  expect(removed).toMatchObject({
    code: 1,
    errors: [nothing("1 line rejected (logs.jsonl:1: removed by a reorg)")]
  })
  expect(removed.lines).toContain("rejected: logs.jsonl:1: removed by a reorg")
  const other = await replay([1, 2].map(block => logLine(block, { chainId: 1 })))
  expect(other).toMatchObject({ code: 1, errors: [nothing("2 logs of other chains")] })
  const empty = await replay([])
  expect(empty).toMatchObject({ code: 1, errors: [nothing("there is no line in them")] })
})

it("counts the rejections it does not list", async () => {
  const { code, lines, output } = await replay([...Array(1234).fill("x"), logLine(7)])
  expect(code).toBe(0)
  const rejected = lines.filter(line => line.startsWith("rejected: "))
  expect(rejected.length).toBe(101)
  expect(rejected.slice(-2)).toEqual([
    "rejected: logs.jsonl:100: not JSON",
    "rejected: and 1,134 more"
  ])
  const progress = output.split("\n").filter(line => line.startsWith("replay base ["))
  expect(progress.at(-1)).toBe(`replay base [${"=".repeat(30)}] 100.0 %  1 logs, 0 of 0 events`)
})
