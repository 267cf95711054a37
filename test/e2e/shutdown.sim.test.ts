/**
 * How an engine ends: on a signal, whatever it is doing, within five seconds and without leaving a
 * process or a lock; and at once where it cannot have its folder or its port, saying why.
 */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { lockDataFolder } from "../../src/platform/data-lock.ts"
import {
  atRest,
  type Engine,
  type Exit,
  freePort,
  natsPid,
  startEngine
} from "../support/engine.ts"
import { differenceFrom, logOf } from "../support/engine-log.ts"
import { startWorld, type World } from "../support/engine-world.ts"
import { pairCreatedLog } from "../support/fake-logs.ts"
import { logLine, writeLines } from "../support/log-files.ts"
import { temporaryFolder } from "../support/nats.ts"
import { programsOn } from "../support/processes.ts"

/**
 * Each signal to each command, an engine that goes on, and one whose chains are simulated, of which
 * `devchain` beside this leaves nothing either, in the long run.
 */
const isLong = process.env["SWAPTAPE_LONG"] === "1"
const WITHIN_MS = 5_000
/** What an interrupted engine ends with: 128 + 2. */
const INTERRUPTED = { code: 130, signal: null }
/** What one ends with that was asked to end. */
const ENDED = { code: 0, signal: null }

let folder: ReturnType<typeof temporaryFolder>
const engines: Array<Engine> = []
const worlds: Array<World> = []

beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.end("SIGKILL")
  for (const world of worlds.splice(0)) await world.close()
  folder.remove()
})

const newWorld = async (...args: Parameters<typeof startWorld>): Promise<World> => {
  const world = await startWorld(...args)
  worlds.push(world)
  return world
}

const start = async (options: Partial<Parameters<typeof startEngine>[0]>): Promise<Engine> => {
  const engine = await startEngine({ dataDir: folder.path, ...options })
  engines.push(engine)
  return engine
}

/** Sends the signal; fails where anything of the engine is left, or was too slow to go. */
const endWith = async (engine: Engine, signal: NodeJS.Signals): Promise<Exit> => {
  const asked = performance.now()
  const exit = await engine.end(signal)
  expect(performance.now() - asked).toBeLessThan(atRest(WITHIN_MS))
  expect(programsOn(folder.path)).toEqual([])
  await Effect.runPromise(Effect.scoped(lockDataFolder(folder.path)))
  return exit
}

describe("a signal ends it", () => {
  it("SIGTERM, while it follows a chain and looks through its log, whoever starts there", async () => {
    const world = await newWorld("shutdown following", { blocks: 40, swaps: 4 })
    const engine = await start({ rpc: world.endpoints, env: { LOG_CHECK_REST: "1" } })
    await engine.reaches("base", world.chain.head.number)
    await engine.alive("a look", async () => {
      const metrics = await (await fetch(`${engine.url}/metrics`)).text()
      return metrics.includes('swaptape_log_checked_seq{chain="base"}')
    })
    const other = await start({ rpc: world.endpoints })
    expect(await other.exited).toEqual({ code: 1, signal: null })
    expect(other.output).toBe(
      `error: the data folder ${folder.path} is in use by process ${engine.pid}: ` +
        "stop that one, or set DATA_DIR to another folder\n"
    )
    expect(programsOn(folder.path)).toEqual(["nats-server"])
    world.work({ everyMs: 20, swaps: 10, forks: 0.1, deepest: 4 })
    expect(await endWith(engine, "SIGTERM")).toEqual(ENDED)
  })

  it.runIf(isLong)("SIGTERM, with both devchains under way", async () => {
    const engine = await start({})
    const both = ["anvil", "anvil", "nats-server"]
    await engine.alive("its children", () => `${programsOn(folder.path)}` === `${both}`)
    expect(await endWith(engine, "SIGTERM")).toEqual(ENDED)
  })

  it("SIGINT, while it backfills; the next one goes on", async () => {
    const world = await newWorld("shutdown backfill", { blocks: 40, swaps: 2 })
    const rpc = { 8453: [world.rpc.url] }
    const before = await start({ rpc })
    await before.reaches("base", world.chain.head.number)
    expect(await endWith(before, "SIGINT")).toEqual(INTERRUPTED)
    world.mine(360, 2)
    // 180 answers that are late: it reads these blocks for as long as anybody looks
    Object.assign(world.rpc.faults, { rangeLimit: 2, lateMs: 100 })
    const engine = await start({ rpc })
    await engine.alive("some history", async () => {
      const { seq, source } = await engine.lane("base")
      return seq > 0 && source?.state === "backfill"
    })
    expect(await endWith(engine, "SIGINT")).toEqual(INTERRUPTED)
    const { length } = await logOf(folder.path, "base")
    expect(length).toBeGreaterThan(0)
    if (!isLong) return
    Object.assign(world.rpc.faults, { rangeLimit: Number.POSITIVE_INFINITY, lateMs: 0 })
    const again = await start({ rpc: world.endpoints })
    await again.reaches("base", world.chain.head.number)
    world.mine(5, 4)
    await again.reaches("base", world.chain.head.number)
    expect(await endWith(again, "SIGINT")).toEqual(INTERRUPTED)
    const events = await logOf(folder.path, "base")
    expect(events.length).toBeGreaterThan(length)
    expect(differenceFrom(world.chain, events)).toBeNull()
  })

  it("SIGTERM, while its nats-server is dead and cannot be started", async () => {
    const world = await newWorld("shutdown dead nats", { blocks: 40, swaps: 4 })
    const broken = join(folder.path, "broken")
    const program = join(folder.path, "start-nats")
    const real = process.env["NATS_SERVER"]
    writeFileSync(program, `#!/bin/sh\n[ -e '${broken}' ] && exit 9\nexec '${real}' "$@"\n`, {
      mode: 0o755
    })
    const engine = await start({ rpc: world.endpoints, env: { NATS_SERVER: program } })
    await engine.reaches("base", world.chain.head.number)
    writeFileSync(broken, "")
    process.kill(natsPid(folder.path) ?? 0, "SIGKILL")
    await engine.alive("its word", () => /nats-server died \(.*exit code 9/.test(engine.output))
    world.mine(3, 4)
    expect(await endWith(engine, "SIGTERM")).toEqual(ENDED)
  })
})

describe("what serves a replayed log", () => {
  const address = (byte: string) => `0x${byte.repeat(20)}` as const
  const factory = "0x8909dc15e40173ff4699343b6eb8132c65e18ec6"
  const created = pairCreatedLog(factory, address("11"), address("22"), address("33"))
  const data = () => join(folder.path, "data")

  // one signal to each is what `facts` and `scrub` beside this end with
  it.runIf(isLong)("ends with 0 on SIGTERM and with 130 on SIGINT, as an engine does", async () => {
    const file = writeLines(folder.path, "base.jsonl", [logLine(10, 0, created)])
    const replay = ["replay", "--chain", "base", "--data", data(), "--no-report"] as const
    const replayed = [...replay, "--serve", file] as const
    const serve = ["serve", "--data", data()] as const
    const ends = [
      [replayed, "SIGTERM", ENDED],
      [serve, "SIGINT", INTERRUPTED],
      [replayed, "SIGINT", INTERRUPTED],
      [serve, "SIGTERM", ENDED]
    ] as const
    for (const [command, signal, exit] of ends) {
      const served = await start({ dataDir: data(), command })
      await served.ready()
      expect(await endWith(served, signal), command[0]).toEqual(exit)
    }
  })

  it("ends with 130 on SIGTERM while it still replays", async () => {
    const pipe = join(folder.path, "base.jsonl")
    execFileSync("mkfifo", [pipe])
    const replay = ["replay", "--chain", "base", "--data", data(), "--no-report"] as const
    const replaying = await start({ dataDir: data(), command: [...replay, "--serve", pipe] })
    await replaying.alive("its server", () => natsPid(data()) !== null)
    expect(await endWith(replaying, "SIGTERM")).toEqual(INTERRUPTED)
  })
})

describe("it refuses to start", () => {
  it("on a port that is taken, and leaves nothing behind", async () => {
    const world = await newWorld("shutdown port", { blocks: 5, swaps: 4 })
    const port = await freePort()
    const other = createServer((_, response) => response.end("other")).listen(port, "127.0.0.1")
    const engine = await start({ rpc: world.endpoints, port })
    expect(await engine.exited).toEqual({ code: 1, signal: null })
    expect(engine.output).toMatch(
      new RegExp(
        `\nerror: cannot listen on 127\\.0\\.0\\.1:${port}: the port is taken .*set PORT or HOST .*\n$`
      )
    )
    expect(programsOn(folder.path)).toEqual([])
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("other")
    other.close()
    other.closeAllConnections()
  })

  it("on a port that there is not", async () => {
    const engine = await start({ port: 99_999 })
    expect(await engine.exited).toEqual({ code: 1, signal: null })
    expect(engine.output).toBe(
      "error: PORT=99999: it must be a port, a whole number from 0 to 65535\n"
    )
  })
})
