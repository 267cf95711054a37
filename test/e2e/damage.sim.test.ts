/**
 * Tables and logs that are damaged or gone when the engine starts, or while it runs. It says what
 * it found, answers 503 until it has everything again, and then answers as before.
 */
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { ethereum } from "../../src/domain/chains/ethereum.ts"
import { runCommand } from "../support/command.ts"
import { damageMiddle } from "../support/damage-log.ts"
import { type Engine, freePort, type HttpAnswer, natsPid, startEngine } from "../support/engine.ts"
import { differenceFrom, logOf } from "../support/engine-log.ts"
import { differences, laneAnswers, startWorld, type World } from "../support/engine-world.ts"
import { temporaryFolder } from "../support/nats.ts"
import { oneAfterTheOther } from "../support/one-after-the-other.ts"
import { seed } from "../support/seed.ts"

/**
 * What restores as the others do: half a file beside none, tables whose log alone is there, and a
 * log that is gone at the start as one that is lost while it runs.
 */
const isLong = process.env["SWAPTAPE_LONG"] === "1"
const folder = temporaryFolder()
const tables = join(folder.path, "lanes", "base.duckdb")
const snapshots = join(folder.path, "lanes", "snapshots")
const store = join(folder.path, "nats")
const copies = join(folder.path, "copies")
let world: World
let port: number
let engine: Engine
/** What the running engine answered last, all of it there. */
let before: Awaited<ReturnType<typeof laneAnswers>>

/** Snapshots all the time, so that there are some. */
const start = (env: Record<string, string> = {}) =>
  startEngine({
    dataDir: folder.path,
    rpc: world.endpoints,
    port,
    env: { SNAPSHOT_EVERY: "300", ...env }
  })

const caughtUp = () => engine.reaches("base", world.chain.head.number)

const answers = () => laneAnswers(engine, world)

const stop = async () => expect(await engine.stop()).toEqual({ code: 130, signal: null })

const newestSnapshots = (): ReadonlyArray<string> =>
  readdirSync(snapshots)
    .filter(name => name.endsWith(".duckdb"))
    .sort()
    .reverse()

/** Starts on damaged tables; gives the lane's warnings once it has everything. */
const recover = async (env: Record<string, string> = {}) => {
  engine = await start(env)
  await engine.ready()
  await caughtUp()
  expect(differences(before, await answers())).toEqual([])
  return engine.alive("its warnings", async () => {
    const { warnings } = await engine.lane("base")
    return warnings.length > 0 && warnings
  })
}

oneAfterTheOther()

beforeAll(async () => {
  console.log(`damage: SEED=${seed}`)
  world = await startWorld("damage", { blocks: 60, swaps: 8, tokens: 4 })
  port = await freePort()
  engine = await start()
  await caughtUp()
  for (let i = 0; i < 5; i++) {
    world.mine(12, 8)
    await caughtUp()
  }
  await engine.alive("snapshots", () => existsSync(snapshots) && newestSnapshots().length === 2)
  cpSync(store, copies, { recursive: true })
  before = await answers()
})

afterAll(async () => {
  await engine?.end("SIGKILL")
  await world?.close()
  folder.remove()
})

it.runIf(isLong)("restores the newest snapshot in place of a truncated file", async () => {
  await stop()
  const [newest] = newestSnapshots()
  truncateSync(tables, readFileSync(tables).length >> 1)
  const [warning, ...more] = await recover()
  // half a file may open, and fail at whatever is read of it first
  expect(warning).toContain("tables could not be used (")
  expect(warning).toContain(
    `moved aside to ${tables}.broken, which may be deleted; snapshot ${newest} restored`
  )
  expect(more).toEqual([])
  expect(existsSync(`${tables}.broken`)).toBe(true)
})

it("passes over a damaged snapshot in place of garbage", async () => {
  await stop()
  const [newest = "", older] = newestSnapshots()
  const bytes = readFileSync(join(snapshots, newest))
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  writeFileSync(join(snapshots, newest), bytes)
  writeFileSync(tables, "this is no database")
  const [warning, ...more] = await recover()
  expect(warning).toContain("tables could not be used (")
  expect(warning).toContain(
    `moved aside to ${tables}.broken, which may be deleted; snapshot ${older} restored`
  )
  expect(more).toEqual([])
  // in place of those that broke before
  expect(readFileSync(`${tables}.broken`, "utf8")).toBe("this is no database")
})

it("folds the log again where the lanes are gone, and says 503 until it has", async () => {
  await engine.end("SIGKILL")
  rmSync(join(folder.path, "lanes"), { recursive: true })
  engine = await start()
  const path = `/chains/base/token/${world.market.tokens[0]?.address}/trades?limit=500`
  const early: Array<HttpAnswer> = []
  await engine.alive("the last answer", async () => {
    const answer = await engine.get(path)
    early.push(answer)
    return answer.status === 200
  })
  const last = early.pop()
  expect(last).toMatchObject(before[path] as object)
  for (const { status, body } of early) {
    expect(status).toBe(503)
    expect(body).toEqual({ error: "NOT_READY", message: expect.stringContaining("base") })
  }
  expect(early.length).toBeGreaterThan(0)
  await caughtUp()
  expect(differences(before, await answers())).toEqual([])
})

it.runIf(isLong)("starts from the write-ahead log alone", async () => {
  await engine.end("SIGKILL")
  rmSync(tables)
  engine = await start()
  await caughtUp()
  expect(differences(before, await answers())).toEqual([])
})

// that answers are true all the while is a law of late changes
it.runIf(isLong)(
  "takes the tables back to a log whose tail was lost, and gets the tail again",
  async () => {
    world.mine(10, 8)
    await caughtUp()
    before = await answers()
    await stop()
    rmSync(store, { recursive: true })
    cpSync(copies, store, { recursive: true })
    const [warning] = await recover()
    expect(warning).toMatch(
      /its tail was lost; tables taken back to [1-9]\d* and folded again from there/
    )
  }
)

it.runIf(isLong)("says that the log is gone, and makes it again from where it began", async () => {
  await stop()
  rmSync(store, { recursive: true })
  const [warning] = await recover({ START_8453: "latest" })
  expect(warning).toMatch(
    /the log ends at 0, before the tables' \d+: it was cut, or its tail was lost/
  )
})

it("begins the log again when it is lost while it runs", async () => {
  const pid = natsPid(folder.path)
  rmSync(store, { recursive: true })
  process.kill(pid ?? 0, "SIGKILL")
  await engine.alive("its word", () => /lane stopped: stream TAPE_BASE is gone/.test(engine.output))
  await engine.alive(
    "its problem",
    async () => (await engine.lane("base")).problem === "stream TAPE_BASE is gone"
  )
  world.mine(3, 8)
  await caughtUp()
  await stop()
  expect(differenceFrom(world.chain, await logOf(folder.path, "base"))).toBeNull()
  const verified = await runCommand("verify", ["--data", folder.path])
  expect(verified.output).toContain("verified: log and tables agree")
})

it("says that a log is damaged, and serves other chains as ever", async () => {
  const other = await startWorld("damage beside", { config: ethereum, blocks: 30, swaps: 4 })
  damageMiddle(join(store, "jetstream/$G/streams/TAPE_BASE/msgs/1.blk"))
  // without tables the lane has to read what is damaged
  rmSync(tables)
  engine = await startEngine({
    dataDir: folder.path,
    rpc: { ...world.endpoints, ...other.endpoints },
    port
  })
  await engine.ready()
  await engine.reaches("ethereum", other.chain.head.number)
  other.mine(3, 4)
  await engine.reaches("ethereum", other.chain.head.number)
  const problem = await engine.alive("its failure", async () => {
    const lane = await engine.lane("base")
    return lane.state === "failed" && lane.problem
  })
  expect(problem).toMatch(/^the log of base is broken at message \d+: /)
  await stop()
  await other.close()
})
