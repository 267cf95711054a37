import { spawn } from "node:child_process"
import { once } from "node:events"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTapeLog } from "../../engine/log/tape-log.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { batchOf, eventsOf, eventToJson } from "../../streams/event-objects.ts"
import { blockEvents, blockRef, blocksBatch, rollbackTo } from "../../test/support/block-batches.ts"
import { compiledProgram } from "../../test/support/compiled.ts"
import { eventually } from "../../test/support/engine.ts"
import { openRaw, startLogServer } from "../../test/support/log-server.ts"
import { temporaryFolder } from "../../test/support/nats.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
const folder = temporaryFolder()

/** Begins `npm run log` with these arguments, without the set-up before it. */
const begin = (...args: ReadonlyArray<string>) => {
  const environment: NodeJS.ProcessEnv = { ...process.env, DATA_DIR: folder.path }
  delete environment["NATS_URL"]
  const child = spawn(process.execPath, [...compiledProgram("src/bin/log.ts"), ...args], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"]
  })
  let [out, problems] = ["", ""]
  child.stdout.on("data", bytes => {
    out += bytes
  })
  child.stderr.on("data", bytes => {
    problems += bytes
  })
  const ended = once(child, "close").then(([code]) => ({ code: code as number, out, problems }))
  return { out: () => out, ended }
}

const log = (...args: ReadonlyArray<string>) => begin(...args).ended

const batches: ReadonlyArray<EventBatch> = [
  blocksBatch(1, 3, 4),
  blocksBatch(4, 4, 10),
  batchOf([rollbackTo(3), ...blockEvents(blockRef(4, "other"), 2)])
]
/** The lines of all events; the batch's Rollback has got its toSeq when it was appended. */
const lines = () => batches.flatMap(eventsOf).map((event, i) => eventToJson(event, i + 1))

beforeAll(async () => {
  const server = await startLogServer(folder.path)
  await server.run(
    Effect.gen(function* () {
      const base = yield* openTapeLog("base")
      for (const batch of batches) yield* base.append(batch)
      yield* Effect.flatMap(openTapeLog("arc"), arc => arc.append(blocksBatch(1, 2)))
    })
  )
  await server.stop()
})
afterAll(() => folder.remove())

it("prints events as JSON lines", async () => {
  const all = await log("cat", "--chain", "base")
  expect(all).toEqual({ code: 0, out: `${lines().join("\n")}\n`, problems: "" })
  expect(JSON.parse(lines()[26] ?? "")).toMatchObject({ seq: 27, kind: "Rollback", toSeq: 15 })
  const some = await log("cat", "--chain", "base", "--from", "14", "--to", "18")
  expect(some.out).toBe(`${lines().slice(13, 18).join("\n")}\n`)
  expect((await log("cat", "--chain", "base", "--from", "31")).out).toBe("")
})

it("lists logs and segments", async () => {
  expect((await log("ls")).out).toMatch(
    /^arc: 8 events in 1 segments, \d+ bytes\nbase: 30 events in 3 segments, \d+ bytes\n$/
  )
  const { out } = await log("ls", "--chain", "base")
  const rows = out.trimEnd().split("\n")
  expect(rows.length).toBe(4)
  expect(rows[1]).toMatch(/^ +1 +1 +15 +1 +3 +2023-11-14T22:13:23 +15 +\d+ +[0-9a-f]{16}$/)
  expect(rows[3]).toMatch(/^ +3 +27 +30 +4 +4 .* rolls back to 15$/)
})

it("ends with words where its server goes", async () => {
  const server = await startLogServer(folder.path)
  const following = begin("cat", "--chain", "base", "--follow")
  const all = `${lines().join("\n")}\n`
  await eventually("all events", () => following.out() === all)
  await server.stop()
  const { code, out, problems } = await following.ended
  expect([code, out]).toEqual([1, all])
  expect(problems).toContain("has not answered for 5 s; where an engine or another command had")
})

it("works while the engine's server runs, and finds a break", async () => {
  const server = await startLogServer(folder.path)
  const whole = await log("check", "--chain", "base")
  expect(whole).toMatchObject({ code: 0 })
  expect(whole.out).toMatch(
    /^the log of base is whole: 30 events in 3 segments up to block 4, 1 rollbacks, last hash [0-9a-f]{64}\n$/
  )
  const raw = await openRaw(server.nats.url)
  await raw.publish("base", { headers: [], data: Uint8Array.of(1) })
  await raw.close()
  const broken = await log("check", "--chain", "base")
  expect(broken.code).toBe(1)
  expect(broken.problems).toContain("the log of base is broken at message 4: it is not a segment")
  await server.stop()
})

it("says what is wrong with its arguments", async () => {
  const wrong: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]> = [
    ['no command "dog"', "dog"],
    ["--to 3 is before --from 5", "cat", "--chain", "base", "--from", "5", "--to", "3"],
    ["there is no log of nowhere", "cat", "--chain", "nowhere"],
    ["a command is needed"],
    ["--chain KEY is needed", "cat"],
    ["--from", "cat", "--chain", "base", "--from", "-1"],
    ["--to x is no seq", "cat", "--chain", "base", "--to", "x"],
    ["no data folder", "ls", "--data", "/nowhere/at/all"],
    ["--bad", "ls", "--bad"]
  ]
  // two that their words alone tell, and one that the logs do
  for (const [problem, ...args] of isLong ? wrong : wrong.slice(0, 3)) {
    const { code, problems, out } = await log(...args)
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(problems).toContain(problem)
  }
  expect((await log("--help")).out).toContain("npm run log -- cat --chain KEY")
})
