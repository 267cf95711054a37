/** A usual reorganisation costs little whenever it comes, also when all before was folded at once. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { withUses } from "../../projections/all.ts"
import type { Event } from "../../streams/event.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { eventually } from "../../test/support/engine.ts"
import { hostLane } from "../../test/support/hosted-lane.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { followedLog, MemoryLog, takingBack } from "../../test/support/memory-log.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { seed } from "../../test/support/seed.ts"
import type { Segment } from "../log/segment.ts"

const NAME = `${seed}/near the end`
const [usd, native] = testChain.anchors
const market = newMarket(NAME, usd?.address ?? "", native?.address ?? "", 2)
const folder = temporaryFolder()
afterAll(() => folder.remove())

const projections = withUses({ name: "candles" })

const log = new MemoryLog()
const known = new Set<string>()
/** the last segment of each block that stands */
const standing = new Map<number, Segment>()

const append = (events: ReadonlyArray<Event>): void => {
  const segment = log.append(events)
  standing.set(segment.header.lastBlock, segment)
}

const blockOf = (branch: string, block: number) =>
  marketBlock(NAME, market, branch, block, null, 20, known)

/** The chain goes on from after a block with others, as many as it had and one more. */
const reorg = (branch: string, from: number, to: number): void => {
  const [last, fork] = [to, from].map(block => standing.get(block)?.header)
  const next = blockOf(branch, from + 1)
  const first = next[0]?.block
  if (last === undefined || fork === undefined || first === undefined) throw new Error("no fork")
  append([takingBack(fork, last, first), ...next])
  for (let block = from + 2; block <= to + 1; block++) append(blockOf(branch, block))
}

it("takes a few blocks back in place, right after a start and after new tables", async () => {
  for (let block = 1; block <= 80; block++) append(blockOf("main", block))
  const file = join(folder.path, "base.duckdb")
  const lane = hostLane({ file, projections, log: followedLog(log), inPlaceEvents: 600 })
  const isThere = () =>
    eventually("all of the log", () =>
      lane.posted.some(one => one.type === "position" && one.at.seq === log.end.seq)
    )
  await isThere()
  reorg("one", 78, 80)
  await isThere()
  expect(lane.lines).toEqual([])
  // far back: new tables are made of it, beside
  reorg("two", 20, 81)
  await isThere()
  await eventually("its word", () => lane.lines.includes("base: readers have the new tables"))
  expect(lane.lines.length).toBe(2)
  reorg("three", 80, 82)
  await isThere()
  await lane.stop()
  expect(lane.lines.length).toBe(2)
  expect(existsSync(join(folder.path, "beside", "base.duckdb"))).toBe(false)
})
