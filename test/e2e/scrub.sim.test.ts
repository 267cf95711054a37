/** A log that rots on disk while nobody reads it: the engine looks through it and says so. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { type Engine, eventually, startEngine } from "../support/engine.ts"
import { startWorld, type World } from "../support/engine-world.ts"
import { temporaryFolder } from "../support/nats.ts"
import { oneAfterTheOther } from "../support/one-after-the-other.ts"
import { isLong } from "../support/rounds.ts"

const folder = temporaryFolder()
const messages = join(folder.path, "nats/jetstream/$G/streams/TAPE_BASE/msgs/1.blk")
let world: World
let engine: Engine

/** No source reads what is old; the tables hold all of it. */
const serve = (env: Record<string, string> = {}) =>
  startEngine({ dataDir: folder.path, command: ["serve", "--data", folder.path], env })

const flip = () => {
  const bytes = readFileSync(messages)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(messages, bytes)
}

const metric = async (name: string): Promise<number | null> => {
  const text = await (await fetch(`${engine.url}/metrics`)).text()
  const found = new RegExp(`^swaptape_${name}\\{chain="base"\\} (\\S+)$`, "m").exec(text)
  return found === null ? null : Number(found[1])
}

const health = async () => {
  const { status, body } = await engine.get("/health/chains")
  return { status, ...body.chains[0] }
}

const BROKEN =
  /^the log of base is broken at message \d+: .*"npm run log -- repair --chain base --from-source" keeps the part before/

/** That the break is told everywhere. */
const isTold = async () => {
  const found = await eventually("the break", async () => {
    const { ok, part, problem } = await health()
    return !ok && part === "log" && problem
  })
  expect(found).toMatch(BROKEN)
  expect((await engine.get("/health")).status).toBe(503)
  expect((await engine.lane("base")).problem).toBe(found)
  expect(await metric("lane_ok")).toBe(0)
  // the router says for itself that it has no quotes
  const lines = () =>
    engine.output
      .split("\n")
      .filter(line => line.includes("broken at message") && !line.includes("no quotes"))
  await eventually("the line", () => lines().length > 0)
  expect(lines().length).toBe(1)
}

oneAfterTheOther()

beforeAll(async () => {
  world = await startWorld("scrub", { blocks: 30, swaps: 8 })
  engine = await startEngine({ dataDir: folder.path, rpc: world.endpoints })
  await engine.ready()
  for (let i = 0; i < 8; i++) {
    world.mine(1, 8)
    await engine.reaches("base", world.chain.head.number)
  }
  await engine.stop()
})

afterEach(() => engine.end("SIGKILL"))
afterAll(async () => {
  await engine?.end("SIGKILL")
  await world?.close()
  folder.remove()
})

it("is looked through to its end, and nothing is said of a whole one", async () => {
  const before = Date.now() / 1000
  engine = await serve({ LOG_CHECK_REST: "1" })
  await engine.ready()
  await eventually("a whole pass", async () => {
    return ((await metric("log_whole_time_seconds")) ?? 0) > before
  })
  const { seq } = await engine.lane("base")
  await eventually("the end", async () => (await metric("log_checked_seq")) === seq)
  expect(await metric("log_checked_bytes")).toBeGreaterThan(1_000)
  // what is missing of the chain is counted first
  await eventually("health", async () => (await health()).ok)
  expect(await health()).toMatchObject({ status: 200, ok: true, problem: null, part: null })
  expect(await engine.stop()).toEqual({ code: 130, signal: null })
  expect(engine.output).not.toContain("broken")
})

// that a scrub goes on where another was is its own test
it.runIf(isLong)("remembers how far it is", async () => {
  engine = await serve({ LOG_CHECK_RATE: "2000", LOG_CHECK_REST: "1" })
  await engine.ready()
  const { seq } = await engine.lane("base")
  const part = await eventually("a part of it", async () => {
    const now = await metric("log_checked_seq")
    return now !== null && now > 0 && now < (seq ?? 0) && now
  })
  const later = await eventually("more", async () => {
    const now = await metric("log_checked_seq")
    return now !== null && now > part && now
  })
  await engine.end("SIGTERM")
  const file = join(folder.path, "checked", "base.json")
  expect(JSON.parse(readFileSync(file, "utf8")).log.at.seq).toBeLessThanOrEqual(later)
})

it("is told everywhere where a bit of an old segment flipped", async () => {
  flip()
  engine = await serve({ LOG_CHECK_REST: "1" })
  await engine.ready()
  await isTold()
  await engine.stop()
  flip()
})

// the server's memory must have let go of the file: 10 s and more
it.runIf(isLong)("is told of an engine that runs all the while", async () => {
  engine = await serve({ LOG_CHECK_REST: "15" })
  await engine.ready()
  const before = await metric("log_whole_time_seconds")
  await eventually("a pass", async () => (await metric("log_whole_time_seconds")) !== before)
  flip()
  await isTold()
  // a running server holds a message for lost that it could not read once, whatever the file says
  await engine.stop()
  flip()
  engine = await serve({ LOG_CHECK_REST: "1" })
  await engine.ready()
  const { seq } = await engine.lane("base")
  await eventually("it is well again", async () => {
    const { ok, problem } = await health()
    return ok && problem === null && (await metric("log_checked_seq")) === seq
  })
  await engine.stop()
  expect(engine.output).not.toContain("broken")
})
