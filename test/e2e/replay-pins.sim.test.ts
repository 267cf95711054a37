/** `npm run replay --pin` on files of raw logs, as a user runs it, and what the tables then tell. */
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { openDuckDb } from "../../src/platform/duckdb-local.ts"
import { runCommand } from "../support/command.ts"
import { logOf } from "../support/engine-log.ts"
import { syncLog, transferLog } from "../support/fake-logs.ts"
import { logLine, writeLines } from "../support/log-files.ts"
import { temporaryFolder } from "../support/nats.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
const address = (byte: string) => `0x${byte.repeat(20)}` as const
const [FIRST, OTHER, THIRD] = [address("c3"), address("d4"), address("e5")]
const [POOL, ALICE, BOB] = [address("21"), address("a1"), address("b2")]

const folder = temporaryFolder()
afterAll(() => folder.remove())

const transfer = (block: number, index: number, token: typeof FIRST, amount: bigint) =>
  logLine(block, index, transferLog(token, ALICE, BOB, amount))
const sync = (block: number) => logLine(block, 9, syncLog(POOL, 5n, 5n))

const one = writeLines(folder.path, "one.jsonl", [
  sync(10),
  transfer(11, 0, FIRST, 1n),
  transfer(11, 1, OTHER, 2n),
  sync(12)
])
const two = writeLines(folder.path, "two.jsonl", [
  transfer(20, 0, OTHER, 3n),
  transfer(20, 1, FIRST, 4n)
])
const three = writeLines(folder.path, "three.jsonl", [
  sync(30),
  transfer(31, 0, THIRD, 5n),
  transfer(31, 1, FIRST, 6n),
  transfer(31, 2, OTHER, 7n)
])

const data = ["--data", join(folder.path, "data")]

const run = (files: ReadonlyArray<string>, ...pins: ReadonlyArray<string>) =>
  runCommand("replay", [
    ...["--chain", "base", "--json", "--no-report", ...data],
    ...pins.flatMap(pin => ["--pin", pin]),
    ...files
  ])

/** Counts of the log after a replay. */
const replay = async (files: ReadonlyArray<string>, ...pins: ReadonlyArray<string>) => {
  const { code, stdout, output } = await run(files, ...pins)
  expect(code, output).toBe(0)
  const { events, seq, rejected } = JSON.parse(stdout)
  return { events, seq, rejected }
}

const same = (events: number) => ({ events, seq: events, rejected: 0 })

/** Rows of the table that `coverage` answers from. */
const pinRows = () =>
  Effect.runPromise(
    openDuckDb(join(folder.path, "data", "lanes", "base.duckdb"), { threads: 1 }).pipe(
      Effect.flatMap(database => database.connect),
      Effect.flatMap(({ rows }) =>
        rows("SELECT * FROM (SELECT * FROM pins UNION ALL SELECT * FROM pins_tail) ORDER BY slot")
      ),
      Effect.scoped
    )
  )

it("reads transfers of what is pinned, from there on, and of nothing else", async () => {
  // pinned, and two syncs and a transfer in three sealed blocks
  expect(await replay([one], FIRST.toUpperCase().replace("0X", "0x"))).toEqual(same(7))
  if (isLong) expect(await replay([one])).toEqual(same(7))
  // what the log says is pinned stays so
  expect(await replay([one, two])).toEqual(same(9))
  // a token whose transfers are all new is pinned where the new blocks begin
  expect(await replay([one, two, three], THIRD)).toEqual(same(9 + 6))
  const events = await logOf(join(folder.path, "data"), "base")
  expect(
    events.flatMap(event =>
      event.kind === "TransferSeen" || event.kind === "TokenPinned"
        ? [[event.block.number, event.token, event.kind === "TransferSeen" ? event.amount : null]]
        : []
    )
  ).toEqual([
    [10, FIRST, null],
    [11, FIRST, 1n],
    [20, FIRST, 4n],
    [30, THIRD, null],
    [31, THIRD, 5n],
    [31, FIRST, 6n]
  ])
  const row = { to_block: 10n, reach: null, at_block: 10n }
  const third = { token: THIRD, from_block: 30n, to_block: 30n, reach: null, at_block: 30n }
  expect(await pinRows()).toMatchObject([{ token: FIRST, from_block: 10n, ...row }, third])
})

it("refuses a token whose transfers lie before the log's end, and changes nothing", async () => {
  const refused = await run([one, two, three], OTHER)
  expect(refused).toMatchObject({ code: 1, stdout: "" })
  expect(refused.output).toContain(
    "log 11:1 (block:index) lies before the end of the log (block 31) and is not in it"
  )
  if (isLong) expect(await replay([one, two, three])).toEqual(same(15))
  const verified = await runCommand("verify", data)
  expect(verified.code, verified.output).toBe(0)
  expect(verified.stdout).toMatch(/\nverified: log and tables agree\n$/)
})

it("refuses what is no address", async () => {
  const refused = await run([one], "0x12")
  expect(refused).toMatchObject({ code: 1, stdout: "" })
  expect(refused.output).toContain("--pin: 0x12 is no address of a token")
})
