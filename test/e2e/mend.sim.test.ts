/**
 * A log that is damaged on disk, and `npm run log -- check`, `cut` and `repair` on it. What comes out
 * is what an engine has that nothing happened to.
 */
import { cpSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { cutStream } from "../../src/platform/stream-files.ts"
import { runCommand } from "../support/command.ts"
import { type Engine, startEngine } from "../support/engine.ts"
import { differenceFrom, logOf } from "../support/engine-log.ts"
import { differences, laneAnswers, startWorld, type World } from "../support/engine-world.ts"
import { temporaryFolder } from "../support/nats.ts"
import { oneAfterTheOther } from "../support/one-after-the-other.ts"
import { openSocket } from "../support/ws-client.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
const folder = temporaryFolder()
const data = join(folder.path, "data")
const whole = join(folder.path, "whole")
const stream = join(data, "nats", "jetstream", "$G", "streams", "TAPE_BASE")
const messages = join(stream, "msgs", "1.blk")
let world: World
let engine: Engine
let answers: Awaited<ReturnType<typeof laneAnswers>>
/** id of the log of the engine that nothing happened to, and of the one started last */
let ownId: string | null
let lastId: string | null

const env = () => ({
  DATA_DIR: data,
  RPC_8453: (world.endpoints[8453] ?? []).join(","),
  START_8453: "0"
})
const log = (...args: ReadonlyArray<string>) =>
  runCommand("log", [...args, "--chain", "base"], env())

/** Starts an engine on the data folder as it is, and asks it everything. */
const answersNow = async () => {
  engine = await startEngine({ dataDir: data, rpc: world.endpoints })
  await engine.reaches("base", world.chain.head.number)
  const found = await laneAnswers(engine, world)
  lastId = (await engine.lane("base")).log
  await engine.stop()
  return found
}

const restore = () => {
  rmSync(data, { recursive: true, force: true })
  cpSync(whole, data, { recursive: true })
}

const flip = () => {
  const bytes = readFileSync(messages)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(messages, bytes)
}

const ID = /^[0-9a-f]{16}$/

/** That the log tells the chain. */
const isOfChain = async () =>
  expect(differenceFrom(world.chain, await logOf(data, "base"))).toBeNull()

/** That the log tells the chain, and the tables the log. */
const isWhole = async () => {
  await isOfChain()
  expect((await runCommand("verify", ["--data", data])).output).toContain(
    "verified: log and tables agree"
  )
}

/**
 * That log and tables are those of an engine that nothing happened to; or, `anew`, tables made anew.
 */
const isAsEver = async (anew = false) => {
  await isWhole()
  if (anew) rmSync(join(data, "lanes"), { recursive: true })
  expect(differences(answers, await answersNow())).toEqual([])
}

oneAfterTheOther()

beforeAll(async () => {
  world = await startWorld("mend", { blocks: 5, swaps: 8 })
  engine = await startEngine({ dataDir: data, rpc: world.endpoints })
  await engine.ready()
  for (let i = 0; i < 24; i++) {
    world.mine(1, 8)
    await engine.reaches("base", world.chain.head.number)
  }
  answers = await laneAnswers(engine, world)
  ownId = (await engine.lane("base")).log
  await engine.stop()
  cpSync(data, whole, { recursive: true })
})

afterAll(async () => {
  await engine?.end("SIGKILL")
  await world?.close()
  folder.remove()
})

it("keeps the part before a flipped bit, and reads the rest again from the source", async () => {
  flip()
  const checked = await log("check")
  expect(checked.code).toBe(1)
  expect(checked.output).toMatch(/the log of base is broken at message \d+: /)
  const told = await log("repair")
  expect(told.code).toBe(1)
  expect(told.output).toMatch(
    /good is its first \d+ events, \d+ segments up to block \d+\. "npm run log -- repair --chain base --from-source" keeps that and reads the rest again/
  )
  const repaired = await log("repair", "--from-source")
  expect(repaired.code, repaired.output).toBe(0)
  expect(repaired.output).toMatch(/the log of base is whole again: \d+ events up to block \d+\n/)
  if (isLong) expect((await log("check")).output).toContain("the log of base is whole")
  await isAsEver()
  expect([ownId, lastId]).toEqual([expect.stringMatching(ID), expect.stringMatching(ID)])
  expect(lastId).not.toBe(ownId)
})

it("cuts what is asked for, once it is sure, and not under an engine", async () => {
  restore()
  flip()
  const args = ["cut", "--to", "100"]
  const asked = await log(...args)
  expect(asked.code).toBe(1)
  expect(asked.output).toMatch(
    /this keeps of the log of base its first \d+ events, \d+ segments up to block \d+; \d+ segments after it go.*\. Nothing was done: add --yes to do it\n$/
  )
  const [, first, crossed, end] =
    /first (\d+) events.* the one with 100 reaches to (\d+), so what is kept ends at (\d+)\)/.exec(
      asked.output
    ) ?? []
  expect(end).toBe(first)
  expect(Number(end)).toBeLessThan(100)
  expect(Number(crossed)).toBeGreaterThan(100)
  const before = readFileSync(messages).length
  const done = await log(...args, "--yes")
  expect(done.code, done.output).toBe(0)
  expect(readFileSync(messages).length).toBeLessThan(before)
  expect(existsSync(join(data, "cut-off", "TAPE_BASE", "1.blk"))).toBe(true)
  const left = await log("check")
  expect(left.code, left.output).toBe(0)
  expect(Number(/is whole: (\d+) events/.exec(left.output)?.[1])).toBeLessThanOrEqual(100)
  engine = await startEngine({ dataDir: data, rpc: world.endpoints })
  await engine.ready()
  const refused = await log(...args, "--yes")
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringContaining("is in use by process")
  })
  await engine.reaches("base", world.chain.head.number)
  const cutId = (await engine.lane("base")).log
  expect([cutId === null, cutId === ownId]).toEqual([false, false])
  expect(differences(answers, await laneAnswers(engine, world))).toEqual([])
  await engine.stop()
  // what the tables answered is what the unharmed engine did
  if (!isLong) return isOfChain()
  await isAsEver(true)
  expect(lastId).toBe(cutId)
})

it("tells a damaged description of a stream from no log, and writes it again", async () => {
  const damages = [
    () => writeFileSync(join(stream, "meta.sum"), "0123456789abcdef"),
    () => rmSync(join(stream, "meta.inf")),
    () => truncateSync(join(stream, "meta.inf"), 9)
  ]
  for (const damage of isLong ? damages : damages.slice(1, 2)) {
    restore()
    damage()
    const lost = "the log of base is in "
    for (const command of isLong ? ["check", "cat", "ls"] : ["check"]) {
      const { code, output } = await log(command)
      expect({ code, lost: output.includes(lost) }, output).toEqual({ code: 1, lost: true })
    }
    if (isLong) expect((await runCommand("log", ["ls"], env())).output).toContain(lost)
    const verified = await runCommand("verify", ["--data", data])
    expect({ code: verified.code, lost: verified.output.includes(lost) }).toEqual({
      code: 1,
      lost: true
    })
    const repaired = await log("repair")
    expect(repaired.code, repaired.output).toBe(0)
    expect(repaired.output).toContain("what describes stream TAPE_BASE was damaged")
    if (isLong) expect((await log("check")).code).toBe(0)
  }
  if (!isLong) return isOfChain()
  await isAsEver()
  expect([lastId === null, lastId === ownId]).toEqual([false, false])
})

/** What an engine answers who goes on from a position of a log. */
const resume = async (from: number, of: string | null) => {
  const upgrade = await openSocket(engine.port)
  if (!upgrade.ok) throw new Error(upgrade.body)
  const { client } = upgrade
  const { chains } = await client.next()
  const { address } = world.config.anchors[0]!
  const topic = { channel: "trades", chain: 8453, token: address }
  client.send({ op: "subscribe", ...topic, from, log: of })
  const { type, error, log } = await client.next()
  client.close()
  return { chains, type, error, log }
}

it("has another id once its end is lost, and tells who goes on from a position before", async () => {
  restore()
  await Effect.runPromise(cutStream(data, "TAPE_BASE", 12))
  engine = await startEngine({ dataDir: data, rpc: world.endpoints })
  await engine.alive("another log", async () => {
    const { log } = await engine.lane("base")
    return log !== null && log !== ownId
  })
  await engine.reaches("base", world.chain.head.number)
  const { seq, log } = await engine.lane("base")
  expect(log).toMatch(ID)
  const answer = await fetch(`${engine.url}/v1/tokens?chain=base`)
  expect([answer.status, answer.headers.get("x-log")]).toEqual([200, log])
  expect(await resume(seq - 1, ownId)).toMatchObject({
    ...{ type: "error", error: "RESUME_TOO_OLD", log },
    chains: [expect.objectContaining({ key: "base", seq, log })]
  })
  expect(await resume(seq - 1, log)).toMatchObject({ type: "subscribed", log })
  await engine.stop()
})

it("says what it needs", async () => {
  expect((await log("cut")).output).toContain("--to SEQ is needed")
  flip()
  const none = await runCommand("log", ["repair", "--chain", "base", "--from-source"], {
    DATA_DIR: data
  })
  expect(none.code).toBe(1)
  expect(none.output).toContain("base has no source to read from: set RPC_8453 to its nodes")
})
