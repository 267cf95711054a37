/**
 * A chain whose finality is two blocks forks deeper than that, with the engine running and not,
 * behind what it has in memory and behind what its tables have merged. It goes back to the fork, as
 * far as the log tells of it, and ends as an engine that saw the final chain only.
 */
import { rmSync } from "node:fs"
import { afterAll, beforeAll, expect, it } from "vitest"
import { avalanche as config } from "../../src/domain/chains/avalanche.ts"
import { runCommand } from "../support/command.ts"
import { type Engine, freePort, startEngine } from "../support/engine.ts"
import { differenceFrom, logOf } from "../support/engine-log.ts"
import { differences, laneAnswers, startWorld, type World } from "../support/engine-world.ts"
import { temporaryFolder } from "../support/nats.ts"
import { oneAfterTheOther } from "../support/one-after-the-other.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"

const first = temporaryFolder()
const second = temporaryFolder()
let world: World
let engine: Engine
let port: number

/** Tables are merged all the time. */
const start = (dataDir: string, own?: number) =>
  startEngine({
    dataDir,
    rpc: world.endpoints,
    env: { COMPACT_EVERY: "200", COMPACT_ROWS: "1" },
    ...(own === undefined ? {} : { port: own })
  })

const caughtUp = () => engine.reaches(config.key, world.chain.head.number)

oneAfterTheOther()

beforeAll(async () => {
  port = await freePort()
  world = await startWorld("deep reorgs", { config, blocks: 60, swaps: 4 })
  engine = await start(first.path, port)
  await caughtUp()
  for (let i = 0; i < 6; i++) {
    world.mine(50, 3)
    await caughtUp()
  }
})

afterAll(async () => {
  await engine?.end("SIGKILL")
  await world?.close()
  first.remove()
  rmSync(second.path, { recursive: true, force: true })
})

/** A source tells how it is some time after its blocks. */
const tellsReorg = (depth: number) =>
  engine.alive(`a reorganisation of ${depth} blocks`, async () => {
    const { source } = await engine.lane(config.key)
    return source?.reorgs === 1 && source.lastReorgDepth === depth
  })

it("follows a fork deeper than finality while it runs, and says so in one line", async () => {
  expect(config.finalityDepth).toBeLessThan(10)
  world.fork(40, 3)
  await caughtUp()
  const lines = engine.output.split("\n").filter(line => line.includes("the chain replaced"))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(
    `WARN ${config.key}: the chain replaced its last 40 blocks, more than the ${config.finalityDepth} after which they are expected to stay; the log goes back to block 320`
  )
  await tellsReorg(40)
  const { warnings, source } = await engine.lane(config.key)
  expect(warnings).toContain(
    `the chain replaced its last 40 blocks, more than the ${config.finalityDepth} after which they are expected to stay; what was said of blocks 321 to 360 before is void`
  )
  // the routes' fields stay
  expect(source).not.toHaveProperty("warnings")
})

it("follows one that came while it was down, behind all that a source begins with", async () => {
  expect(await engine.stop()).toEqual({ code: 130, signal: null })
  world.fork(300, 3)
  engine = await start(first.path, port)
  await caughtUp()
  await tellsReorg(300)
})

it("ends with the log of the final chain, and tables that are made of it alike", async () => {
  expect(await engine.stop()).toEqual({ code: 130, signal: null })
  expect(differenceFrom(world.chain, await logOf(first.path, config.key))).toBeNull()
  const verified = await runCommand("verify", ["--data", first.path])
  expect(verified.output).toContain("verified: log and tables agree")
  expect(verified.code).toBe(0)
})

it.skipIf(!isLong)("ends as an engine that saw the final chain only", async () => {
  engine = await start(first.path, port)
  await caughtUp()
  const fresh = await start(second.path)
  await fresh.reaches(config.key, world.chain.head.number)
  const [one, other] = [await laneAnswers(engine, world), await laneAnswers(fresh, world)]
  await Promise.all([engine.stop(), fresh.stop()])
  expect(differences(one, other)).toEqual([])
})
