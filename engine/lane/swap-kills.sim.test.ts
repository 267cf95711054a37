/**
 * Tables that are made beside those that readers have, killed before and in the middle of every step
 * with their files: the next start ends with what the log tells, and no file too many.
 */
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { withUses } from "../../projections/all.ts"
import type { Event } from "../../streams/event.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { eventually } from "../../test/support/engine.ts"
import { hostLane } from "../../test/support/hosted-lane.ts"
import { type Moment, recordMoments } from "../../test/support/kill-moments.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { followedLog, MemoryLog } from "../../test/support/memory-log.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { seed } from "../../test/support/seed.ts"
import { newFoldSet } from "../runner/fold-set.ts"
import { digests, openStore } from "../store/store.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
const NAME = `${seed}/swap kills`
const [usd, native] = testChain.anchors
const market = newMarket(NAME, usd?.address ?? "", native?.address ?? "", 2)
const folder = temporaryFolder()
afterAll(() => folder.remove())

const log = new MemoryLog()
const known = new Set<string>()
const blockOf = (branch: string, block: number) =>
  marketBlock(NAME, market, branch, block, null, 3, known)

const laneLog = followedLog(log)

/** What becomes of files is the same with few tables as with many. */
const projections = withUses({ name: "candles" })

const start = (path: string) =>
  hostLane({ file: join(path, "base.duckdb"), projections, log: laneLog, inPlaceEvents: 0 })

/** Runs a lane until readers have all of the log. */
const run = async (path: string) => {
  const lane = start(path)
  await eventually("all of the log", () =>
    lane.posted.some(one => one.type === "caught-up" && one.isSeen && one.at.seq === log.end.seq)
  )
  return lane
}

const tablesIn = (path: string) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { tables } = newFoldSet(testChain, projections)
      const store = yield* openStore(join(path, "base.duckdb"), tables, { threads: 1 })
      return yield* digests(store.writer, tables)
    }).pipe(Effect.scoped)
  )

const filesIn = (path: string): ReadonlyArray<string> =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(one => one.isFile())
    .map(({ name, parentPath }) => join(parentPath.slice(path.length + 1), name))
    .sort()

const SWAP = [
  "copy base.duckdb",
  "the rest of: copy base.duckdb",
  "move beside/base.duckdb.part to beside/base.duckdb",
  "write base.served.new",
  "the rest of: write base.served.new",
  "move base.served.new to base.served",
  "remove base.duckdb",
  // when the lane ends
  "move beside/base.duckdb to base.duckdb",
  "write base.served.new",
  "the rest of: write base.served.new",
  "move base.served.new to base.served"
]

const SETTLE = [
  "remove base.duckdb",
  "move beside/base.duckdb to base.duckdb",
  "move beside/base.duckdb.wal to base.duckdb.wal",
  "write base.served.new"
]

it("ends as the log tells, and leaves no file, wherever a swap of tables is cut off", async () => {
  const [lanes, fresh, moments] = ["lanes", "fresh", "moments"].map(name => {
    mkdirSync(join(folder.path, name))
    return join(folder.path, name)
  }) as [string, string, string]
  for (let block = 1; block <= 6; block++) log.append(blockOf("main", block))
  await (await run(lanes)).stop()
  const fork = log.segments[3]?.header
  const next = blockOf("other", 5)
  const rollback = {
    ...{ kind: "Rollback", block: next[0]?.block, tx: null, logIndex: 0, reason: "reorg" },
    ...{ toSeq: fork?.lastSeq, toBlock: 4, toHash: fork?.lastBlockHash, fromBlock: 6 }
  } as Event
  log.append([rollback, ...next])
  for (let block = 6; block <= 7; block++) log.append(blockOf("other", block))
  const swapping = recordMoments(lanes, moments)
  const lane = await run(lanes)
  await eventually("its word", () => lane.lines.includes("base: readers have the new tables"))
  await lane.stop()
  const swap = swapping.end()
  expect(swap.map(({ before }) => before)).toEqual(SWAP)
  await (await run(fresh)).stop()
  const wanted = await tablesIn(fresh)
  const endsWell = async ({ before, path }: Moment) => {
    await (await run(path)).stop()
    expect({ before, files: filesIn(path), tables: await tablesIn(path) }).toEqual({
      before,
      files: ["base.duckdb", "base.served"],
      tables: wanted
    })
  }
  // killed while readers have the new tables, of which some are in the WAL: and again on its start
  const served = swap[SWAP.indexOf("remove base.duckdb")] as Moment
  const settling = recordMoments(served.path, join(folder.path, "again"))
  await endsWell(served)
  const settle = settling.end().slice(0, SETTLE.length)
  expect(settle.map(({ before }) => before)).toEqual(SETTLE)
  const all = [...swap.filter(one => one !== served), ...settle]
  // in the long run each is cut off, and each time what is done more than once; else every other one
  const once = all.filter(one => all.findLast(({ before }) => before === one.before) === one)
  for (const moment of isLong ? all : once.filter((_, i) => i % 2 === 0)) await endsWell(moment)
})
