/**
 * A disk that is filled to the last byte while an engine works, and freed again: nothing that was
 * good is thrown away, readers go on reading, and all goes on by itself.
 */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../support/command.ts"
import { type Engine, runProcess, startEngine } from "../support/engine.ts"
import { differenceFrom, logOf } from "../support/engine-log.ts"
import { startWorld, type World } from "../support/engine-world.ts"
import { syncLog } from "../support/fake-logs.ts"
import { logLine, writeLines } from "../support/log-files.ts"
import { temporaryFolder } from "../support/nats.ts"
import { oneAfterTheOther } from "../support/one-after-the-other.ts"
import { mountSmallDisk } from "../support/small-disk.ts"

const small = mountSmallDisk(48)
const roomy = temporaryFolder()
if (small === null) console.log("no disk may be mounted here: what a full one does is not tested")

afterAll(() => {
  small?.remove()
  roomy.remove()
})

describe.skipIf(small === null)("an engine on a disk that is filled", () => {
  const disk = small as NonNullable<typeof small>
  const data = join(disk.path, "engine")
  const tables = () => readdirSync(join(data, "lanes")).sort()
  let world: World
  let engine: Engine
  /** where the log ended when the engine did */
  let stood = 0

  const start = () => startEngine({ dataDir: data, rpc: world.endpoints })

  oneAfterTheOther()

  beforeAll(async () => {
    world = await startWorld("disk full", { blocks: 20, swaps: 8, tokens: 2 })
    engine = await start()
    await engine.ready()
  })

  afterAll(async () => {
    await engine?.end("SIGKILL")
    await world?.close()
  })

  /** All of the chain is there, and nothing is wrong but that it stands still, long ago. */
  const isWell = async () => {
    await engine.reaches("base", world.chain.head.number)
    await engine.alive("no other word", async () => {
      const { state, problem } = await engine.lane("base")
      return state === "stalled" && /^the newest block is \d+ d old/.test(problem ?? "")
    })
  }

  it("says so, keeps its tables and its readers, and goes on when there is room", async () => {
    await engine.reaches("base", world.chain.head.number)
    const { seq } = await engine.lane("base")
    // blocks come all the time, so it is filled in the midst of them
    world.work({ everyMs: 20, swaps: 8, forks: 0, deepest: 0 })
    await engine.alive("more blocks", async () => (await engine.lane("base")).seq > seq)
    disk.fill()
    const wanting = `no room on disk in ${data}/lanes: free some; writing goes on by itself`
    const { lane, source } = await engine.alive("word of it", async () => {
      const lane = await engine.lane("base")
      const { problem, source } = lane
      const isSaid = problem?.startsWith("no room on disk in ") === true
      return isSaid && source?.state === "blocked" && { lane, source }
    })
    world.rest()
    expect(source.problem).toBe(
      "no room on disk in the folder of the log: free some; writing goes on by itself"
    )
    // the tables may have had all that the log could still take
    const isOfTables = lane.problem === wanting
    expect(lane).toMatchObject(
      isOfTables
        ? { ok: false, state: "failed", warnings: [wanting] }
        : { ok: false, problem: source.problem }
    )
    expect(lane.seq).toBeGreaterThanOrEqual(seq)
    expect(await engine.get("/health")).toMatchObject({ status: 503 })
    // readers have all that was committed, once the tables are open again as they are: what was
    // told of and found no room is told again when there is some
    const path = `/tokens/trades/${world.market.tokens[0]?.address}?chain=8453&limit=500`
    const answer = await engine.alive("trades", async () => {
      const got = await engine.get(path)
      return got.status === 200 && got.seq === (await engine.lane("base")).seq && got
    })
    expect(answer.seq).toBeGreaterThanOrEqual(seq)
    expect(tables().filter(name => name.includes("broken"))).toEqual([])
    disk.free()
    await isWell()
    expect(tables()).toEqual(["base.duckdb", "base.duckdb.wal", "base.served"])
  })

  it("opens its tables on a full disk, and takes that for no damage", async () => {
    disk.fill()
    expect(await engine.stop()).toMatchObject({ signal: null })
    disk.fill()
    world.mine(5, 8)
    engine = await start()
    // the tables may have had all of the log
    await engine.alive("word of it", async () => {
      const { problem } = await engine.lane("base")
      return problem?.startsWith("no room on disk in ") === true
    })
    disk.free()
    await isWell()
    expect(tables().filter(name => name.includes("broken"))).toEqual([])
    ;({ seq: stood } = await engine.lane("base"))
    await engine.stop()
    expect(differenceFrom(world.chain, await logOf(data, "base"))).toBeNull()
  })

  it("does not start on a read-only disk, and says what to do", async () => {
    disk.readOnly(true)
    const { code, output } = await runProcess("start", [], { DATA_DIR: data, PORT: "0" }).finally(
      () => disk.readOnly(false)
    )
    expect(code, output).toBe(1)
    expect(output).toContain(
      `the disk of ${data} is read-only: make it writable again, or set DATA_DIR or --data to a folder`
    )
  })

  it("ends a replay with a sentence and exit 1, which goes on when it is run again", async () => {
    const later = Array.from({ length: 1000 }, (_, i) =>
      logLine(5000 + i, 0, syncLog(`0x${"21".repeat(20)}`, 5n, BigInt(i + 1)))
    )
    const file = writeLines(roomy.path, "later.jsonl", later)
    const replay = () =>
      runCommand("replay", ["--chain", "base", "--data", data, "--json", "--no-report", file])
    disk.fill()
    const { code, output } = await replay()
    expect(code, output).toBe(1)
    expect(output).toMatch(
      /error: the replay of base stopped: no room on disk in .*: free some\. Then run it again: it adds what is missing\n$/
    )
    disk.free()
    const again = await replay()
    expect(again.code, again.output).toBe(0)
    expect(JSON.parse(again.stdout)).toMatchObject({ logs: 1000, seq: stood + 2000 })
    const verified = await runCommand("verify", ["--data", data])
    expect(verified.output).toContain("verified: log and tables agree")
    expect(verified.code).toBe(0)
  })
})
