/** A damaged log of files that were replayed: what is said of it works, and is all that is said. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { runCommand } from "../support/command.ts"
import { syncLog } from "../support/fake-logs.ts"
import { logLine, writeLines } from "../support/log-files.ts"
import { temporaryFolder } from "../support/nats.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
const folder = temporaryFolder()
afterAll(() => folder.remove())

const BLOCKS = 3_000
const POOL = `0x${"21".repeat(20)}` as const
const data = join(folder.path, "data")
const messages = join(data, "nats", "jetstream", "$G", "streams", "TAPE_ETHEREUM", "msgs", "1.blk")
let file = ""

const log = (...args: ReadonlyArray<string>) =>
  runCommand("log", [...args, "--chain", "ethereum", "--data", data])
const replay = () =>
  runCommand("replay", ["--chain", "ethereum", "--data", data, "--json", "--no-report", file])
const verify = () => runCommand("verify", ["--data", data])

/** A bit of the last segment. */
const flip = () => {
  const bytes = readFileSync(messages)
  const at = bytes.length - 1_000
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(messages, bytes)
}

beforeAll(async () => {
  const lines = Array.from({ length: BLOCKS }, (_, block) =>
    logLine(block + 1, 0, syncLog(POOL, BigInt(block + 1), 5n))
  )
  file = writeLines(folder.path, "all.jsonl", lines)
  const { code, output } = await replay()
  expect(code, output).toBe(0)
})

it("is cut and replayed again, as each command says", async () => {
  flip()
  const cut =
    /"npm run log -- cut --chain ethereum --to (\d+) --yes" keeps the part before, and "npm run replay -- --chain ethereum FILE\.\.\." with all the files again adds the rest/
  const checked = await log("check")
  expect(checked.code).toBe(1)
  const to = cut.exec(checked.output)?.[1] ?? checked.output
  expect(Number(to)).toBeGreaterThan(BLOCKS)
  expect(Number(to)).toBeLessThan(2 * BLOCKS)
  const ways = [["repair", "--from-source"], ["repair"]]
  for (const how of isLong ? ways : ways.slice(0, 1)) {
    const { code, output } = await log(...how)
    expect(code).toBe(1)
    expect(output).toContain(`good is its first ${to} events`)
    expect(cut.exec(output)?.[1]).toBe(to)
    expect(output).not.toContain("from-source")
  }
  const done = await log("cut", "--to", to, "--yes")
  expect(done.code, done.output).toBe(0)
  expect(done.output).toContain("or by replaying all files again")
  const early = await verify()
  expect(early.code).toBe(1)
  expect(early.output).toContain(
    `not compared  ethereum: the log ends at ${to}, before the tables' ${2 * BLOCKS}: it was cut`
  )
  expect(early.output).toContain("not verified: tables are ahead of their log\n")
  const again = await replay()
  expect(again.code, again.output).toBe(0)
  const { seq, events, duplicates } = JSON.parse(again.stdout)
  expect({ seq, events, duplicates }).toEqual({
    ...{ seq: 2 * BLOCKS, events: 2 * BLOCKS, duplicates: Number(to) / 2 }
  })
  expect((await verify()).output).toContain("verified: log and tables agree\n")
})
