/**
 * Tables on a disk that is full or read-only, and broken ones beside them: good tables stay, are
 * read meanwhile, and follow the log again as soon as they can be written.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Queue, Stream } from "effect"
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest"
import { allProjections } from "../../projections/all.ts"
import type { Event } from "../../streams/event.ts"
import { rollbackTo } from "../../test/support/block-batches.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { hostLane } from "../../test/support/hosted-lane.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { followedLog, MemoryLog } from "../../test/support/memory-log.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { oneAfterTheOther } from "../../test/support/one-after-the-other.ts"
import { PATIENCE_MS } from "../../test/support/patience.ts"
import { seed } from "../../test/support/seed.ts"
import { mountSmallDisk } from "../../test/support/small-disk.ts"
import type { Segment } from "../log/segment.ts"
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

const followed = followedLog(log)

/** However long its tables take to be opened again, whoever asks meanwhile waits. */
const start = () =>
  hostLane({
    ...{ file, projections: allProjections, log: followed },
    ...{ firstPauseMs: 50, reopeningMs: PATIENCE_MS }
  })

/** Tables that hold all of the log, of a lane that has ended. */
const made = async () => {
  const lane = start()
  const { at } = await lane.posts("caught-up")
  expect(at.seq).toBe(log.end.seq)
  await lane.stop()
  return at.seq
}

/** Asks all the time until the lane has all of the log; every question must be answered. */
const askUntilCaughtUp = async (lane: ReturnType<typeof start>) => {
  await lane.posts("position")
  const asking = setInterval(() => {
    lane.tell({ type: "query", id: lane.posted.length, request: { name: "known", params: {} } })
  }, 20)
  const { at } = await lane.posts("caught-up").finally(() => clearInterval(asking))
  expect(at.seq).toBe(log.end.seq)
  expect(lane.posted.filter(({ type }) => type === "unanswered")).toEqual([])
}

/** Waits for an answer to what is asked from now on, while the lane cannot write. */
const answers = async (lane: ReturnType<typeof start>) => {
  const before = lane.posted.length
  await vi.waitUntil(
    () => lane.posted.slice(before).some(({ type }) => type === "answer"),
    PATIENCE_MS
  )
}

oneAfterTheOther()

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
  const told = await lane.status("its word", one => one.problem !== null && one.seq > 0)
  expect(told).toMatchObject({ state: "failed", problem, seq })
  const { warnings } = await lane.status("what it removed", one => one.warnings.length === 4)
  expect(warnings[0]).toBe(problem)
  expect(warnings).toContain(
    "base.duckdb.broken-0, broken tables that were kept, was removed to make room"
  )
  expect(readdirSync(place)).toEqual(["base.duckdb", "base.duckdb.wal", "base.served"])
  await answers(lane)
  disk?.free()
  await asked
  const isLive = ({ state }: { readonly state: string }) => state === "live"
  expect((await lane.status("that it has passed", isLive)).warnings).toEqual(warnings.slice(1))
  await lane.stop()
  expect(readdirSync(place)).toEqual(["base.duckdb", "base.served"])
})

it("warns that no snapshot could be made, until one is", async () => {
  const own = join(folder.path, "unkept")
  mkdirSync(own)
  writeFileSync(join(own, "snapshots"), "a file where the folder belongs")
  const arrived = Effect.runSync(Queue.unbounded<Segment>())
  const lane = hostLane({
    ...{ file: join(own, "base.duckdb"), projections: allProjections },
    log: {
      ...followed,
      read: (from, options) =>
        options.follow
          ? Stream.concat(log.read(from), Stream.fromQueue(arrived))
          : followed.read(from, options)
    },
    upkeep: { snapshotEvery: 1 }
  })
  const warned = await lane.status("no snapshot", ({ warnings }) => warnings.length > 0)
  expect(warned.warnings).toEqual([
    expect.stringMatching(
      /^there is no new snapshot of the tables, .*; it is tried again by itself$/
    )
  ])
  await lane.posts("caught-up")
  rmSync(join(own, "snapshots"))
  const before = lane.posted.length
  Queue.offerUnsafe(
    arrived,
    log.append(marketBlock(NAME, market, "main", ++block, null, 10, known))
  )
  await vi.waitUntil(
    () =>
      lane.posted
        .slice(before)
        .some(one => one.type === "status" && one.status.warnings.length === 0),
    PATIENCE_MS
  )
  await lane.stop()
  expect(readdirSync(join(own, "snapshots")).length).toBe(2)
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
  await answers(lane)
  disk?.readOnly(false)
  await asked
  await lane.stop()
  expect(readdirSync(place)).toEqual(["base.duckdb", "base.served"])
})

it.skipIf(disk === null)("goes from state to state, and back to live from each", async () => {
  let arrives: (segment: Segment) => void = () => {}
  const growing: LaneLog = {
    ...followed,
    read: (from, { follow }) => {
      const { segments } = log
      if (!follow) return Stream.fromIterable(segments.slice(from.streamSeq))
      const arrived = Effect.runSync(Queue.unbounded<Segment>())
      for (const segment of segments.slice(from.streamSeq)) Queue.offerUnsafe(arrived, segment)
      arrives = segment => Queue.offerUnsafe(arrived, segment)
      return Stream.fromQueue(arrived)
    }
  }
  const append = (branch: string, number: number, before: ReadonlyArray<Event> = []) => {
    const events = marketBlock(NAME, market, branch, number, null, 10, known)
    arrives(log.append([...before, ...events]))
  }
  const own = join(place, "states")
  const lane = hostLane({
    file: join(own, "base.duckdb"),
    projections: allProjections,
    log: growing,
    firstPauseMs: 50
  })
  const isAtEnd = () => lane.phases.at(-1) === "live" && committed() === log.end.seq
  const committed = () =>
    lane.posted.flatMap(one => (one.type === "position" ? [one.at.seq] : [])).at(-1)
  await vi.waitUntil(isAtEnd, PATIENCE_MS)
  expect(lane.phases).toEqual(["rebuilding", "live"])
  const fork = log.segments.at(-2)?.header
  const number = log.segments.at(-1)?.header.lastBlock ?? 0
  const back = { ...rollbackTo(number - 1, fork?.lastBlockHash), fromBlock: number }
  append("fork", number, [{ ...back, toSeq: fork?.lastSeq ?? 0 }])
  await vi.waitUntil(isAtEnd, PATIENCE_MS)
  expect(lane.phases.slice(2)).toEqual(["rolling-back", "live"])
  disk?.fill()
  append("fork", number + 1)
  await vi.waitUntil(() => lane.phases.at(-1) === "waiting-for-room", PATIENCE_MS)
  disk?.free()
  await vi.waitUntil(isAtEnd, PATIENCE_MS)
  expect(lane.phases.slice(4)).toEqual(["waiting-for-room", "catching-up", "live"])
  await lane.stop()
  rmSync(own, { recursive: true })
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
