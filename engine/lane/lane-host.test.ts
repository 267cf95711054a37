/** A lane in the test's process, its DuckDB on a thread that can be told to end. */

import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { Cause, Deferred, Effect, Exit, Fiber, Stream } from "effect"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { allProjections } from "../../projections/all.ts"
import type { Event } from "../../streams/event.ts"
import { eventsOf } from "../../streams/event-objects.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { endDatabases, endingDatabase } from "../../test/support/ending-database.ts"
import { atRest } from "../../test/support/engine.ts"
import { hostLane } from "../../test/support/hosted-lane.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { followedLog, MemoryLog } from "../../test/support/memory-log.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { PATIENCE_MS } from "../../test/support/patience.ts"
import { seed } from "../../test/support/seed.ts"
import { broken } from "../log/log-errors.ts"
import { LATE_IMPORT } from "../log/replace-blocks.ts"
import type { Projection } from "../projection.ts"
import { rowsQuery } from "../query.ts"
import type { LaneLog } from "../runner/lane-log.ts"
import type { FromLane } from "./messages.ts"

const NAME = `${seed}/lane host`
const [usd, native] = testChain.anchors
const market = newMarket(NAME, usd?.address ?? "", native?.address ?? "")

let folder: ReturnType<typeof temporaryFolder>
let log: MemoryLog

beforeEach(() => {
  folder = temporaryFolder()
  log = new MemoryLog()
  const known = new Set<string>()
  for (let block = 1; block <= 5; block++) {
    log.append(marketBlock(NAME, market, "main", block, null, 10, known))
  }
})
afterEach(() => folder.remove())

const laneLog = (): LaneLog => followedLog(log)

const torn = broken("base", 9, "it is torn")

/** Ends where it cannot be read on, a million events before the end that it tells. */
const brokenLog = (): LaneLog => ({
  ...laneLog(),
  end: Effect.sync(() => ({ ...log.end, seq: log.end.seq + 1_000_000 })),
  read: from => Stream.concat(log.read(from), Stream.fail(torn))
})

/** Runs a lane; `send` may throw as a port does. */
const start = (
  projections: ReadonlyArray<Projection> = allProjections,
  send: (message: FromLane) => void = () => {},
  followed: LaneLog = laneLog()
) => {
  const file = join(folder.path, "base.duckdb")
  return hostLane({
    ...{ file, projections, send, log: followed, database: endingDatabase },
    firstPauseMs: 100
  })
}

const stopped = ({ stop }: ReturnType<typeof start>) => stop()

it("dies at once with its DuckDB's thread, and goes on with the same file", async () => {
  const lane = start()
  const { at } = await lane.posts("caught-up")
  expect(at.seq).toBe(log.end.seq)
  const told = performance.now()
  endDatabases()
  const exit = await Effect.runPromise(Fiber.await(lane.fiber))
  expect(performance.now() - told).toBeLessThan(atRest(6000))
  expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause) && !Cause.hasFails(exit.cause)).toBe(
    true
  )
  expect(String(exit)).toContain("DuckDB's thread ended: IO Error: as it was told")
  expect(lane.lines).toEqual([])
  const again = start()
  expect((await again.posts("caught-up")).at).toEqual(at)
  await stopped(again)
  expect(readdirSync(folder.path)).toEqual(["base.duckdb", "base.served"])
})

it("stops while a statement runs that would never end", async () => {
  const endless = "SELECT count(*) AS n FROM range(1000000000000) t(i) WHERE hash(i) % 7 = 3"
  let asked = false
  const odd = allProjections.map((item): Projection => {
    if (item.name !== "tape") return item
    const query = rowsQuery("endless", ({ rows }) =>
      Effect.suspend(() => {
        asked = true
        return rows(endless)
      })
    )
    return { ...item, queries: [...item.queries, query] }
  })
  const lane = start(odd)
  await lane.posts("caught-up")
  lane.tell({ type: "query", id: 1, request: { name: "endless", params: {} } })
  await vi.waitUntil(() => asked, PATIENCE_MS)
  const told = performance.now()
  await stopped(lane)
  expect(performance.now() - told).toBeLessThan(atRest(6000))
  expect(await lane.posts("unanswered")).toMatchObject({
    id: 1,
    message: expect.stringContaining("INTERRUPT Error: Interrupted!")
  })
  expect(readdirSync(folder.path)).toEqual(["base.duckdb", "base.served"])
})

it("answers what it cannot send", async () => {
  const lane = start(allProjections, message => {
    if (message.type === "answer" && message.id === 7) throw new Error("it is unfit")
  })
  await lane.posts("caught-up")
  lane.tell({ type: "query", id: 7, request: { name: "marks", params: {} } })
  expect(await lane.posts("unanswered")).toEqual({
    type: "unanswered",
    id: 7,
    message: "it is unfit"
  })
  await stopped(lane)
})

it("serves all that it could read of a log, far from its end", async () => {
  const lane = start(allProjections, () => {}, brokenLog())
  expect((await lane.posts("position")).at.seq).toBe(log.end.seq)
  for (let i = 0; i < 200 && lane.lines.length === 0; i++) {
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  expect(lane.lines).toEqual([`base: lane stopped: ${torn.message}`])
  await stopped(lane)
})

it("lets its source complete a log that ends within late blocks, and serves what it had", async () => {
  const all = log.segments.slice(1).map(({ batch }) => eventsOf(batch))
  log = new MemoryLog()
  for (const events of all) log.append(events)
  const first = start()
  const { at } = await first.posts("caught-up")
  await stopped(first)
  const late = marketBlock(NAME, market, "main", 1, null, 10, new Set())
  const rollback = {
    ...{ kind: "Rollback", block: late[0]?.block, tx: null, logIndex: 0, reason: LATE_IMPORT },
    ...{ toSeq: 0, toBlock: 0, toHash: late[0]?.block.parentHash, fromBlock: 5 }
  } as Event
  const begun = at.seq + 1
  log.append([rollback, ...late], begun)
  const completed = Effect.runSync(Deferred.make<void>())
  const rest = Stream.unwrap(
    Effect.as(
      Deferred.await(completed),
      Stream.suspend(() => laneLog().read(half, { follow: true }))
    )
  )
  const half = log.end
  const cut: LaneLog = {
    ...laneLog(),
    end: Effect.sync(() => ({ ...log.end, isSplicing: true })),
    read: from => Stream.concat(log.read(from), rest)
  }
  const lane = start(allProjections, () => {}, cut)
  // what its source waits for
  expect(await lane.posts("caught-up")).toMatchObject({ at: { seq: at.seq }, isSeen: false })
  await lane.status("what it had", ({ state, seq }) => state === "catching-up" && seq === at.seq)
  all.forEach((events, n) => {
    log.append(events, n < all.length - 1 ? begun : null)
  })
  Effect.runSync(Deferred.succeed(completed, undefined))
  const { seq } = await lane.status("the whole log", one => one.state === "live")
  expect(seq).toBe(log.end.seq)
  await stopped(lane)
})

it("keeps the copy that it makes new tables of while the log cannot be read on", async () => {
  const first = start()
  await first.posts("caught-up")
  await stopped(first)
  // another log, which breaks before it is as far as readers are
  log = new MemoryLog()
  const known = new Set<string>()
  const grow = (from: number, to: number) => {
    for (let block = from; block <= to; block++) {
      log.append(marketBlock(NAME, market, "other", block, null, 10, known))
    }
  }
  grow(1, 3)
  let isBroken = true
  const mended: LaneLog = {
    ...laneLog(),
    read: (from, options) =>
      isBroken ? Stream.concat(log.read(from), Stream.fail(torn)) : laneLog().read(from, options)
  }
  const lane = start(allProjections, () => {}, mended)
  const beside = join(folder.path, "beside", "base.duckdb")
  const tried = () => lane.lines.filter(line => line.includes("making them failed")).length
  await vi.waitUntil(() => tried() >= 1, PATIENCE_MS)
  const { ino } = statSync(beside)
  await vi.waitUntil(() => tried() >= 2, PATIENCE_MS)
  expect(statSync(beside).ino).toBe(ino)
  grow(4, 6)
  isBroken = false
  await vi.waitUntil(() => lane.lines.includes("base: readers have the new tables"), PATIENCE_MS)
  expect(statSync(beside).ino).toBe(ino)
  await stopped(lane)
})

it("says what to run where the tail of a log is lost that no source writes", async () => {
  const first = start()
  const { at } = await first.posts("caught-up")
  await stopped(first)
  log.segments.pop()
  const file = join(folder.path, "base.duckdb")
  const lane = hostLane({
    ...{ file, projections: allProjections, log: laneLog(), isHistory: true }
  })
  const told = await lane.status("its problem", ({ problem }) => problem !== null)
  expect(told).toMatchObject({ state: "catching-up", seq: at.seq, logSeq: log.end.seq })
  expect(told.problem).toContain(
    `the log does not hold what the tables tell at ${at.seq}: its tail was lost or is another; ` +
      "answers stay those of that position until the log is as far again. Nothing here reads the " +
      "chain: stop this, then run npm start with RPC_8453 set, or npm run replay -- --chain base " +
      "with all the files again, to get the rest"
  )
  await lane.stop()
})
