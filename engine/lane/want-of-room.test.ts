/**
 * Tables on a disk that is full or read-only, and broken ones beside them: good tables stay, are
 * read meanwhile, and follow the log again as soon as they can be written.
 */
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Stream } from "effect"
import { afterAll, afterEach, beforeEach, expect, it } from "vitest"
import { allProjections } from "../../projections/all.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { hostLane } from "../../test/support/hosted-lane.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { seed } from "../../test/support/seed.ts"
import { mountSmallDisk } from "../../test/support/small-disk.ts"
import type { LaneLog } from "../runner/lane-log.ts"

const NAME = `${seed}/want of room`
const [usd, native] = testChain.anchors
const market = newMarket(NAME, usd?.address ?? "", native?.address ?? "")

const disk = mountSmallDisk(48)
const folder = temporaryFolder()
if (disk === null) console.log("no disk may be mounted here: one that is full is not tested")
const place = disk?.path ?? folder.path
const file = join(place, "base.duckdb")

const log = new MemoryLog()
const known = new Set<string>()
let block = 0

const grow = (blocks: number): void => {
  for (const last = block + blocks; block < last; ) {
    log.append(marketBlock(NAME, market, "main", ++block, null, 10, known))
  }
}

const followed: LaneLog = {
  end: Effect.sync(() => log.end),
  read: (from, { follow }) =>
    follow ? Stream.concat(log.read(from), Stream.never) : log.read(from),
  joined: log.joined,
  hashAt: streamSeq => Effect.succeed(log.segments[streamSeq - 1]?.header.hash ?? null)
}

const start = () => hostLane({ file, projections: allProjections, log: followed })

/** Tables that hold all of the log, of a lane that has ended. */
const made = async () => {
  const lane = start()
  const { at } = await lane.posts("caught-up")
  expect(at.seq).toBe(log.end.seq)
  await lane.stop()
  return at.seq
}

/** Asks all the time until the lane has all of the log; gives how many answers there were. */
const askUntilCaughtUp = async (lane: ReturnType<typeof start>) => {
  await lane.posts("commit")
  const asking = setInterval(() => {
    lane.tell({ type: "query", id: lane.posted.length, request: { name: "known", params: {} } })
  }, 20)
  const { at } = await lane.posts("caught-up").finally(() => clearInterval(asking))
  expect(at.seq).toBe(log.end.seq)
  expect(lane.posted.filter(({ type }) => type === "unanswered")).toEqual([])
  return lane.posted.filter(({ type }) => type === "answer").length
}

beforeEach(() => grow(5))

afterEach(() => {
  disk?.free()
  disk?.readOnly(false)
})

afterAll(() => {
  disk?.remove()
  folder.remove()
})

it.skipIf(disk === null)("waits for room on a full disk, and gives broken tables up", async () => {
  const seq = await made()
  grow(60)
  for (const name of ["broken-0", "wal.broken-4", "broken"]) {
    writeFileSync(`${file}.${name}`, "what broke long ago")
  }
  disk?.fill()
  const lane = start()
  const problem = `no room on disk in ${place}: free some; writing goes on by itself`
  const asked = askUntilCaughtUp(lane)
  const told = await lane.status("its word", one => one.problem !== null)
  expect(told).toMatchObject({ state: "failed", problem, seq })
  const { warnings } = await lane.status("what it removed", one => one.warnings.length === 4)
  expect(warnings[0]).toBe(problem)
  expect(warnings).toContain(
    "base.duckdb.broken-0, broken tables that were kept, was removed to make room"
  )
  expect(readdirSync(place)).toEqual(["base.duckdb", "base.duckdb.wal", "base.served"])
  disk?.free()
  expect(await asked).toBeGreaterThan(0)
  await lane.stop()
  expect(readdirSync(place)).toEqual(["base.duckdb", "base.served"])
})

it.skipIf(disk === null)("reads tables on a read-only disk until it is writable", async () => {
  const seq = await made()
  grow(5)
  disk?.readOnly(true)
  const lane = start()
  const asked = askUntilCaughtUp(lane)
  const told = await lane.status("its word", one => one.problem !== null && one.seq > 0)
  const problem = `the disk of ${place} is read-only: make it writable again; writing goes on by itself`
  expect(told).toMatchObject({ state: "failed", problem, seq })
  disk?.readOnly(false)
  expect(await asked).toBeGreaterThan(0)
  await lane.stop()
  expect(readdirSync(place)).toEqual(["base.duckdb", "base.served"])
})

it("keeps no more of broken tables than those that broke last", async () => {
  for (const text of ["no database", "no database either"]) {
    await made()
    writeFileSync(file, text)
  }
  writeFileSync(`${file}.broken-0`, "of an engine of long ago")
  const lane = start()
  expect((await lane.posts("caught-up")).at.seq).toBe(log.end.seq)
  await lane.stop()
  expect(readdirSync(place)).toEqual(["base.duckdb", "base.duckdb.broken", "base.served"])
  expect(existsSync(`${file}.broken`)).toBe(true)
})
