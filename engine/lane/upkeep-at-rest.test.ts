/** Upkeep of a lane whose log does not grow: reads of its tables are as fast as of a live one's. */
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { afterAll, expect, it } from "vitest"
import { allProjections } from "../../projections/all.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { eventually } from "../../test/support/engine.ts"
import { hostLane } from "../../test/support/hosted-lane.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { followedLog, MemoryLog } from "../../test/support/memory-log.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { seed } from "../../test/support/seed.ts"
import type { Upkeep } from "./lane-open.ts"

const NAME = `${seed}/upkeep at rest`
const NEVER = 1e9
const [usd, native] = testChain.anchors
const folder = temporaryFolder()
afterAll(() => folder.remove())
const file = join(folder.path, "base.duckdb")

const log = new MemoryLog()
const followed = followedLog(log)

/** How many rows of minute candles are in the base; of a file that no lane has open. */
const mergedRows = async (): Promise<number> => {
  const database = await DuckDBInstance.create(file)
  const connection = await database.connect()
  const result = await connection.runAndReadAll("SELECT count(*) FROM candles_1m")
  connection.closeSync()
  database.closeSync()
  return Number(result.getRows()[0]?.[0])
}

const market = newMarket(NAME, usd?.address ?? "", native?.address ?? "")
const known = new Set<string>()
let block = 0

const grow = (blocks: number): void => {
  for (const last = block + blocks; block < last; ) {
    log.append(marketBlock(NAME, market, "main", ++block, null, 10, known))
  }
}

const start = (upkeep: Partial<Upkeep>) =>
  hostLane({ file, projections: allProjections, log: followed, upkeep })

/** Runs a lane until it has told its status so often after a snapshot. */
const runBeyondSnapshot = async (statuses: number): Promise<void> => {
  const snapshots = join(folder.path, "snapshots")
  rmSync(snapshots, { recursive: true, force: true })
  const lane = start({ snapshotEvery: 1, compactEvery: 1, compactRows: 1 })
  await eventually("a snapshot", () => existsSync(snapshots))
  const told = () => lane.posted.filter(({ type }) => type === "status").length
  const before = told()
  await eventually("statuses", () => told() >= before + statuses)
  await lane.stop()
}

it("merges tables after a snapshot, though no commit comes", async () => {
  // two commits, so that no rollback reaches what the first one wrote
  for (const blocks of [30, testChain.finalityDepth]) {
    grow(blocks)
    const lane = start({ snapshotEvery: NEVER, compactEvery: NEVER })
    await lane.posts("caught-up")
    await lane.stop()
  }
  expect(await mergedRows()).toBe(0)
  let statuses = 1
  const merged = async () => {
    await runBeyondSnapshot(statuses++)
    return (await mergedRows()) > 0
  }
  await eventually("merged tables", merged)
})

it("warns that the file of its tables was deleted, which it holds open", async () => {
  const own = join(folder.path, "deleted.duckdb")
  const lane = hostLane({ file: own, projections: allProjections, log: followed })
  const warnings = () =>
    lane.posted.flatMap(one => (one.type === "status" ? [one.status.warnings] : [])).at(-1)
  await eventually("a status of a live lane", () =>
    lane.posted.some(one => one.type === "status" && one.status.state === "live")
  )
  expect(warnings()).toEqual([])
  rmSync(own)
  const warning =
    `the file of its tables, ${own}, was deleted: answers are right as long as this runs, and ` +
    "the next start makes the tables anew from the log"
  await expect.poll(warnings).toEqual([warning])
  expect(lane.lines.filter(line => line.endsWith(warning))).toHaveLength(1)
  await lane.stop()
})
