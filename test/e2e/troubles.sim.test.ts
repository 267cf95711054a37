import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { ethereum } from "../../src/domain/chains/ethereum.ts"
import { damageMiddle } from "../support/damage-log.ts"
import {
  atRest,
  type Engine,
  eventually,
  freePort,
  natsPid,
  startEngine
} from "../support/engine.ts"
import { startWorld, type World } from "../support/engine-world.ts"
import { temporaryFolder } from "../support/nats.ts"
import { oneAfterTheOther } from "../support/one-after-the-other.ts"
import { isLong } from "../support/rounds.ts"

const SOON_MS = 5000
const BLOCKS = 40

const folder = temporaryFolder()
let world: World
let engine: Engine
let port: number

/** Starts an engine on the folder, whatever became of the one before. */
const start = async (rpc = world.endpoints) => {
  await engine?.end("SIGKILL")
  return startEngine({ dataDir: folder.path, rpc, port })
}

const isWell = async () => (await engine.get("/health")).status === 200

const well = () => engine.alive("health", isWell)

/** Waits, five seconds at most, until everything says that a chain is in trouble, in these words. */
const trouble = async (chain: string, part: string, words: RegExp): Promise<void> => {
  const from = engine.output.length
  await eventually(
    `trouble of ${part}, of an engine that wrote ${engine.output}`,
    async () => {
      const { status } = await engine.get("/health")
      const isSaid = engine.output.slice(from).includes(`WARN ${chain}: `)
      const { body } = await engine.get("/health/chains")
      const row = body.chains.find((one: { chain: string }) => one.chain === chain)
      // on a busy machine something else may have been in trouble before
      const isMeant = row.part === part && words.test(row.problem)
      return status === 503 && isSaid && !row.ok && isMeant
    },
    atRest(SOON_MS)
  )
  expect((await engine.get(`/chains/${chain}/status`)).body).toMatchObject({ ok: false })
  const lane = await engine.lane(chain)
  expect(lane.ok).toBe(false)
  expect(lane.state).not.toBe("live")
  const metrics = await (await fetch(`${engine.url}/metrics`)).text()
  expect(metrics).toContain(`swaptape_lane_ok{chain="${chain}"} 0\n`)
  expect(metrics).toContain(`swaptape_lane_state{chain="${chain}",state="live"} 0\n`)
}

const linesWith = (text: string) => engine.output.split("\n").filter(line => line.includes(text))

/** Words for people: no stack, no serialized cause. */
const expectPlain = () => {
  expect(engine.output).not.toMatch(/^\s+at /m)
  expect(engine.output).not.toMatch(/Cause\(|file:\/\/|\{"/)
}

oneAfterTheOther()

beforeAll(async () => {
  const startTime = Math.floor(Date.now() / 1000) - 2 * BLOCKS
  world = await startWorld("troubles", { blocks: BLOCKS, swaps: 4, startTime })
  port = await freePort()
  // a block a second, two seconds apart: never stale
  world.work({ everyMs: 1000, swaps: 2, forks: 0, deepest: 1 })
  engine = await start({ 8453: [world.rpc.url] })
  await engine.ready()
  await well()
})

afterAll(async () => {
  await engine?.end("SIGKILL")
  await world?.close()
  folder.remove()
})

it("a node that never answers any more", async () => {
  world.rpc.faults.hang = 1
  world.rpc.cutSockets()
  const words = /check RPC_8453 and that the node runs; it is asked again until it answers$/
  await trouble("base", "source", words)
  const said = linesWith("WARN base: ").length
  world.rpc.faults.hang = 0
  world.rpc.cutSockets()
  await well()
  await eventually("its line", () => linesWith("base: well again after").length === said)
  expectPlain()
})

it("a server of the log that hangs", async () => {
  const pid = natsPid(folder.path) ?? 0
  process.kill(pid, "SIGSTOP")
  try {
    const words =
      /^the server of the log \(nats-server\) has not answered for \d s; nothing new can be written/
    await trouble("base", "log-server", words)
  } finally {
    process.kill(pid, "SIGCONT")
  }
  await well()
  const { seq } = await engine.lane("base")
  await engine.alive("new events", async () => (await engine.lane("base")).seq > seq)
  expectPlain()
  expect(await engine.stop()).toEqual({ code: 130, signal: null })
})

it("a node that dies while it pushes its heads", async () => {
  engine = await start()
  await engine.ready()
  await well()
  await world.close()
  const words = /^the chain cannot be read: 127\.0\.0\.1:\d+ eth_\w+: .*ECONNREFUSED/
  await trouble("base", "source", words)
  await engine.alive("its tries", async () => {
    const { source } = await engine.lane("base")
    return source?.state === "retrying"
  })
  expectPlain()
  expect(await engine.stop()).toEqual({ code: 130, signal: null })
})

it("a slow node is honest: no start over it says that the chain stands still or is read", async () => {
  await engine.end("SIGKILL")
  const own = temporaryFolder()
  const startTime = Math.floor(Date.now() / 1000) - 2 * BLOCKS - 60
  const slow = await startWorld("a slow node", { blocks: BLOCKS, startTime })
  const open = () => startEngine({ dataDir: own.path, rpc: { 8453: [slow.rpc.url] }, port })
  try {
    engine = await open()
    await engine.reaches("base", slow.chain.head.number)
    await engine.stop()
    slow.mine(30, 2)
    slow.work({ everyMs: 2000, swaps: 2, forks: 0, deepest: 1 })
    slow.rpc.faults.lateMs = 2000
    engine = await open()
    const said = new Set<string>()
    await engine.alive("health", async () => {
      const { body } = await engine.get("/health/chains")
      const row = body.chains.find((one: { chain: string }) => one.chain === "base")
      if (row?.problem != null) said.add(row.problem)
      // what comes after the head is known is as it is with other nodes
      if ((await engine.lane("base")).source?.headBlock != null) slow.rpc.faults.lateMs = 200
      return row?.ok === true
    })
    expect(said).toContain("the source of the chain is being started")
    const isFalse = (text: string) =>
      text.includes("stands still") || /block (\d+) of \1$/.test(text)
    expect([...said, ...linesWith("WARN base: ")].filter(isFalse)).toEqual([])
  } finally {
    await engine.stop()
    await slow.close()
    own.remove()
  }
})

it("a node of another chain: what to do is said once, whenever it is tried again", async () => {
  const startTime = Math.floor(Date.now() / 1000) - 2 * BLOCKS
  const other = await startWorld("another chain", { config: ethereum, blocks: BLOCKS, startTime })
  try {
    engine = await start({ 8453: [other.rpc.url] })
    await engine.ready()
    const words = `${other.rpc.url.slice(7)} serves chain 1, not chain 8453: check RPC_8453`
    await engine.alive("its problem", async () => {
      const { body } = await engine.get("/health")
      return body.message === `base: ${words}`
    })
    await engine.alive("another try", async () => {
      const { source, state } = await engine.lane("base")
      return state === "stalled" && source?.state === "failed" && source.problem === words
    })
    await eventually("its line", () => linesWith(`WARN base: ${words}`).length > 0)
    // once, and again only behind other news, as of a thread that an overloaded machine holds up
    const warned = linesWith("WARN base: ").map(line => line.includes(words))
    expect(warned.filter((isIt, i) => isIt && warned[i - 1] === true)).toEqual([])
    expectPlain()
  } finally {
    await engine.stop()
    await other.close()
  }
})

// of damaged logs an engine is told in damage, mend and scrub beside this
it.runIf(isLong)("a log damaged where only its source reads", async () => {
  const again = await startWorld("troubles", {
    blocks: world.chain.head.number,
    startTime: Math.floor(Date.now() / 1000)
  })
  damageMiddle(join(folder.path, "nats/jetstream/$G/streams/TAPE_BASE/msgs/1.blk"))
  engine = await start(again.endpoints)
  await engine.ready()
  await engine.alive("its problem", async () => {
    const { body } = await engine.get("/health")
    return /^base: the log of base is broken at message \d+: /.test(body.message)
  })
  await engine.alive("its source's end", async () => {
    const { source } = await engine.lane("base")
    return (source?.state ?? "failed") === "failed"
  })
  await engine.stop()
  await again.close()
})
