/** `npm run replay` of more files into a log that holds some: what is the same, new, or wrong. */
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { runCommand } from "../support/command.ts"
import { syncLog } from "../support/fake-logs.ts"
import { logLine, writeLines } from "../support/log-files.ts"
import { temporaryFolder } from "../support/nats.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
const folder = temporaryFolder()
afterAll(() => folder.remove())

const POOL = `0x${"21".repeat(20)}` as const
const sync = (block: number, index = 0, reserve = 5n) =>
  logLine(block, index, syncLog(POOL, reserve, 5n))

const hash = (digit: string) => `0x${digit.repeat(64)}`
const known = { ...sync(20), blockHash: hash("e") }

let files = 0
const replay = (lines: ReadonlyArray<object>, more: ReadonlyArray<string> = []) => {
  const data = ["--chain", "base", "--data", join(folder.path, "data"), ...more]
  const file = writeLines(folder.path, `${files++}.jsonl`, lines)
  return runCommand("replay", [...data, "--json", "--no-report", file])
}

/** Counts of the log and of the file after a replay that went well. */
const counts = async (lines: ReadonlyArray<object>) => {
  const { code, stdout, output } = await replay(lines)
  expect(code, output).toBe(0)
  const { logs, duplicates, seq } = JSON.parse(stdout)
  return { logs, duplicates, seq }
}

const refusal = async (lines: ReadonlyArray<object>, more?: ReadonlyArray<string>) => {
  const { code, stdout, output } = await replay(lines, more)
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  return output.split("\n").find(line => line.startsWith("error: "))
}

const first = [sync(10), sync(10, 1), sync(12)]
/** where the log ends, once blocks of another branch were refused */
let end = 0
const TOGETHER = "the log is in order, so replay these files together into a new --data folder"
const WRONG = "one of both is wrong, and nothing of this file was taken from there on"
const OTHERWISE = `is told otherwise than the log has it (time, transaction, addresses or amounts): ${WRONG}`

it("counts what the log had, and refuses what it has otherwise or passed already", async () => {
  expect(await counts(first)).toEqual({ logs: 3, duplicates: 0, seq: 5 })
  expect(await counts([...first, sync(13)])).toEqual({ logs: 4, duplicates: 3, seq: 7 })
  expect(await refusal([sync(10), sync(10, 1, 6n)])).toBe(
    `error: log 10:1 (block:index) ${OTHERWISE}`
  )
  const other = { ...sync(12), transactionHash: `0x${"f".repeat(64)}` }
  if (isLong) {
    expect(await refusal([...first.slice(0, 2), other, sync(20)])).toBe(
      `error: log 12:0 (block:index) ${OTHERWISE}`
    )
  }
  expect(await refusal([sync(11)])).toBe(
    `error: log 11:0 (block:index) lies before the end of the log (block 13) and is not in it: ${TOGETHER}`
  )
  if (isLong) {
    expect(await refusal([{ ...sync(20), blockTimestamp: 1_700_000_129 }])).toBe(
      "error: block 20 of second 1700000129 comes after the end of the log, " +
        `block 13 of second 1700000130: ${TOGETHER}`
    )
  }
  // a file that lacks senders and hashes of blocks tells nothing otherwise
  const told = { ...sync(13), blockHash: hash("e") }
  expect(await counts([told, sync(14), known])).toEqual({ logs: 3, duplicates: 1, seq: 11 })
})

it("refuses blocks of another branch than the log's", async () => {
  if (isLong) {
    expect(await refusal([{ ...known, blockHash: hash("f") }, sync(21)])).toBe(
      `error: block 20 has another hash in the log than in this file (${hash("f")}): ${WRONG}`
    )
  }
  const blocks = (parent: string) => {
    const row = { number: 21, timestamp: sync(21).blockTimestamp, parentHash: hash(parent) }
    return ["--blocks", writeLines(folder.path, `${parent}.jsonl`, [row])]
  }
  expect(await refusal([sync(21)], blocks("f"))).toBe(
    `error: block 21 follows another block 20 (${hash("f")}) than the log has: ${WRONG}`
  )
  const { code, stdout } = await replay([sync(21)], blocks("e"))
  expect(code).toBe(0)
  ;({ seq: end } = JSON.parse(stdout))
  expect(end).toBe(13)
})

it("takes nothing of files that take back what the log holds, unless they tell it again", async () => {
  const held = sync(21)
  const gone = { ...held, removed: true }
  expect(await refusal([gone, sync(30), sync(31)])).toBe(
    `error: ${files - 1}.jsonl:1 takes log 21:0 (block:index) back (removed: true), which the log ` +
      `holds: nothing was added; ${TOGETHER}, with those that told it`
  )
  if (isLong) expect(await refusal([gone])).toContain("takes log 21:0 (block:index) back")
  if (isLong) expect(await counts([gone, held])).toEqual({ logs: 1, duplicates: 1, seq: end })
  // another transaction's log of that place, which the log never had, and one that was told again
  const other = { ...gone, transactionHash: `0x${"d".repeat(64)}` }
  if (isLong)
    expect(await counts([other, gone, held])).toEqual({ logs: 1, duplicates: 1, seq: end })
  const more = { logs: 2, duplicates: 1, seq: end + 2 }
  expect(await counts([other, gone, held, sync(31)])).toEqual(more)
})
