/**
 * History beside the head, as its user runs it: the head is served at once, the engine is killed
 * while history is read and put in place, and every table ends as that of an engine that read the
 * chain in order.
 */
import { afterAll, expect, it } from "vitest"
import { runCommand } from "../support/command.ts"
import { type Engine, startEngine } from "../support/engine.ts"
import { differenceFrom, logOf } from "../support/engine-log.ts"
import { differences, laneAnswers, startWorld } from "../support/engine-world.ts"
import { temporaryFolder } from "../support/nats.ts"
import { random, seed } from "../support/seed.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
const BLOCKS = isLong ? 900 : 300
const KILLS = isLong ? 15 : 1

const folders = [temporaryFolder(), temporaryFolder()] as const
const engines: Array<Engine> = []
afterAll(async () => {
  for (const engine of engines) await engine.end("SIGKILL")
  for (const folder of folders) folder.remove()
})

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

const start = async (...options: Parameters<typeof startEngine>): Promise<Engine> => {
  const engine = await startEngine(...options)
  engines.push(engine)
  return engine
}

it("is that of an engine that read the chain in order, however often it is killed", async () => {
  console.log(`history: SEED=${seed}`)
  const r = random("history")
  const world = await startWorld("history", {
    blocks: BLOCKS,
    swaps: 6,
    faults: { rangeLimit: 25 }
  })
  const beside = {
    dataDir: folders[0].path,
    rpc: world.endpoints,
    env: { START_8453: "latest", BACKFILL_FROM_8453: "1" }
  }
  let engine = await start(beside)
  await engine.ready()
  // its first word: it may be over before a status tells of it
  const reading = /base: history: reading blocks 1\.\.\d+ beside the head, newest first/
  await engine.alive("history", () => reading.test(engine.output))
  for (let kill = 0; kill < KILLS; kill++) {
    await pause(r.integer(0, 600))
    await engine.end("SIGKILL")
    world.mine(2, 6)
    engine = await start(beside)
    await engine.ready()
  }
  await engine.alive("the whole history", async () => {
    const { gaps, source, block } = await engine.lane("base")
    return gaps.length === 0 && block === world.chain.head.number && source?.repairs?.open === 0
  })
  await engine.reaches("base", world.chain.head.number)
  const answers = isLong ? await laneAnswers(engine, world) : {}
  await engine.stop()

  // its log is the chain's, and its tables the log's: another engine is asked in the long run
  if (isLong) {
    const inOrder = await start({ dataDir: folders[1].path, rpc: world.endpoints })
    await inOrder.ready()
    await inOrder.reaches("base", world.chain.head.number)
    expect(differences(answers, await laneAnswers(inOrder, world))).toEqual([])
    await inOrder.stop()
  }
  await world.close()

  expect(differenceFrom(world.chain, await logOf(folders[0].path, "base"))).toBe(null)
  const verified = await runCommand("verify", ["--data", folders[0].path])
  expect(verified.output).toMatch(/log and tables agree/)
  expect(verified.code).toBe(0)
})
