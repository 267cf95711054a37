/**
 * A disk that is filled to the last byte while an engine works, and freed again: nothing that was
 * good is thrown away, readers go on reading, and all goes on by itself.
 */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type Engine, runCommand, startEngine } from "../support/engine.ts"
import { differenceFrom, logOf } from "../support/engine-log.ts"
import { differences, laneAnswers, startWorld, type World } from "../support/engine-world.ts"
import { syncLog } from "../support/fake-logs.ts"
import { logLine, writeLines } from "../support/log-files.ts"
import { temporaryFolder } from "../support/nats.ts"
import { mountSmallDisk } from "../support/small-disk.ts"

vi.setConfig({ testTimeout: 120_000 })

const small = mountSmallDisk(64)
const roomy = temporaryFolder()
if (small === null) console.log("no disk may be mounted here: what a full one does is not tested")

afterAll(() => {
  small?.remove()
  roomy.remove()
})

describe.skipIf(small === null)("an engine on a disk that is filled", () => {
  const disk = small as NonNullable<typeof small>
  const data = join(disk.path, "engine")
  const tables = () => readdirSync(join(data, "lanes"))
  const wanting = `no room on disk in ${data}/lanes: free some; writing goes on by itself`
  let world: World
  let engine: Engine
  let untouched: Engine

  beforeAll(async () => {
    world = await startWorld("disk full", { blocks: 60, swaps: 8 })
    engine = await startEngine({ dataDir: data, rpc: world.endpoints })
    untouched = await startEngine({ dataDir: roomy.path, rpc: world.endpoints })
    await Promise.all([engine.ready(), untouched.ready()])
  }, 120_000)

  afterAll(async () => {
    disk.free()
    await Promise.all([engine?.end("SIGKILL"), untouched?.end("SIGKILL")])
    await world?.close()
  })

  const isSaid = () =>
    engine.alive("word of it", async () => {
      const { problem, source } = await engine.lane("base")
      return problem !== null && source?.state === "retrying" && { problem, source }
    })

  const agree = async () => {
    const { number } = world.chain.head
    await Promise.all([engine.reaches("base", number), untouched.reaches("base", number)])
    expect(
      differences(await laneAnswers(untouched, world), await laneAnswers(engine, world))
    ).toEqual([])
  }

  it("says so, keeps its tables and its readers, and goes on when there is room", async () => {
    await engine.reaches("base", world.chain.head.number)
    const before = await laneAnswers(engine, world)
    const { seq } = await engine.lane("base")
    // blocks come all the time, so it is filled in the midst of them
    world.work({ everyMs: 20, swaps: 8, forks: 0, deepest: 0 })
    await engine.alive("more blocks", async () => (await engine.lane("base")).seq > seq)
    disk.fill()
    const { problem, source } = await isSaid()
    world.rest()
    expect(problem).toBe(wanting)
    expect(source.problem).toBe(
      "no room on disk in the folder of the log: free some; writing goes on by itself"
    )
    const stood = await engine.lane("base")
    expect(stood.seq).toBeGreaterThanOrEqual(seq)
    expect(stood.warnings).toEqual([wanting])
    // readers have all that was committed
    const path = Object.keys(before).find(one => one.includes("/trades?")) ?? ""
    expect(await engine.get(path)).toMatchObject({ status: 200, seq: stood.seq })
    expect(tables().filter(name => name.includes("broken"))).toEqual([])
    disk.free()
    await agree()
    expect((await engine.lane("base")).problem).toBeNull()
    expect(tables().sort()).toEqual(["base.duckdb", "base.duckdb.wal"])
  })

  it("opens its tables on a full disk, and takes that for no damage", async () => {
    disk.fill()
    expect(await engine.stop()).toMatchObject({ signal: null })
    disk.fill()
    world.mine(5, 8)
    engine = await startEngine({ dataDir: data, rpc: world.endpoints })
    // the tables may have had all of the log
    await engine.alive("word of it", async () => {
      const { problem, source } = await engine.lane("base")
      return (problem ?? source?.problem ?? "").startsWith("no room on disk in ")
    })
    disk.free()
    await agree()
    expect(tables().filter(name => name.includes("broken"))).toEqual([])
    await engine.stop()
    expect(differenceFrom(world.chain, await logOf(data, "base"))).toBeNull()
    const verified = await runCommand("verify", ["--data", data])
    expect(verified.output).toContain("verified: log and tables agree")
    expect(verified.code).toBe(0)
  })
})

describe.skipIf(small === null)("a replay on a full disk", () => {
  const disk = small as NonNullable<typeof small>
  const data = join(disk.path, "replay")
  const blocks = (from: number, count: number) =>
    writeLines(
      roomy.path,
      `${from}.jsonl`,
      Array.from({ length: count }, (_, i) =>
        logLine(from + i, 0, syncLog(`0x${"21".repeat(20)}`, 5n, BigInt(from + i)))
      )
    )
  const replay = (...files: ReadonlyArray<string>) =>
    runCommand("replay", ["--chain", "base", "--data", data, "--json", "--no-report", ...files])

  it("ends with a sentence and exit 1, and goes on when it is run again", async () => {
    const [one, two] = [blocks(1, 10), blocks(11, 20_000)]
    expect(await replay(one)).toMatchObject({ code: 0 })
    disk.fill()
    const { code, output } = await replay(one, two)
    expect(code, output).toBe(1)
    expect(output).toMatch(
      /error: the replay of base stopped: no room on disk in .*: free some\. Then run it again: it adds what is missing\n$/
    )
    disk.free()
    const again = await replay(one, two)
    expect(again.code, again.output).toBe(0)
    expect(JSON.parse(again.stdout)).toMatchObject({ logs: 20_010, seq: 40_020 })
    expect((await runCommand("verify", ["--data", data])).code).toBe(0)
  })
})
